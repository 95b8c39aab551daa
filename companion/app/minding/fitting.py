"""Which of the facts that were recalled answer a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.talents.memory import NAME
from companion.talents.memory_phrases import USER

if TYPE_CHECKING:
    from companion.memory.facts import Fact, Hit

_KIN = re.compile(r"is_\w+_of$")
NEAR = 0.5
"""How good an answer must be beside the best."""


def fits(hit: Hit, question: str) -> bool:
    """Whether a fact has to do with a question, and is not only one of the many about the user."""
    return is_asked(hit) or bool(_words(question) & _words(f"{hit.fact.subject} {hit.fact.object}"))


def is_asked(hit: Hit) -> bool:
    """Whether the question asks for its relation."""
    return hit.reason.startswith("asked")


def best_answers(hits: Sequence[Hit], question: str, roles: Sequence[str], known: Sequence[str]) -> list[Fact]:
    """The facts that answer a question, those first whose relation is asked for.

    roles: whom it is about, besides the user ("my sister"). known: the same with what they are called.
    """
    if not roles:
        fitting = [hit for hit in hits if fits(hit, question)]
    else:
        fitting = [hit for hit in hits if _touches(hit, known)] or [hit for hit in hits if _is_role(hit, roles)]
    best = max((hit.score for hit in fitting), default=0.0)
    near = [hit for hit in fitting if hit.score >= NEAR * best or is_asked(hit) or hit.fact.relation == NAME]
    return [hit.fact for hit in sorted(near, key=lambda hit: not is_asked(hit))]


def _touches(hit: Hit, names: Sequence[str]) -> bool:
    ends = {hit.fact.subject.casefold(), hit.fact.object.casefold()}
    said = _words(f"{hit.fact.subject} {hit.fact.object}")
    return any(name.casefold() in ends or _words(name) <= said for name in names if _words(name))


def _is_role(hit: Hit, roles: Sequence[str]) -> bool:
    """Whether it is what the user has, by that word: "my dentist" is whoever the user's ``dentist`` is."""
    from companion.memory.predicates import relations_asked_by

    said = [word.casefold() for role in roles for word in role.split()] + [role.removeprefix("我") for role in roles]
    asked = {relation for word in said for relation in (word, *relations_asked_by(word))}
    relation = hit.fact.relation
    if hit.fact.subject != USER or _KIN.match(relation):  # a brother is no answer to who the sister is
        return False
    words = set(relation.split("_")) - {"is", "of", "in", "at", "on"}
    return relation in asked or bool(words & set(said))


def _words(text: str) -> set[str]:
    from companion.memory.words import asked_words

    return set(asked_words(text))
