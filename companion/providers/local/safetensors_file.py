"""One table of numbers out of a safetensors file, mapped into memory and not read until it is used.

Source: Hugging Face, "Safetensors", "Format": eight bytes of length (little-endian), a head of JSON that says where
each tensor lies behind it, then the numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.errors import ModelBroken

_LENGTH = 8
_LONGEST_HEAD = 1 << 20
_TYPES = {"F16": "<f2", "F32": "<f4"}


def table_of(file: Path) -> NDArray[Any]:
    """The only tensor of ``file``, which has rows and columns of 16 or 32 bit floats.

    Raises:
        ModelBroken: it is no such file.
    """
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            length = int.from_bytes(opened.read(_LENGTH), "little")
            if not 0 < length <= min(_LONGEST_HEAD, size - _LENGTH):
                raise ValueError("its head is cut or too long")
            head = json.loads(opened.read(length))
        kind, shape, start = _only(head, size - _LENGTH - length)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelBroken(
            f"{file} holds no table of numbers: {error}", mend="check its files with: companion models verify"
        ) from error
    return np.memmap(file, dtype=kind, mode="r", offset=_LENGTH + length + start, shape=shape)


def _only(head: dict[str, Any], room: int) -> tuple[str, tuple[int, int], int]:
    """Type, shape and offset of the only tensor of a head, whose numbers take ``room`` bytes at most."""
    (tensor,) = (entry for name, entry in head.items() if name != "__metadata__")
    kind, (rows, columns), (start, end) = _TYPES[tensor["dtype"]], tensor["shape"], tensor["data_offsets"]
    if not all(isinstance(number, int) and number >= 0 for number in (rows, columns, start, end)):
        raise ValueError("a size in its head is none")
    if not rows or not columns or end > room or end - start != rows * columns * int(kind[-1]):
        raise ValueError("its head and its size do not agree")
    return kind, (rows, columns), start
