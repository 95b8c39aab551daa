"""Joins the answer of one model to the beginning that another has said, without saying anything twice.

Who goes on for another may begin with its last words, with the whole answer again, or just go on, and some say first
that they will. The words are held back while they may still be a repetition, which is a few of them; what repeats is
cut. Only letters and digits count when words are compared, whatever their case and form: models keep neither spaces
nor quotation marks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_FEWEST = 8
"""Letters that are a repetition wherever they begin."""
_FEWEST_WORD = 2
"""And where they begin at the beginning of a word; of digits, and of letters that are words themselves, one is."""
_FEWEST_BEHIND = 6
"""And behind an opening."""
_WINDOW = 500
"""Of what was said, the end in which a repetition may begin; it may also begin at the beginning."""
_FEWEST_RESTART = 24
"""Letters from the beginning on that are a repetition of it, though what follows is something else."""
_OPENING = 80
"""Characters in which an opening ends ("Sure, here is the rest:")."""
_OPENING_ENDS = ":\n："
_MOST_HELD = 4096
"""Characters that are held back; far fewer are, unless somebody sends nothing but spaces."""
_QUOTES = "\"'`«»‹›“”„‘’‚「」『』"
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015"


class Joint:
    """Between ``said`` and what comes behind it. One per answer."""

    def __init__(self, said: str) -> None:
        self._said = said
        self._letters = "".join(map(_folded, said))
        self._starts = frozenset(_word_starts(said))
        self._repeats = [_Repeat(self._letters, self._starts)]
        """Of the whole that comes, and of what comes behind each end of an opening."""
        self._held = ""
        self._is_decided = not self._letters
        self._marks: list[str] = []
        """Marks behind the last letter that was said, which may be repeated too."""
        self._has_space = False
        """Whether what was said ends with the space that comes behind what repeats."""
        self._spaces = ""

    def feed(self, text: str) -> str:
        """What of the next words is to be said now."""
        if self._is_decided:
            return self._behind_marks(text)
        for letter in text:
            self._take(letter)
        return "" if self._may_repeat() else self._decide()

    def end(self) -> str:
        """What was held back, once nothing more comes."""
        if self._is_decided:
            spaces, self._spaces = self._spaces, ""
            return spaces
        for repeat in self._repeats:
            repeat.end()
        return self._decide()

    def _take(self, letter: str) -> None:
        self._held += letter
        for one in _folded(letter):
            for repeat in self._repeats:
                repeat.take(one)
        if letter in _OPENING_ENDS and self._may_be_opening():
            self._repeats.append(_Repeat(self._letters, self._starts, len(self._held)))

    def _may_repeat(self) -> bool:
        if len(self._held) > _MOST_HELD or self._repeats[0].length:
            return bool(self._repeats[0].open) and len(self._held) <= _MOST_HELD
        return any(repeat.open for repeat in self._repeats) or self._may_be_opening()

    def _may_be_opening(self) -> bool:
        """Whether it may be said first that the rest will come. That begins a sentence, where the rest goes on."""
        held = self._held.lstrip()
        return len(self._held) <= _OPENING and bool(held) and not held[0].islower() and _folded(held[0]) != ""

    def _decide(self) -> str:
        self._is_decided = True
        text, self._held = self._held, ""
        for repeat in self._repeats:
            if repeat.length:
                self._marks = _marks_behind(self._said)
                self._has_space = self._said[-1:].isspace()
                return self._behind_marks(text[_place_behind(text, repeat.begin, repeat.length) :])
            if repeat.restarted >= _FEWEST_RESTART:
                return text[_word_begin(text, _place_behind(text, repeat.begin, repeat.restarted)) :]
        return f" {text}" if _are_two_words(self._said, text) else text

    def _behind_marks(self, text: str) -> str:
        """The text without what repeats the marks and the space at the end of what was said."""
        text, self._spaces = self._spaces + text, ""
        while self._marks and text.strip():
            rest = text.lstrip()
            mark = self._marks.pop(0)
            if not _are_alike(rest[0], mark):
                self._marks.clear()
                break
            text = rest[1:]
        if self._marks:
            # Only spaces so far, and perhaps a mark behind them.
            self._spaces = text[:_MOST_HELD]
            return ""
        if self._has_space:
            text = text.lstrip()
            self._has_space = not text
        return text


class _Repeat:
    """Follows each repetition of ``letters`` that is still possible. begin: where in what comes it begins."""

    def __init__(self, letters: str, starts: frozenset[int], begin: int = 0) -> None:
        first = max(len(letters) - _WINDOW, 0)
        self._letters = letters
        self._starts = starts
        self.begin = begin
        self.open = [0, *range(max(first, 1), len(letters))]
        """Where in what was said a repetition may have begun that has not come to its end."""
        self.length = 0
        """Letters that come, and are all there was behind some place in what was said."""
        self.restarted = 0
        """Letters that come, and are those at the beginning of what was said."""
        self._count = 0

    def take(self, letter: str) -> None:
        at = self._count
        self._count += 1
        goes_on = [start for start in self.open if self._letters[start + at] == letter]
        if goes_on[:1] == [0]:
            self.restarted = self._count
        ended = {start for start in goes_on if start + self._count == len(self._letters)}
        if any(map(self._counts, ended)):
            self.length = self._count
        self.open = [start for start in goes_on if start not in ended]

    def end(self) -> None:
        """Nothing more comes."""
        if self.open[:1] == [0] and self._count:
            # Nothing came but the beginning of what was said.
            self.restarted = self._count
            self.length = max(self.length, self._count if self._count > _FEWEST_WORD else 0)
        self.open = []

    def _counts(self, start: int) -> bool:
        """Whether what began there and came to the end is more than chance."""
        length = len(self._letters) - start
        is_spelt = _is_spelt(self._letters[start])
        if self.begin and length < (_FEWEST_BEHIND if is_spelt else _FEWEST_WORD):
            return False
        return (
            start == 0 or length >= _FEWEST or (length >= (_FEWEST_WORD if is_spelt else 1) and start in self._starts)
        )


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    """The letters and digits of a character, without case, accents and width (Unicode Standard Annex 15)."""
    return "".join(one for one in unicodedata.normalize("NFKD", letter).casefold() if one.isalnum())


def _word_starts(said: str) -> Iterator[int]:
    """Where the words of a text begin, by the place among its letters."""
    place, before = 0, " "
    for letter in said:
        if unicodedata.combining(letter):
            continue
        if letter.isalnum() and not (before.isalnum() and _is_written_together(letter)):
            yield place
        place += len(_folded(letter))
        before = letter


def _marks_behind(said: str) -> list[str]:
    """What is neither letter nor space behind the last letter."""
    end = len(said)
    while end and not _folded(said[end - 1]):
        end -= 1
    return [letter for letter in said[end:] if not letter.isspace() and not unicodedata.combining(letter)]


def _are_alike(mark: str, other: str) -> bool:
    return mark == other or any(mark in kind and other in kind for kind in (_QUOTES, _DASHES))


def _place_behind(text: str, begin: int, count: int) -> int:
    """The place behind the first ``count`` letters from ``begin`` on, their accents with them."""
    place = begin
    while place < len(text) and (count > 0 or unicodedata.combining(text[place])):
        count -= len(_folded(text[place]))
        place += 1
    return place


def _word_begin(text: str, place: int) -> int:
    """The beginning of the word in whose middle ``place`` is, its spaces with it; where it is in none, the place."""
    begin = place
    while 0 < begin < len(text) and all(
        letter.isalnum() and _is_written_together(letter) for letter in text[begin - 1 : begin + 1]
    ):
        begin -= 1
    return place if begin == place else len(text[:begin].rstrip())


def _are_two_words(said: str, text: str) -> bool:
    """Whether a space is missing between them. A small letter may go on with a word that was cut."""
    last, first = said[-1:], text[:1]
    if not last or not first or last.isspace() or first.isspace() or not _is_written_together(first):
        return False
    return (first.isupper() and (last.islower() or last in ".!?…")) or (first.isalpha() and last in ",;:")


def _is_spelt(letter: str) -> bool:
    """Whether one of them says nothing yet."""
    return _is_written_together(letter) and not letter.isdigit()


def _is_written_together(letter: str) -> bool:
    """Whether it is of a script that writes words with several letters; each Chinese character is a word."""
    return letter < "\u2e80"
