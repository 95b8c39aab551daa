"""Bytes of a text file as characters, whatever they were written in.

The order of guesses: a byte order mark, what the file says of itself, UTF-16 by its zeros, UTF-8, GB 18030 where
bytes beyond ASCII come in pairs and make Chinese, and then Windows-1252, which reads nearly anything.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from companion.errors import FileUnreadable
from companion.knowledge.terms import HAN

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 64 * 1024
_ZEROS = 0.2
_ALONE = 0.1
_CHINESE = 0.9
_UNPRINTABLE = 0.02
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_HAN = re.compile(HAN + "|[\u3000-\u303f\uff00-\uffef]+")
_HIGH = re.compile(rb"[\x80-\xff]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class Decoded(NamedTuple):
    """text: with plain line feeds. note: what was guessed, for people; empty where nothing was."""

    text: str
    note: str


def decode(raw: bytes, *, declared: str = "") -> Decoded:
    """The characters of ``raw``. declared: the encoding that the file names.

    Raises:
        FileUnreadable: it is no text.
    """
    for encoding in _candidates(raw, declared):
        try:
            text = raw.decode(encoding)
        except (UnicodeError, LookupError, ValueError):
            continue
        if encoding == "gb18030" and not (_comes_in_pairs(raw) and _is_chinese(text)):
            continue
        return Decoded(_checked(text), "" if encoding in {"utf-8", "utf-8-sig"} else f"read as {encoding}")
    return Decoded(_checked(raw.decode("cp1252", errors="replace")), "read as cp1252")


def _candidates(raw: bytes, declared: str) -> list[str]:
    marked = [encoding for mark, encoding in _MARKS if raw.startswith(mark)]
    named = [declared] if _is_text_encoding(declared) else []
    return [*marked[:1], *named, *_wide(raw), "utf-8", "gb18030"]


def _is_text_encoding(name: str) -> bool:
    """Whether Python knows it as an encoding of characters: others unpack files, and some are slow by intent."""
    if not name or len(name) > 40 or not name.isascii():
        return False
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return False
    return found.startswith(
        ("utf-8", "utf-16", "iso8859", "cp", "windows", "gb", "big5", "euc", "shift", "koi8", "mac")
    )


def _wide(raw: bytes) -> list[str]:
    probe = raw[:_PROBE]
    if probe.count(0) < len(probe) * _ZEROS or not probe:
        return []
    return ["utf-16-le" if probe[1::2].count(0) > probe[::2].count(0) else "utf-16-be"]


def _comes_in_pairs(raw: bytes) -> bool:
    """Whether few bytes beyond ASCII stand alone, as the accents of a European text do."""
    runs = _HIGH.findall(raw[:_PROBE])
    return sum(len(run) == 1 for run in runs) <= sum(map(len, runs)) * _ALONE


def _is_chinese(text: str) -> bool:
    others = sum(map(len, _NOT_ASCII.findall(text)))
    return sum(map(len, _HAN.findall(text))) >= others * _CHINESE


def _checked(text: str) -> str:
    if len(_CONTROL.findall(text[:_PROBE])) > len(text[:_PROBE]) * _UNPRINTABLE:
        raise FileUnreadable("it is no text, or in an encoding that is not known")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " ")
