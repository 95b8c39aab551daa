"""The words a text is found by, and those a question asks for.

SQLite's index takes words between spaces. Chinese and Japanese have none, so their runs are written as pairs of
neighbouring characters, and the last character once more alone: every character begins exactly one term, which is
how a question of a single character finds it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

HAN = "[\u3005\u3007\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+"
"""A run of characters that are written without spaces."""

QUERY_LENGTH = 2_000
"""Characters of a question that are read."""
MOST_TERMS = 48

_RUN = re.compile(HAN)
_WORD = re.compile(r"\w+")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_COMMON = frozenset(
    """a about after all also am an and any are as at be been before but by can could did do does for from give had has
    have he her here him his how i if in into is it its just me my no not of on or our out over please she should show
    so some than that the their them then there these they this to too under up us was we were what when where which
    who whom whose why will with would you your tell""".split()
)
_COMMON_HAN = frozenset(
    "的了吗呢吧啊呀是在我你您他她它们这那有和与及或也都就不很什么怎哪几多少谁为请问把被给到从说要会能可以个一下"
)


class Asked(NamedTuple):
    """What a question asks for. words: any of them will do. single: characters that may begin any word."""

    words: tuple[str, ...]
    single: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Full-width forms and ligatures as ordinary characters."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def index_text(text: str) -> str:
    """``text`` as it goes into the index: words cut at the end of a line are joined, runs become pairs."""
    joined = _BROKEN_WORD.sub("", plain(text)) if "-\n" in text else plain(text)
    return joined if joined.isascii() else _RUN.sub(_as_pairs, joined)


def _as_pairs(run: re.Match[str]) -> str:
    return f" {' '.join(_pairs(run[0]))} {run[0][-1]} "


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


def asked_for(question: str) -> Asked:
    """The terms of a question: without words that say nothing, unless it has no others."""
    text = plain(question[:QUERY_LENGTH])
    runs: list[str] = _RUN.findall(text)
    words = [word.casefold() for word in _WORD.findall(_RUN.sub(" ", text))]
    pairs = [pair for run in runs for pair in _pairs(run)]
    telling = [word for word in words if word not in _COMMON]
    telling += [pair for pair in pairs if not _COMMON_HAN.issuperset(pair)]
    characters = [character for run in runs for character in run]
    single = [character for character in characters if character not in _COMMON_HAN]
    if not telling and not single:
        telling, single = words + pairs, characters
    return Asked(_few(telling), _few(single))


def _few(terms: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms))[:MOST_TERMS]


def match_any(words: tuple[str, ...]) -> str:
    """A question to FTS5 for any of the words; quotes make them words and nothing else."""
    return " OR ".join(_quoted(word) for word in words)


def match_beginnings(characters: tuple[str, ...]) -> str:
    """A question to FTS5 for any term that begins with one of the characters."""
    return " OR ".join(f"{_quoted(character)} *" for character in characters)


def _quoted(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"'
