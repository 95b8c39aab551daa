"""A rule rewrites what a pattern finds; a language is a sequence of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]


def apply(rules: Iterable[Rule], text: str) -> str:
    """Rewrite ``text`` by each rule in turn. A rule that does not want a match gives it back unchanged."""
    for pattern, say in rules:
        text = pattern.sub(say, text)
    return text


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def word(pattern: str, words: str) -> Rule:
    """The rule that puts ``words`` for what ``pattern`` finds."""
    return (re.compile(pattern), lambda match: words)
