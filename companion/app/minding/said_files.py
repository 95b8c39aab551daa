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

from companion.errors import StorageError

FILES = ("*.messages.ndjson", "*.torn")
GONE = "…"
"""What stands in the place of words."""


def blank(folder: Path, names: Callable[[str], bool]) -> int:
    """Blank every turn of which some line holds a text that ``names`` tells of; how many lines.

    Raises:
        StorageError: a file could not be read or written; some may still hold it.
    """
    count = 0
    for file in sorted(one for pattern in FILES for one in folder.glob(pattern)):
        try:
            count += _blank(file, names)
        except OSError as error:
            raise StorageError(
                f"{file} could not be changed: {error.strerror or error}", file=str(file), mend="Allow writing there."
            ) from error
    return count


def _blank(file: Path, names: Callable[[str], bool]) -> int:
    count = 0
    with file.open("r+b") as changing:
        for turn in _turns(changing.read()):
            if not any(names(text) for _, line in turn for text in _texts(_parsed(line), line)):
                continue
            for place, line in turn:
                changing.seek(place)
                changing.write(_without_words(line))
                count += 1
        if count:
            changing.flush()
            os.fsync(changing.fileno())
    return count


def _turns(raw: bytes) -> Iterator[list[tuple[int, bytes]]]:
    """The lines of each turn with where they stand: what the user said, and what follows it."""
    turn: list[tuple[int, bytes]] = []
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
        return b" " * len(line)
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
