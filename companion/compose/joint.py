"""Joins the answer of one model to the beginning that another has said, without saying anything twice.

Who goes on for another may begin with its last words, with the whole answer again, or just go on. The words are held
back while they may still be a repetition, which is a few of them; what repeats is cut. Spaces do not count when words
are compared, as models do not keep them.
"""

from __future__ import annotations

_FEWEST = 12
"""Letters without spaces that are a repetition wherever they begin."""
_FEWEST_WORD = 3
"""And where they begin at the beginning of a word."""
_WINDOW = 500
"""Of what was said, the end in which a repetition may begin; it may also begin at the beginning."""
_FEWEST_RESTART = 24
"""Letters from the beginning on that are a repetition of it, though what follows is something else."""


class Joint:
    """Between ``said`` and what comes behind it. One per answer."""

    def __init__(self, said: str) -> None:
        self._said = said
        self._letters = [letter for letter in said if not letter.isspace()]
        self._starts = self._word_starts()
        first = max(len(self._letters) - _WINDOW, 0)
        self._open = [0, *range(max(first, 1), len(self._letters))]
        """Where in what was said a repetition may have begun that has not come to its end."""
        self._best = 0
        """Letters that come, and are all there was behind some place in what was said."""
        self._restarted = 0
        """Letters that come, and are those at the beginning of what was said."""
        self._count = 0
        self._held: list[str] = []
        self._is_decided = not self._letters
        self._has_space = False
        """Whether what was said ends with the space that comes behind what repeats."""

    def feed(self, text: str) -> str:
        """What of the next words is to be said now."""
        if self._is_decided:
            return self._spaced(text)
        self._held.append(text)
        for letter in text:
            if not letter.isspace():
                self._take(letter)
        return "" if self._open else self._decide()

    def end(self) -> str:
        """What was held back, once nothing more comes."""
        if self._is_decided:
            return ""
        if 0 in self._open:
            # Nothing came but the beginning of what was said.
            self._restarted = self._count
            self._best = max(self._best, self._count if self._count >= _FEWEST_WORD else 0)
        return self._decide()

    def _take(self, letter: str) -> None:
        """Follow each repetition that is still possible by one letter."""
        at = self._count
        self._count += 1
        goes_on = [start for start in self._open if self._letters[start + at] == letter]
        if 0 in self._open and 0 in goes_on:
            self._restarted = self._count
        ended = [start for start in goes_on if start + self._count == len(self._letters)]
        for start in ended:
            if self._counts(start):
                self._best = max(self._best, self._count)
        self._open = [start for start in goes_on if start not in ended]

    def _counts(self, start: int) -> bool:
        """Whether what began there and came to the end is more than chance."""
        length = len(self._letters) - start
        return start == 0 or length >= _FEWEST or (length >= _FEWEST_WORD and start in self._starts)

    def _decide(self) -> str:
        self._is_decided = True
        text = "".join(self._held)
        self._held.clear()
        if self._best:
            self._has_space = self._said[-1:].isspace()
            return self._spaced(text[_place_behind(text, self._best) :])
        if self._restarted >= _FEWEST_RESTART:
            return text[_word_begin(text, _place_behind(text, self._restarted)) :]
        return text

    def _spaced(self, text: str) -> str:
        if self._has_space:
            text = text.lstrip()
            self._has_space = not text
        return text

    def _word_starts(self) -> set[int]:
        starts: set[int] = set()
        place, before = 0, " "
        for letter in self._said:
            if not letter.isspace():
                if letter.isalnum() and not (before.isalnum() and _is_spelt(letter)):
                    starts.add(place)
                place += 1
            before = letter
        return starts


def _place_behind(text: str, count: int) -> int:
    """The place behind the first ``count`` letters that are no spaces."""
    for place, letter in enumerate(text):
        if count == 0:
            return place
        count -= not letter.isspace()
    return len(text)


def _word_begin(text: str, place: int) -> int:
    """The beginning of the word in whose middle ``place`` is, its spaces with it; where it is in none, the place."""
    begin = place
    while 0 < begin < len(text) and all(
        letter.isalnum() and _is_spelt(letter) for letter in text[begin - 1 : begin + 1]
    ):
        begin -= 1
    return place if begin == place else len(text[:begin].rstrip())


def _is_spelt(letter: str) -> bool:
    """Whether it is of a script that writes words with several letters; each Chinese character is a word."""
    return letter < "\u2e80"
