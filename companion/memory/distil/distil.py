"""What the user's own words tell, by patterns and at once: under a millisecond a turn, without a model.

Laws:

1. Only what the user says of themselves and of those around them, as it is. Questions, orders, jokes, quotes, hearsay,
   what might be and how things are at the moment store nothing.
2. A secret stores nothing at all of its utterance, not even what is said beside it.
3. Days are told by when it was said. An appointment or a plan holds from its beginning to its end.
4. What no longer holds is ended by a triple of its own; a relation that holds one thing at a time ends its older
   fact by itself.
"""

from __future__ import annotations

import re
from datetime import datetime

from companion.memory.distil import en, en_gate, zh, zh_gate
from companion.memory.distil.told import Distilled
from companion.memory.distil.zh_words import simple
from companion.memory.facts import Triple
from companion.memory.secrecy import why_secret_text

LONGEST = 600
"""Characters of an utterance that are read. What is longer was read out or pasted."""
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")
_AND_YOU = re.compile(r",? (?:and|what about|how about) you\s*\?$|[，,]?你呢[？?]$", re.IGNORECASE)
_ASKED = ("?", "？")
_SHORTEST_QUESTION = 4
"""Words, or signs of Chinese. A shorter one asks about what was just said ("isn't she?"), which then is in doubt."""


def distil(text: str, said_by: str, at: datetime, language: str) -> list[Triple]:
    """The facts in the user's words. said_by: the subject that stands for whoever speaks. at: with its zone."""
    return list(read(text, said_by, at, language).triples)


def read(text: str, said_by: str, at: datetime, language: str) -> Distilled:
    """The facts in the user's words, and what they want forgotten; ``distil`` gives the facts alone."""
    text = text.strip()
    if not text or len(text) > LONGEST or why_secret_text(text):
        return Distilled()
    if _is_chinese(text, language):
        return zh.read(_stated(text), said_by, at)
    return en.read(_stated(text), said_by, at)


def is_telling(text: str, language: str) -> bool:
    """Whether there may be a fact in it at all: no secret, no question, no order, no joke, nobody else's words."""
    text = text.strip()
    if not text or len(text) > LONGEST or why_secret_text(text):
        return False
    if _is_chinese(text, language):
        plain = simple(_stated(text))
        return not zh_gate.holds_nothing(plain, zh_gate.bare(plain))
    plain = _stated(text).lower().strip(" .!").replace("’", "'")
    return not en_gate.holds_nothing(plain, en_gate.by_doctor(en_gate.bare(plain)))


def _is_chinese(text: str, language: str) -> bool:
    return _CHINESE.search(text) is not None or language.startswith("zh")


def _stated(text: str) -> str:
    """What is stated beside a question ("I moved to Lyon. What can I bake?"); all of a text that does not do both.

    Nor is anything taken out of a text whose words are not meant as they stand: the question may be what tells.
    """
    text = _AND_YOU.sub("", text)
    sentences = [one for one in _SENTENCES.split(text) if one]
    asked = [one for one in sentences if one.endswith(_ASKED)]
    if not 0 < len(asked) < len(sentences) or any(_words(one) < _SHORTEST_QUESTION for one in asked):
        return text
    if en_gate.is_not_meant(text.lower().replace("’", "'")) or zh_gate.is_not_meant(simple(text)):
        return text
    return " ".join(one for one in sentences if one not in asked)


def _words(text: str) -> int:
    return len(text.split()) + len(_CHINESE.findall(text))
