"""Bytes as text: base64 and data URLs (RFC 2397)."""

from __future__ import annotations

import base64
import binascii

from companion.errors import Unsupported, WireBroken
from companion.model.content import Link
from companion.stream import Blob


def base64_of(data: bytes) -> str:
    """The bytes in base64, in one line."""
    return base64.b64encode(data).decode("ascii")


def bytes_of(text: str, what: str) -> bytes:
    """The bytes of base64. what: the field it is from, for the error.

    Raises:
        WireBroken: it is none.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error) as error:
        raise WireBroken(f"{what} is not base64") from error


def data_url(blob: Blob) -> str:
    """The bytes as a URL."""
    kind = ";".join(part.strip() for part in blob.mime_type.split(";"))
    return f"data:{kind};base64,{base64_of(blob.data)}"


def url_of(media: Blob | Link) -> str:
    """Where it is; of bytes, a data URL."""
    return media.url if isinstance(media, Link) else data_url(media)


def blob_of(url: str, what: str) -> Blob | Link:
    """What a data URL holds; any other is only a place.

    Raises:
        WireBroken: it is a data URL that cannot be read.
    """
    if url[:5].lower() != "data:":
        return Link("application/octet-stream", url)
    head, comma, body = url[5:].partition(",")
    kind, _, encoding = head.rpartition(";")
    if not comma or encoding != "base64":
        raise WireBroken(f"{what} is a data URL without base64")
    return Blob(kind or "application/octet-stream", bytes_of(body, what))


def held_by(media: Blob | Link) -> Blob | Link:
    """The bytes, where they stand in a link themselves; of the kind that their URL says.

    Raises:
        Unsupported: it is a data URL that cannot be read.
    """
    if isinstance(media, Blob):
        return media
    try:
        held = blob_of(media.url, "a link")
    except WireBroken as error:
        raise Unsupported(str(error), mend="give its bytes") from error
    return held if isinstance(held, Blob) else media
