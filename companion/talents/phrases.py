"""What the talents say, by language."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from companion.talents.spoken.language import is_chinese


class Phrases:
    """The sentences of one talent, each in English and in Chinese, with ``{blanks}``."""

    def __init__(self, sentences: Mapping[str, tuple[str, str]]) -> None:
        self._sentences = sentences

    def say(self, key: str, language: str, **blanks: str) -> str:
        """The sentence of that key, its blanks filled and its first letter a capital."""
        said = self._sentences[key][is_chinese(language)].format(**blanks)
        return said[:1].upper() + said[1:]

    def frequent(self, language: str) -> tuple[str, ...]:
        """The sentences without blanks: always the same, so worth synthesising beforehand."""
        spoken = dict.fromkeys(pair[is_chinese(language)] for pair in self._sentences.values())
        return tuple(sentence for sentence in spoken if sentence and not _has_blanks(sentence))


def _has_blanks(sentence: str) -> bool:
    return any(name is not None for _, name, _, _ in Formatter().parse(sentence))
