"""The settings file: read with its faults named, changed with its comments kept, never half written.

What was read without fault is kept as ``settings.last-good.toml``. A broken file is moved beside
itself under a number, and the last good one takes its place, so that nothing a person wrote is lost
and the companion starts all the same.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from companion.errors import CompanionError, SettingsError, StorageError, reason_of
from companion.settings.atomic import LEFT_OVER, write_atomically
from companion.settings.describe import Described, Value, described, find, mend_for_unknown, value_of
from companion.settings.document import VERSION, changed, holds, line_of, parse, template, without
from companion.settings.given_file import read_given
from companion.settings.schema import Settings

logger = logging.getLogger(__name__)

LARGEST = 1 << 20
"""Bytes of a settings file."""
LONGEST_VALUE = 20_000
"""Characters of a value that somebody gives."""

PATIENCE = 5.0
"""Seconds in which another process has made its change."""
_PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings that can be used, and what was wrong on the way to them."""

    settings: Settings
    problems: tuple[CompanionError, ...] = ()


class SettingsStore:
    """The settings of one user, in one file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.last_good = file.with_name(f"{file.stem}.last-good{file.suffix}")

    def load(self) -> Loaded:
        """Settings for a start: never fails, whatever the file holds.

        A first run writes the commented file. ``problems`` says what could not be used or written.
        """
        try:
            text = self._read()
        except FileNotFoundError:
            return Loaded(Settings(), self._tried(self._write_first))
        except (OSError, UnicodeDecodeError) as error:
            return self._recovered(_unreadable(self.file, error))
        try:
            settings = read(text, str(self.file))
        except SettingsError as fault:
            return self._recovered(fault)
        return Loaded(settings, self._tried(lambda: self._remember(text)))

    def check(self) -> Settings:
        """The settings as the file has them; nothing is written.

        Raises:
            SettingsError: names file, line, field, what is allowed and the mend.
        """
        try:
            return read(self._read(), str(self.file))
        except FileNotFoundError:
            return Settings()
        except (OSError, UnicodeDecodeError) as error:
            raise _unreadable(self.file, error) from error

    def usable(self) -> Settings:
        """As ``check``; of a file that is broken, the last good ones, as at a start. For what must go on meanwhile."""
        try:
            return self.check()
        except SettingsError as fault:
            logger.warning("%s; the last good settings are used", fault)
            return self._last_good()[0]

    def get(self, name: str) -> Value:
        """The value of a setting by its dotted name.

        Raises:
            SettingsError: no such setting, or the file is broken.
        """
        setting = find(name)
        return value_of(self.check(), setting)

    def set(self, name: str, written: str) -> Value:
        """Change one setting to what a person wrote, keeping the rest of the file as it is.

        Raises:
            SettingsError: no such setting, a value it does not allow, or a broken file.
            StorageError: the file cannot be written; it is as it was.
        """
        setting = find(name)
        value = value_from(setting, written)
        self._rewrite(lambda text: changed(text, setting, value, str(self.file)))
        return value

    def reset(self, name: str) -> Value:
        """Take a setting out of the file, so that its default holds. Returns that.

        Raises: as ``set``.
        """
        setting = find(name)
        self._rewrite(lambda text: without(text, setting, str(self.file)))
        return setting.default

    def holds(self, name: str) -> bool:
        """Whether the file says anything of a setting.

        Raises:
            SettingsError: no such setting, or the file is broken.
        """
        setting = find(name)
        try:
            return holds(self._read(), setting, str(self.file))
        except FileNotFoundError:
            return False
        except (OSError, UnicodeDecodeError) as error:
            raise _unreadable(self.file, error) from error

    def _rewrite(self, change: Callable[[str], str]) -> None:
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone_in(self.file.parent, self.file):
                self._sweep()
                self._change(change)
        except UnicodeDecodeError as error:
            raise _unreadable(self.file, error) from error
        except (OSError, RuntimeError) as error:  # RuntimeError: a link that leads to itself
            raise StorageError(
                f"{self.file} cannot be changed: {reason_of(error)}", file=str(self.file), mend="Allow writing there."
            ) from error

    def _change(self, change: Callable[[str], str]) -> None:
        text = self._read() if self.file.exists() else template()
        read(text, str(self.file))
        fresh = change(text)
        read(fresh, str(self.file))
        write_atomically(self.file, fresh)

    def _sweep(self) -> None:
        """Remove what a writer that was killed left behind."""
        for left in self.file.parent.glob(f".{self.file.name}.*{LEFT_OVER}"):
            left.unlink(missing_ok=True)

    def _read(self) -> str:
        # Some editors put a mark before UTF-8 text, and two characters at the end of a line.
        return read_given(self.file, LARGEST).decode("utf-8-sig").replace("\r\n", "\n")

    def _write_first(self) -> None:
        write_atomically(self.file, template())

    def _remember(self, text: str) -> None:
        if not self.last_good.exists() or self.last_good.read_bytes() != text.encode():
            write_atomically(self.last_good, text)

    def _tried(self, write: Callable[[], None]) -> tuple[CompanionError, ...]:
        """What went wrong in ``write``: a disk that is full does not keep the companion from starting."""
        try:
            write()
        except StorageError as fault:
            logger.warning("%s", fault)
            return (fault,)
        return ()

    def _recovered(self, fault: SettingsError) -> Loaded:
        """The last good settings in the place of the broken ones."""
        settings, text = self._last_good()
        instead = "the last good settings are" if text else "the defaults are"
        try:
            kept = self._put_aside()
            write_atomically(self.file, text or template())
        except (OSError, RuntimeError, StorageError) as error:
            logger.warning("the broken settings stay where they are: %s", error)
            mended = SettingsError(
                f"{fault}; {instead} used", file=fault.file, line=fault.line, field=fault.field, mend=fault.mend
            )
            return Loaded(settings, (mended,))
        mend = f"{fault.mend} Then move {kept.name} back to {self.file.name}."
        told = f"{fault}; {instead} used, and the broken file is kept as {kept.name}"
        logger.warning("%s", told)
        return Loaded(settings, (SettingsError(told, file=str(kept), line=fault.line, field=fault.field, mend=mend),))

    def _last_good(self) -> tuple[Settings, str]:
        try:
            text = self.last_good.read_text(encoding="utf-8")
            return read(text, str(self.last_good)), text
        except FileNotFoundError:
            return Settings(), ""
        except (OSError, UnicodeDecodeError, SettingsError) as error:
            logger.warning("the last good settings cannot be used either: %s", error)
            return Settings(), ""

    def _put_aside(self) -> Path:
        number = 1
        while (kept := self.file.with_name(f"{self.file.stem}.broken-{number}{self.file.suffix}")).exists():
            number += 1
        return self.file.resolve().rename(kept)


def read(text: str, file: str) -> Settings:
    """Settings from the text of a file.

    Raises:
        SettingsError: names file, line, field, what is allowed and the mend.
    """
    values: dict[str, Any] = parse(text, file).unwrap()
    _check_version(values.pop("version", VERSION), text, file)
    try:
        return Settings.model_validate(values, strict=True)
    except ValidationError as error:
        raise _fault(error, text, file) from error


def _check_version(version: object, text: str, file: str) -> None:
    if isinstance(version, int) and 1 <= version <= VERSION:
        return
    raise SettingsError(
        f"{_place(file, line_of(text, 'version'))}: version is {version!r}, this companion knows {VERSION}",
        file=file,
        line=line_of(text, "version"),
        field="version",
        mend="Update companion, or remove the line if you wrote it.",
    )


def _fault(error: ValidationError, text: str, file: str) -> SettingsError:
    """The first fault pydantic found, as a person needs it."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    line = line_of(text, name)
    setting = described().get(name)
    if setting is not None:
        message, mend = f"{name} is {_shown(first['input'])}", f"Make it {setting.allowed}."
    elif name in Settings.model_fields:
        message, mend = f"{name} is no table", f"Write [{name}] on a line of its own."
    else:
        message, mend = f"there is no setting {name}", mend_for_unknown(name)
    return SettingsError(f"{_place(file, line)}: {message}", file=file, line=line, field=name, mend=mend)


