"""Names of knowledge that a model may choose: each is one plain folder name, and cannot lead anywhere else."""

from __future__ import annotations

import re
import unicodedata

from companion.errors import BadName

LONGEST = 64
"""Characters."""
_LONGEST_BYTES = 200
_ALLOWED = re.compile(r"[\w][\w .\-]*", re.UNICODE)
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?$", re.IGNORECASE)
"""Windows gives these to devices."""


def safe_name(name: str) -> str:
    """``name`` as the folder it stands for.

    Raises:
        BadName: it is none.
    """
    plain = unicodedata.normalize("NFC", name).strip()
    is_short = 0 < len(plain) <= LONGEST and len(plain.encode("utf-8", "replace")) <= _LONGEST_BYTES
    is_plain = _ALLOWED.fullmatch(plain) is not None and not plain.endswith(".") and ".." not in plain
    if not is_short or not is_plain or _RESERVED.match(plain):
        raise BadName(
            "this cannot be the name of knowledge",
            name=name,
            mend=f"Use letters, digits, spaces, - and _, and no more than {LONGEST} of them.",
        )
    return plain
