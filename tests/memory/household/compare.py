"""Compares what was distilled with what the household expects, as README.md says it is fair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from memory.household.read import LANGUAGES, USER, Said, Triple, read_toml, words_of

from companion.memory.distil import Distilled, Forget
from companion.memory.facts import Triple as Found

WEIGHTLESS = frozenset("the a an my our their his her of in at on to and".split())
MORE_WORDS = 4
"""Words an object may have beside those of a right spelling."""
_EITHER_SIDE = frozenset(
    "is_partner_of is_sibling_of is_relative_of is_friend_of is_neighbour_of is_colleague_of lives_with".split()
)
_SAID_BY_A_ROLE = frozenset({"is_called", "is_a", "has_pet", "lives_with"})


@dataclass(slots=True)
class Score:
    """Counts over many utterances."""

    expected: int = 0
    found: int = 0
    stored: int = 0
    junk: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    ends: int = 0
    ended: int = 0
    dated: int = 0
    right_dates: int = 0
    forgets: int = 0
    forgot: int = 0

    @property
    def share_found(self) -> float:
        return self.found / max(self.expected, 1)

    @property
    def share_junk(self) -> float:
        return len(self.junk) / max(self.stored, 1)


def noon(said: Said) -> datetime:
    return datetime.combine(said.said_at, time(12), UTC)


def weighty(text: str, language: str) -> list[str]:
    words = words_of(text, language)
    if language == "zh":
        return words
    words = [word.removesuffix("'s") for word in words if word not in WEIGHTLESS]
    return [word.removesuffix("s") if len(word) > 3 else word for word in words]


def fits(found: Found, expected: Triple, language: str) -> bool:
    """Whether they say the same."""
    if found.relation != expected.relation:
        return False
    if _is(found.subject, expected.subject, language) and holds(found.object, expected.objects, language):
        return True
    is_swapped = found.relation in _EITHER_SIDE and _is(found.object, expected.subject, language)
    return is_swapped and any(_is(found.subject, one, language) for one in expected.objects)


def _is(name: str, other: str, language: str) -> bool:
    return name.casefold() == other.casefold() or weighty(name, language) == weighty(other, language) != []


def holds(text: str, spellings: Iterable[str], language: str) -> bool:
    words = weighty(text, language)
    wanted = [weighty(one, language) for one in spellings]
    return any(set(one) <= set(words) and len(words) <= len(one) + MORE_WORDS for one in wanted if one)


class Judge:
    """Counts what is right."""

    def __init__(self) -> None:
        vocabulary = read_toml("vocabulary.toml")
        self._single = {name for name, row in vocabulary["relations"].items() if row["holds"] == "one"}
        self._nothing = set(vocabulary["kinds"]["nothing"])
        self._roles = [
            (word.casefold(), name.removesuffix("_child"), language)
            for name, row in vocabulary["roles"].items()
            for language in LANGUAGES
            for word in row[language]
        ]

    def judge(self, said: Said, told: Distilled, score: Score) -> None:
        """Add one utterance."""
        stated = [one for one in told.triples if not one.ends]
        ended = [one for one in told.triples if one.ends]
        for expected in said.know:
            self._know(said, expected, stated, score)
        for expected in said.ends:
            score.ends += 1
            is_newer = expected.relation in self._single and any(
                one.relation == expected.relation and _is(one.subject, expected.subject, said.language)
                for one in stated
            )
            score.ended += is_newer or any(fits(one, expected, said.language) for one in ended)
        score.forgets += len(said.forget)
        score.forgot += sum(_forgotten(told.forget, what) for what in said.forget)
        self._junk(said, stated, [*ended, *told.forget] if said.kind in self._nothing else [], score)

    def _know(self, said: Said, expected: Triple, stated: Sequence[Found], score: Score) -> None:
        score.expected += 1
        right = [one for one in stated if fits(one, expected, said.language)]
        score.found += bool(right) or self._same_by_role(said, expected, stated)
        if not right:
            score.missed.append(f"{said.text}: {expected.subject} | {expected.relation} | {expected.object}")
        if right and (day := expected.on or expected.valid_from):
            score.dated += 1
            score.right_dates += any(one.valid_from and one.valid_from.isoformat().startswith(day) for one in right)

    def _same_by_role(self, said: Said, expected: Triple, stated: Sequence[Found]) -> bool:
        """(my sister, is_called, Emma) and (user, is_sibling_of, Emma)."""
        if expected.relation != "is_called":
            return False
        relations = self._relations_of(expected.subject, said.language)
        names = {one.casefold() for one in expected.objects}
        return any(
            one.relation in relations and names & {one.subject.casefold(), one.object.casefold()} for one in stated
        )

    def _relations_of(self, role: str, language: str) -> set[str]:
        return {name for word, name, spoken in self._roles if spoken == language and role.casefold().endswith(word)}

    def _junk(self, said: Said, stated: Sequence[Found], others: Sequence[object], score: Score) -> None:
        allowed = [*said.know, *said.may]
        for one in stated:
            score.stored += 1
            if not any(fits(one, expected, said.language) for expected in allowed) and not self._follows(one, said):
                score.junk.append(f"{said.text}: {one.subject} | {one.relation} | {one.object}")
        score.stored += len(others)
        score.junk += [f"{said.text}: {other}" for other in others]

    def _follows(self, one: Found, said: Said) -> bool:
        """Whether a role in the text, or the name it was given, says it already."""
        if not said.know and not said.may:
            return False
        names = {spelling.casefold() for known in said.know for spelling in (known.subject, *known.objects)}
        is_of_known = bool(names & {one.subject.casefold(), one.object.casefold()})
        text = said.text.casefold()
        has_role = any(
            word in text for word, name, spoken in self._roles if spoken == said.language and name == one.relation
        )
        is_kin = has_role and USER in (one.subject, one.object)
        return (
            is_kin
            or (is_of_known and one.relation.startswith("is_") and one.relation.endswith("_of"))
            or (is_of_known and one.relation in _SAID_BY_A_ROLE)
        )


def _forgotten(told: Sequence[Forget], what: str) -> bool:
    wanted = "" if what == "*" else what.casefold()
    return any(" | ".join(filter(None, (one.subject, one.relation, one.object))).casefold() == wanted for one in told)