def _place(file: str, line: int | None) -> str:
    return f"{file} line {line}" if line else file


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _unreadable(file: Path, error: OSError | UnicodeDecodeError) -> SettingsError:
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return SettingsError(
            f"{file} line {line}: this is no UTF-8 text", file=str(file), line=line, mend="Save it as UTF-8."
        )
    return SettingsError(
        f"{file} cannot be read: {reason_of(error)}", file=str(file), mend="Allow your user to read it."
    )


def value_from(setting: Described, written: str) -> Value:
    """What a person wrote, as the setting holds it.

    Raises:
        SettingsError: the setting does not allow it.
    """
    annotation: Any = Settings.model_fields[setting.section].annotation
    info = annotation.model_fields[setting.key]
    try:
        if len(written) > LONGEST_VALUE:
            raise ValueError("too long")
        written.encode()
        value: Value = TypeAdapter(info.rebuild_annotation()).validate_python(written)
    except ValueError as error:  # which those of pydantic and of encoding are
        raise SettingsError(
            f"{setting.name} cannot be {_shown(written)}", field=setting.name, mend=f"Make it {setting.allowed}."
        ) from error
    return value


@contextmanager
def _alone_in(folder: Path, file: Path) -> Iterator[None]:
    """Hold the folder against another process that changes settings at the same moment.

    Raises:
        StorageError: that one does not come to an end.
    """
    if os.name == "nt":  # there a lost race costs one of two changes, never the file
        yield
        return
    handle, deadline = os.open(folder, os.O_RDONLY), time.monotonic() + PATIENCE
    try:
        while not _locked(handle):
            if time.monotonic() >= deadline:
                raise StorageError(
                    f"{file} is being changed by another process, which does not come to an end",
                    file=str(file),
                    mend="Try again, or end that process.",
                )
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
