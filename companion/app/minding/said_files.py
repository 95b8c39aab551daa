"""Takes what names somebody out of the files of conversations, each line in its place.

A conversation that goes on appends to its file meanwhile, so that no file is written anew: a line is written over by
one that is as long. Its turn stays a turn, of which nobody can read what was said.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.errors import StorageError, reason_of

FILES = ("*.messages.ndjson", "*.torn")
NOTES = "turn-notes.ndjson"
"""What the user thinks of answers, beside the folder of the conversations."""
GONE = "…"
"""What stands in the place of words."""


def blank(folder: Path, names: Callable[[str], bool]) -> int:
    """Blank every turn of which some line holds a text that ``names`` tells of, and what was noted of it.

    How many lines that were.

    Raises:
        StorageError: a file could not be read or written; some may still hold it.
    """
    files = sorted(one for pattern in FILES for one in folder.glob(pattern))
    count = sum(_blank(file, names, _turns, _without_words) for file in files)
    notes = folder.parent / NOTES
    return count + (_blank(notes, names, _each_line, _nothing_of) if notes.exists() else 0)


_Places = list[tuple[int, bytes]]
"""Lines, with where they stand."""


def _blank(
    file: Path,
    names: Callable[[str], bool],
    parted: Callable[[bytes], Iterator[_Places]],
    blanked: Callable[[bytes], bytes],
) -> int:
    try:
        return _blanked(file, names, parted, blanked)
    except OSError as error:
        raise StorageError(
            f"{file} could not be changed: {reason_of(error)}", file=str(file), mend="Allow writing there."
        ) from error


def _blanked(
    file: Path,
    names: Callable[[str], bool],
    parted: Callable[[bytes], Iterator[_Places]],
    blanked: Callable[[bytes], bytes],
) -> int:
    count = 0
    with file.open("r+b") as changing:
        for lines in parted(changing.read()):
            if not any(names(text) for _, line in lines for text in _texts(_parsed(line), line)):
                continue
            for place, line in lines:
                changing.seek(place)
                changing.write(blanked(line))
                count += 1
        if count:
            changing.flush()
            os.fsync(changing.fileno())
    return count


def _turns(raw: bytes) -> Iterator[_Places]:
    """The lines of each turn: what the user said, and what follows it."""
    turn: _Places = []
    place = 0
    for line in raw.split(b"\n"):
        fields = _parsed(line)
        if fields is None or fields.get("role") == "user":
            yield turn
            turn = []
        if line:
            turn.append((place, line))
        place += len(line) + 1
    yield turn


def _each_line(raw: bytes) -> Iterator[_Places]:
    place = 0
    for line in raw.split(b"\n"):
        yield [(place, line)]
        place += len(line) + 1


def _nothing_of(line: bytes) -> bytes:
    return b" " * len(line)


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _texts(value: object, line: bytes = b"") -> Iterator[str]:
    """Every text within; of a line that is none of ours, the line."""
    if value is None:
        yield line.decode("utf-8", "replace")
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one if one is not None else "")
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one if one is not None else "")


def _without_words(line: bytes) -> bytes:
    """A line of the same length that is the same message without its words."""
    fields = _parsed(line)
    if fields is None:
        return _nothing_of(line)
    if isinstance(fields.get("call"), dict):
        fields["call"] = {**fields["call"], "arguments": "{}"}
    elif isinstance(fields.get("result"), dict):
        fields["result"] = {**fields["result"], "text": GONE}
    else:
        fields.pop("parts", None)
        fields["text"] = GONE
    fields.pop("name", None)
    fresh = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return fresh.ljust(len(line)) if len(fresh) <= len(line) else b" " * len(line)
