"""Takes out of one piece of text what is meant for eyes: markdown of a line, emphasis, emoji, faces."""

from __future__ import annotations

import re
import unicodedata

from companion.voice.say.rules import Rule, apply

HIDDEN = "\ue000"
"""Stands where a web address was: a private-use character that no voice reads."""

_MARKUP = re.compile(r"[#*_`~|>+•◦▪‣●–—\[\]\n\r\\<-]|^\s*\d+[.)]\s")
_FANCY = re.compile(r"[^\x00-\x7f]")
_FACE = re.compile(r"(?<!\S)(?:[:;=8][-'’^]?[()\[\]DPpOo3*|/\\]+|<3|[xX]D|\^_*\^|¯\\_\(ツ\)_/¯)(?![\w])")
_EMOJI = re.compile(
    "[\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f\u00a9\u00ae\u2122\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff\u20e3"
    "\ue001-\uf8ff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+"
)
_ARROWS = str.maketrans(dict.fromkeys("→⇒➔➜⟶", " → ") | dict.fromkeys("←⇐⟵", " ← "))
_FULL_WIDTH = str.maketrans(
    {chr(0xFF01 + place): chr(0x21 + place) for place in (*range(15, 25), *range(32, 58), *range(64, 90))}
)
_SUPERSCRIPTS = "²³"
_RAISED = re.compile(r"(?:(?<=[\d)])|(?<=\b[A-Za-z]))(?:[⁻⁺][⁰¹²³⁴-⁹]+|[⁰¹²³⁴-⁹]{2,}|[⁰⁴-⁹])")
"""Powers; one raised ¹ is a note."""
_LOWERED = str.maketrans("⁻⁺", "-+")

_RULER = re.compile(r"\s*(?:[-*_=]\s*){3,}$|\s*\|?(?:\s*:?-{2,}:?\s*\|?)+$")
_LEAD = re.compile(r"\s*(?:>\s?)*\s*(?:#{1,6}(?=\s|$)|[-*+•◦▪‣●–](?=\s|$)|(\d{1,3})[.)](?=\s))?\s*(?:\[[ xX]\]\s)?")
_CELLS = re.compile(r"\s*\|[\s|]*")
_STOPPED = re.compile(r"[.!?:;,。！？：；，、…]['\"”’)\]*_`]*\s*$")

_EMPHASIS: tuple[Rule, ...] = (
    (re.compile(r"(?<=\d)\s?\*\s?(?=\d)|(?<=\w) \* (?=\w)"), lambda match: " × "),
    (re.compile(r"[*`]+|~~+"), lambda match: ""),
    (re.compile(r"(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)"), lambda match: ""),
    (re.compile(r"(?<=\w)_+(?=\w)(?![\w.+-]{0,64}@\w)"), lambda match: " "),
    (re.compile(r"\\(?=[!-/:-@\[-`{-~])"), lambda match: ""),
)
_BRACKETS = re.compile(rf"[(（\[【<][^()（）\[\]【】<>{HIDDEN}]*{HIDDEN}[^()（）\[\]【】<>]*[)）\]】>]")
_BARE = re.compile(rf"\s*{HIDDEN}\s*")
_SPACES = re.compile(r"\s+")
_LOOSE = re.compile(r" +([,.!?;:，。！？；：])|([(\[（]) +|\(\s*\)|\[\s*\]|（\s*）")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&apos;": "'", "&nbsp;": " "}
_ENTITY = re.compile("|".join(_ENTITIES))


def tidy(text: str, *, stop: str = ".", line_start: bool = True) -> str:
    """One line of words without marks. Lines that end without punctuation get ``stop``.

    line_start: whether ``text`` begins a line, so that a leading "-" is a bullet and not a dash.
    """
    if "&" in text:
        text = _ENTITY.sub(lambda match: _ENTITIES[match[0]], text)
    text = _FACE.sub("", text)
    if _FANCY.search(text):
        text = _plain_signs(text)
    if _MARKUP.search(text):
        text = _lines(text, stop, line_start)
        text = apply(_EMPHASIS, text)
    return _LOOSE.sub(_closed_up, _SPACES.sub(" ", text)).strip()


def _closed_up(match: re.Match[str]) -> str:
    return match[1] or match[2] or ""


def _plain_signs(text: str) -> str:
    text = _RAISED.sub(_power, text)
    if any(map(_is_foreign_digit, text)):
        text = "".join(map(_plain_digit, text))
    text = _EMOJI.sub("", text.translate(_ARROWS)).translate(_FULL_WIDTH)
    if HIDDEN in text:
        text = _BARE.sub(" ", _BRACKETS.sub("", text))
    return text


def _power(match: re.Match[str]) -> str:
    digits = match[0].translate(_LOWERED).lstrip("+")
    return "^" + "".join(sign if sign == "-" else str(unicodedata.digit(sign)) for sign in digits)


def _is_foreign_digit(sign: str) -> bool:
    return sign > "\x7f" and sign.isdigit() and sign not in _SUPERSCRIPTS


def _plain_digit(sign: str) -> str:
    return str(unicodedata.digit(sign)) if _is_foreign_digit(sign) else sign


def _lines(text: str, stop: str, line_start: bool) -> str:
    lines = text.splitlines()
    ended = text[-1:] in "\r\n"
    said: list[str] = []
    for place, line in enumerate(lines):
        words = _line(line) if place or line_start else line.strip()
        is_last = place == len(lines) - 1
        if words and not _STOPPED.search(words) and (ended or not is_last):
            words += stop
        said.append(words)
    return " ".join(filter(None, said))


def _line(line: str) -> str:
    if _RULER.match(line):
        return ""
    lead = _LEAD.match(line)
    assert lead is not None
    words = (f"{lead[1]}, " if lead[1] else "") + line[lead.end() :].strip()
    return _CELLS.sub(", ", words.strip("| \t").rstrip()) if "|" in words else words
