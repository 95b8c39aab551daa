"""Pictures and sound as Google's services name them: sound without a head is ``audio/l16`` there, in our byte order."""

from __future__ import annotations

from companion.dialects.media import bytes_of
from companion.stream import Blob, canonical_mime, pcm
from companion.stream.chunk import PcmFormat

_PLAIN_SOUND = ("audio/l16", "audio/pcm")
_UNSAID = PcmFormat(0, 0)
UNKNOWN_KIND = "application/octet-stream"


def blob_of_part(mime_type: str, encoded: str, place: str, sound: PcmFormat = _UNSAID) -> Blob:
    """What the model made.

    encoded: in base64, of either alphabet. sound: rate in hertz and channels where they stand beside, 0 where not.

    Raises:
        WireBroken: it is not base64.
    """
    data = bytes_of(encoded.replace("-", "+").replace("_", "/"), place)
    kind = canonical_mime(mime_type) or UNKNOWN_KIND
    name, _, rest = kind.partition(";")
    if name not in _PLAIN_SOUND:
        return Blob(kind, data)
    named = dict(word.strip().split("=", 1) for word in rest.split(";") if "=" in word)
    rate = sound.rate or _number(named.get("rate", ""))
    return pcm(data, rate, sound.channels or _number(named.get("channels", "")) or 1) if rate else Blob(kind, data)


def _number(digits: str) -> int:
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 8 else 0
