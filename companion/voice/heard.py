"""What the user really heard of a reply: the history holds this, and not what was generated."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.voice.contract import PlayedPiece

CHARACTERS_PER_SECOND = 15.0
"""Guess for a piece whose sound was not all made; a real pace of the same reply is better."""
WORD_SLACK = 0.05
"""Seconds a word's end may lie beyond what was heard."""
_WORD = re.compile(r"\S+\s*")
_WIDE = re.compile(r"[぀-ヿ一-鿿가-힯]")
_LOOSE_END = re.compile(r"[\s,;:，、；：…—–-]+$|\.{2,}$")


def heard_text(pieces: Sequence[PlayedPiece]) -> str:
    """The captions, cut behind the last word that was heard whole. Empty if there was none."""
    heard = ""
    for piece in pieces:
        if is_heard(piece):
            heard += piece.text
            continue
        partly = _words_within(piece.text, piece.played / _length(piece, pieces))
        return tidy_end(heard + partly) if partly.strip() else tidy_end(heard)
    return heard.strip()


def is_heard(piece: PlayedPiece) -> bool:
    """Whether all of the piece was heard."""
    return piece.whole and piece.played >= piece.seconds - WORD_SLACK


def wholly_heard(pieces: Sequence[PlayedPiece]) -> list[PlayedPiece]:
    """The pieces up to the first that was not heard to its end: a reply that goes on says that one again."""
    heard = []
    for piece in pieces:
        if not is_heard(piece):
            break
        heard.append(piece)
    return heard


def position_behind(written: str, pieces: Sequence[PlayedPiece]) -> int:
    """Where in the written text the pieces end. Captions follow it in order; some of it may be in none of them."""
    position = 0
    for piece in pieces:
        caption = piece.text.strip()
        found = written.find(caption, position) if caption else -1
        position = found + len(caption) if found >= 0 else position
    return position


def tidy_end(text: str) -> str:
    """Without what dangles behind the last word."""
    return _LOOSE_END.sub("", text.strip())


def _length(piece: PlayedPiece, pieces: Sequence[PlayedPiece]) -> float:
    """Seconds the whole piece takes to say."""
    if piece.whole:
        return max(piece.seconds, WORD_SLACK)
    told = [other for other in pieces if other.whole and other.seconds > 0]
    seconds = sum(other.seconds for other in told)
    pace = sum(len(other.text) for other in told) / seconds if seconds else CHARACTERS_PER_SECOND
    return max(len(piece.text) / max(pace, 1.0), piece.seconds, WORD_SLACK)


def _words_within(text: str, share: float) -> str:
    """The words that end within the first ``share`` of the text; characters, where words are not set apart."""
    reach = share * len(text)
    if _WIDE.search(text):
        return text[: int(reach)]
    behind = 0
    for word in _WORD.finditer(text):
        if len(word[0].rstrip()) + word.start() > reach:
            break
        behind = word.end()
    return text[:behind]
