"""Answers damaged at random, as lines, gateways and careless servers damage them; for the examination of dialects."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_VALUE = re.compile(rb"[0-9]+|true|false|null|\"[a-z_]*\"")


def damaged(data: bytes, dice: random.Random) -> bytes:
    """``data`` with one to three faults of the line, of JSON and of the protocol."""
    for _ in range(dice.randint(1, 3)):
        data = dice.choice(_FAULTS)(data, dice) or data
    return data


def _flipped(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def _left_out(data: bytes, dice: random.Random) -> bytes:
    at, size = dice.randrange(len(data)), dice.choice((1, 2, 7, 40, 400))
    return data[:at] + data[at + size :]


def _doubled(data: bytes, dice: random.Random) -> bytes:
    at, size = dice.randrange(len(data)), dice.choice((1, 3, 30, 300))
    return data[: at + size] + data[at:]


def _inserted(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + dice.choice(_NOISE) + data[at:]


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(1, len(data) + 1)]


def _line_moved(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(dice.randrange(len(lines)))
    lines.insert(dice.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _other_kind(data: bytes, dice: random.Random) -> bytes:
    """A value of JSON with one of another kind in its place."""
    places = [found.span() for found in _VALUE.finditer(data)]
    if not places:
        return data
    start, end = dice.choice(places)
    return data[:start] + dice.choice(_VALUES) + data[end:]


_NOISE = (
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\0",
    b"\xff",
    b"\xc3",
    b'"',
    b"{",
    b"}",
    b"[",
    b"data: {}\n\n",
    b": hi\n",
    b"data: [DONE]\n\n",
    b"\ndata: null\n\n",
    b"\\ud800",
    b"[" * 3000,
    b"event: error\n",
    b"1e999",
    b"NaN",
    b"\xe2\x80\xa8",
)
_VALUES = (
    b"null",
    b"-1",
    b"1e999",
    b"NaN",
    b"9" * 400,
    b"1.5",
    b"true",
    b'""',
    b"{}",
    b"[]",
    b"[null]",
    b'[{"a": []}]',
    b'"\\ud83d"',
    b'{"type": null}',
)
_FAULTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flipped,
    _left_out,
    _doubled,
    _inserted,
    _cut,
    _line_moved,
    _other_kind,
    _other_kind,
)
