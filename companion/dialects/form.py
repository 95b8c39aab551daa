"""Bodies of ``multipart/form-data``: RFC 7578."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

_ESCAPED = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A"})


@dataclass(frozen=True, slots=True)
class FormPart:
    """A field, or a file where it has a file name."""

    name: str
    data: bytes
    file_name: str = ""
    mime_type: str = ""


def form_of(parts: Iterable[FormPart]) -> tuple[bytes, str]:
    """The body and its content type. The boundary comes of the content, so the same parts make the same body."""
    parts = tuple(parts)
    boundary = _boundary(parts)
    lines: list[bytes] = []
    for part in parts:
        lines += [b"--", boundary, b"\r\n", _head(part).encode(errors="replace"), b"\r\n\r\n", part.data, b"\r\n"]
    lines += [b"--", boundary, b"--\r\n"]
    return b"".join(lines), f"multipart/form-data; boundary={boundary.decode('ascii')}"


def _boundary(parts: tuple[FormPart, ...]) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.name.encode(errors="replace"))
        digest.update(part.data)
    return digest.hexdigest().encode("ascii")


def _head(part: FormPart) -> str:
    head = f'Content-Disposition: form-data; name="{part.name.translate(_ESCAPED)}"'
    if part.file_name:
        head += f'; filename="{part.file_name.translate(_ESCAPED)}"'
    return f"{head}\r\nContent-Type: {part.mime_type}" if part.mime_type else head
