"""Takes what is to be forgotten out of the files of conversations, each line in its place.

A conversation that goes on appends to its file meanwhile, so that no file is written anew: a line is written over by
one that is as long. Its turn stays a turn, of which nobody can read what was said.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.app.minding.doomed import Doomed, SaidTurn, fields_of, texts_in, turn_of_lines
from companion.compose.entry import GONE
from companion.errors import StorageError, reason_of

SUFFIX = ".messages.ndjson"
FILES = (f"*{SUFFIX}", "*.torn")

Lines = list[tuple[int, bytes]]
"""Lines, with where they stand."""


def blank(folder: Path, doomed: Doomed) -> list[SaidTurn]:
    """Blank every turn that is doomed in the conversations of a folder; which they were.

    Raises:
        StorageError: a file could not be read or written; some may still hold it.
    """
    gone: list[SaidTurn] = []
    for file in _files(folder):
        gone += _blank(file, doomed, _turns, _reader(file), _without_words)
    return gone


def find(folder: Path, doomed: Doomed) -> list[SaidTurn]:
    """The turns that ``blank`` would blank.

    Raises:
        StorageError: a file could not be read.
    """
    found: list[SaidTurn] = []
    for file in _files(folder):
        try:
            raw = file.read_bytes()
        except OSError as error:
            raise StorageError(
                f"{file} could not be read: {reason_of(error)}", file=str(file), mend="Allow reading it."
            ) from error
        found += [turn for turn in map(_reader(file), _turns(raw)) if doomed.has(turn)]
    return found


def blank_notes(file: Path, doomed: Doomed) -> int:
    """Blank what the user has noted of answers that are doomed; how many notes.

    Raises:
        StorageError: as ``blank``.
    """
    return len(_blank(file, doomed, _each_line, _noted, _nothing_of)) if file.exists() else 0


def _files(folder: Path) -> list[Path]:
    return sorted(one for pattern in FILES for one in folder.glob(pattern))


def _reader(file: Path) -> Callable[[Lines], SaidTurn]:
    session = file.name.split(".")[0]
    return lambda lines: turn_of_lines(session, [line for _, line in lines])


def _blank(
    file: Path,
    doomed: Doomed,
    parted: Callable[[bytes], Iterator[Lines]],
    of: Callable[[Lines], SaidTurn],
    blanked: Callable[[bytes], bytes],
) -> list[SaidTurn]:
    gone: list[SaidTurn] = []
    try:
        with file.open("r+b") as changing:
            for lines in parted(changing.read()):
                turn = of(lines)
                if not doomed.has(turn):
                    continue
                gone.append(turn)
                for place, line in lines:
                    changing.seek(place)
                    changing.write(blanked(line))
            if gone:
                changing.flush()
                os.fsync(changing.fileno())
    except OSError as error:
        raise StorageError(
            f"{file} could not be changed: {reason_of(error)}", file=str(file), mend="Allow writing there."
        ) from error
    return gone


def _turns(raw: bytes) -> Iterator[Lines]:
    """The lines of each turn: what the user said, and what follows it."""
    turn: Lines = []
    place = 0
    for line in raw.split(b"\n"):
        fields = fields_of(line)
        if turn and (fields is None or fields.get("role") == "user"):
            yield turn
            turn = []
        if line:
            turn.append((place, line))
        place += len(line) + 1
    if turn:
        yield turn


def _each_line(raw: bytes) -> Iterator[Lines]:
    place = 0
    for line in raw.split(b"\n"):
        if line.strip():
            yield [(place, line)]
        place += len(line) + 1


def _noted(lines: Lines) -> SaidTurn:
    texts = [text for _, line in lines for text in texts_in(fields_of(line), line)]
    return SaidTurn("", "", tuple(texts))


def _nothing_of(line: bytes) -> bytes:
    return b" " * len(line)


def _without_words(line: bytes) -> bytes:
    """A line of the same length that is the same message without its words."""
    fields = fields_of(line)
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
