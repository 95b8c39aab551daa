"""The test household is sound: what it expects is in what is said, its words are closed, its counts are as promised."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest
from memory.household.read import LANGUAGES, USER, Said, Triple, facts, is_known, kinds, triple, vocabulary, words_of

LEAST = {"en": 350, "zh": 200}
DAYS = {
    "en": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    "zh": [f"(?:周|週|礼拜|星期|禮拜)[{day}]" for day in ("一", "二", "三", "四", "五", "六", "日天")],
}
OF_NO_WEIGHT = {"the", "a", "an", "my", "our", "their", "his", "her", "of", "in", "at", "on", "to", "and"}


def every() -> list[Said]:
    return [said for language in LANGUAGES for said in facts(language)]


def every_triple() -> list[tuple[Said, Triple]]:
    return [(said, one) for said in every() for one in (*said.know, *said.may, *said.ends)]


def occurs(phrase: str, said: Said) -> bool:
    """Every weighty word of the phrase is in the text; "emma's" says "emma" and "dogs" says "dog"."""
    heard = words_of(said.text, said.language)
    if said.language == "zh":
        return set(words_of(phrase, "zh")) <= set(heard)
    heard += [word.removesuffix("'s").removesuffix("'d") for word in heard] + [word.removesuffix("s") for word in heard]
    return all(word in heard for word in words_of(phrase, "en") if word not in OF_NO_WEIGHT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_as_many_utterances_as_promised(language: str) -> None:
    assert len(facts(language)) >= LEAST[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_in_five_utterances_hold_nothing(language: str) -> None:
    said = facts(language)

    assert sum(one.holds_nothing for one in said) >= 0.4 * len(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_is_there_more_than_once(language: str) -> None:
    counted = Counter(one.kind for one in facts(language))

    assert set(counted) <= {kind for group in kinds().values() for kind in group}
    assert all(counted[kind] >= 2 for kind in kinds()["nothing"])
    assert all(counted[kind] >= 2 for kind in kinds()["fact"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_utterance_is_there_twice(language: str) -> None:
    counted = Counter(one.text.lower() for one in facts(language))

    assert [text for text, count in counted.items() if count > 1] == []


def test_small_talk_expects_nothing() -> None:
    assert [one.text for one in every() if one.kind in kinds()["nothing"] and not one.holds_nothing] == []


def test_what_holds_facts_expects_something() -> None:
    assert [one.text for one in every() if one.kind in kinds()["fact"] and one.holds_nothing and not one.may] == []


def test_every_relation_is_in_the_vocabulary() -> None:
    relations = vocabulary()

    assert [one for _, one in every_triple() if not is_known(one.relation, relations)] == []
    assert set(relations.values()) == {"one", "many"}


def test_every_relation_of_the_vocabulary_is_used() -> None:
    used = {one.relation for _, one in every_triple()}

    assert {name for name in vocabulary() if name not in used} == {"favourite_*"}


def test_every_subject_is_the_speaker_or_in_the_text() -> None:
    expected = [(said, one) for said in every() for one in (*said.know, *said.ends) if one.subject != USER]

    assert [(said.text, one) for said, one in expected if not occurs(one.subject, said)] == []


def test_some_spelling_of_every_expected_object_is_in_the_text() -> None:
    expected = [(said, one) for said in every() for one in said.know]

    assert [
        (said.text, one) for said, one in expected if not any(occurs(spelling, said) for spelling in one.objects)
    ] == []


def test_what_is_forgotten_is_named_in_the_text_or_is_what_was_just_said() -> None:
    relations = vocabulary()
    for said in every():
        for what in said.forget:
            subject, *rest = what.split(" | ")
            assert subject in {"*", USER} or occurs(subject, said), said.text
            assert not rest or is_known(rest[0], relations), said.text
            assert len(rest) < 2 or occurs(rest[1], said), said.text


def test_times_are_written_as_dates() -> None:
    for said, one in every_triple():
        for time in (one.valid_from, one.valid_until, one.on):
            day = time.partition("T")[0]
            assert not time or date.fromisoformat(day + "-01-01"[: 10 - len(day)] if len(day) != 7 else day + "-01"), (
                said
            )


def test_what_is_to_come_does_not_lie_before_it_is_said() -> None:
    dated = [
        (said, one) for said in every() for one in said.know if one.relation in {"has_appointment", "plans"} and one.on
    ]

    assert [said.text for said, one in dated if one.on[:10] < str(said.said_at)[: len(one.on[:10])]] == []


def test_a_spoken_weekday_is_the_weekday_of_the_date() -> None:
    for said in every():
        spoken = {number for number, day in enumerate(DAYS[said.language]) if re.search(day, said.text.lower())}
        for one in said.know:
            if spoken and len(one.on) >= 10:
                assert date.fromisoformat(one.on[:10]).weekday() in spoken, said.text


def test_a_triple_reads_its_spellings_and_times() -> None:
    one = triple("Leo | has_appointment | checkup / check up | on 2025-03-20T09:15 | from 2025-03")

    assert (one.subject, one.relation, one.object) == ("Leo", "has_appointment", "checkup")
    assert one.objects == ("checkup", "check up")
    assert (one.on, one.valid_from, one.valid_until) == ("2025-03-20T09:15", "2025-03", "")


def test_a_triple_with_a_time_it_cannot_read_is_refused() -> None:
    with pytest.raises(ValueError, match="not a time"):
        triple("Leo | has_appointment | checkup | someday")
