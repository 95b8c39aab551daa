"""Where text on its way to speech may be cut.

Laws:

1. No piece is longer than 80 characters.
2. The first piece is a clause of at least 8 characters, or 4 where it ends strongly, so that sound
   starts early; later ones are sentences where they fit, so that they sound whole.
3. Of what is there, a piece is the longest prefix that ends in a boundary.
4. "." "," and ":" between two digits are no boundary, even while the second digit is still to come.

Chinese, Japanese and Korean say more with fewer characters and get a shorter first piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 80
"""Characters of any piece."""
FIRST_LEAST = 8
FIRST_LEAST_STRONG = 4
_FIRST_ROOM = 80
"""Of the first piece, in halves of a Latin character: 40 of those, or 16 of CJK."""
BREATH_LEAST = 16
"""Characters before the place where a speaker may draw breath inside a long clause."""
_LATIN, _CJK = 2, 5

_WIDE = re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\U00020000-\U0003ffff]")
_READABLE = re.compile(r"[^\W_]")
_CLOSERS = r"[\"'”’»)\]）】」』*_`~]*"
_MARK = re.compile(
    rf"(?P<stop>(?:[。！？…!?]|\.{{2,}}(?!\S))+{_CLOSERS})|(?P<line>[ \t]*[\r\n]\s*)"
    rf"|(?P<period>\.{_CLOSERS}(?=[\s\u3000-\u9fff]))"
    rf"|(?P<weak>[，；：、．～]|~+(?=[\s\u3000-\u9fff])|[,;:]+{_CLOSERS}(?!\S)|[ ][—–-](?=\s)|—+(?=.))"
)
_LAST_WORD = re.compile(r"(?:^|[\s(\"'“‘\[（])([^\W\d_][\w.]*)\Z")
_LIST_NUMBER = re.compile(r"(?:\A|\n)\s*(?:\d{1,3}|[A-Za-z])\Z")
_NEXT = re.compile(r"\s*[\"'“‘(\[]*(\S)?")
_DOTTED = re.compile(r"(?:\w\.)+\w")
_SPACE = re.compile(r"\s")
_BREATH = re.compile(
    r"\s+(?=(?:and|or|but|because|so|which|who|that|where|when|while|if|with|without|for|from|in|on|at|by|into|about"
    r"|between|than|to)\s)"
)
"""Before these words people pause where a sentence is long."""

_TITLES = frozenset(
    "dr mr mrs ms mx prof rev hon gen col sgt capt lt gov sen rep pres st mt ft vs cf al e.g i.e eg ie "
    "approx ca dept est ext bzw z.b d.h u.a bspw p.ex m mme".split()
)
"""A sentence never ends behind these."""
_BEFORE_NUMBER = frozenset("no nos nr fig figs vol p pp ch sec art".split())
"""A sentence ends behind these unless a number follows."""
_MAYBE = frozenset(
    "etc inc ltd co corp bros jr sr ph.d m.d b.a m.a a.m p.m am pm u.s u.k u.n e.u d.c ave blvd rd usw jan feb mar apr "
    "jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun min max hr hrs oz lb lbs in".split()
)
"""A sentence ends behind these if the next word begins with a capital."""


class _Boundary(NamedTuple):
    at: int
    is_strong: bool


def cut_at(text: str, *, is_first: bool) -> int:
    """How much of the front of ``text`` makes a piece; 0 if more text is needed to know.

    Takes the longest prefix that ends in a boundary; else breaks a long first clause, and any text
    over the limit, at a weak boundary, before a linking word, between words or, as the last resort, at
    the limit.
    """
    limit = min(len(text), LONGEST)
    boundaries = [end for end in _boundaries(text[: limit + 1]) if end.at <= limit]
    good = [end.at for end in boundaries if _is_piece(text, end, is_first)]
    early = _reach(text, _FIRST_ROOM) if is_first else limit
    near = [at for at in good if at <= early]
    if near:
        return near[-1]
    breath = _breath(text, early) if is_first and early < len(text) else 0
    if breath or good:
        return breath or good[0]
    if limit == len(text):
        return 0
    weak = [end.at for end in boundaries if _is_piece(text, end, is_first, is_over=True)]
    return weak[-1] if weak else _breath(text, limit) or _space(text, limit, is_first) or limit


def _reach(text: str, room: int) -> int:
    """How many characters of ``text`` have room."""
    longest = room // _LATIN
    if not _WIDE.search(text, 0, longest):
        return min(len(text), longest)
    for place, sign in enumerate(text):
        room -= _CJK if _WIDE.match(sign) else _LATIN
        if room < 0:
            return place
    return len(text)


def _is_piece(text: str, end: _Boundary, is_first: bool, *, is_over: bool = False) -> bool:
    """Whether ``end`` ends a piece. is_over: there is more text than fits into one."""
    words = text[: end.at].strip()
    if not _READABLE.search(words):
        return False
    if not is_first:
        return end.is_strong or is_over
    return len(words) >= (FIRST_LEAST_STRONG if end.is_strong else FIRST_LEAST)


def _boundaries(text: str) -> Iterator[_Boundary]:
    for mark in _MARK.finditer(text):
        match mark.lastgroup:
            case "period":
                if _ends_sentence(text, mark.start(), mark.end()):
                    yield _Boundary(mark.end(), is_strong=True)
            case "weak":
                if not _between_digits(text, mark.start(), mark.end()):
                    yield _Boundary(mark.end(), is_strong=False)
            case "stop":
                if not _goes_on(text, mark.end()):
                    yield _Boundary(mark.end(), is_strong=True)
            case _:
                yield _Boundary(mark.end(), is_strong=True)


def _goes_on(text: str, end: int) -> bool:
    """Whether a "!" or "?" stands inside a word, as in "a!=b"."""
    return (
        text[end - 1] in "!?"
        and end < len(text)
        and (text[end] == "=" or (text[end].isascii() and text[end].isalnum()))
    )


def _ends_sentence(text: str, stop: int, end: int) -> bool:
    before = text[max(0, stop - 20) : stop]
    if _LIST_NUMBER.search(before):
        return False
    word = _LAST_WORD.search(before)
    if word is None:
        return True
    name = word[1].lower()
    following = _NEXT.match(text, end)
    sign = following[1] if following else None
    if name in _BEFORE_NUMBER:
        return sign is not None and not sign.isdigit()
    if name in _MAYBE:
        is_new_line = "\n" in text[end : end + 2]
        return is_new_line or (sign is not None and not sign.islower() and not sign.isdigit())
    is_initial = len(name) == 1 and name != "i"
    return not is_initial and name not in _TITLES and _DOTTED.fullmatch(name) is None


def _between_digits(text: str, start: int, end: int) -> bool:
    """Also when the digit that may follow is still to come."""
    return text[start - 1 : start].isdigit() and (end == len(text) or text[end].isdigit())


def _breath(text: str, early: int) -> int:
    """Where a clause that is too long to wait for may be spoken up to; 0 for nowhere."""
    start = len(text) - len(text.lstrip())
    places = [breath.start() for breath in _BREATH.finditer(text, start + BREATH_LEAST, early)]
    return places[-1] if places else 0


def _space(text: str, limit: int, is_first: bool) -> int:
    """Where the last word that fits ends; 0 for nowhere."""
    start = len(text) - len(text.lstrip())
    least = FIRST_LEAST if is_first else 1
    return max((space.end() for space in _SPACE.finditer(text, start + least, limit)), default=0)
