"""Labels are chosen among candidates: by score, each once, so many at most, and no foreign ones."""

import json

import pytest
from doubles.filler import Caller, Filler

from companion.errors import InvalidAnswer
from companion.insight.labeler import Labeler, LabelInput, LabelMatch, LabelResult
from companion.stream import FuncCall

GIVEN = LabelInput("dim the lamp", ("a", "b", "c"), {"a": ("lamp", "light"), "c": ("b",)})


async def result(*matches: tuple[str, float], given: LabelInput = GIVEN) -> LabelResult:
    answer = json.dumps({"matches": [{"label": label, "score": score} for label, score in matches]})
    return await Labeler(Filler(answer, answer)).process(given)


async def chosen(*matches: tuple[str, float], top_k: int = 0) -> list[tuple[str, float]]:
    found = await result(*matches, given=LabelInput(GIVEN.text, GIVEN.candidates, GIVEN.aliases, top_k))
    return [(match.label, match.score) for match in found.matches]


async def test_the_best_come_in_the_models_order_each_once_and_so_many_at_most() -> None:
    assert await chosen(("a", 0.9), ("a", 0.8), ("b", 0.7), ("c", 0.6), top_k=2) == [("a", 0.9), ("b", 0.7)]
    assert await chosen(("c", 0.1), ("a", 0.9), ("b", 0.5)) == [("c", 0.1), ("a", 0.9), ("b", 0.5)]


@pytest.mark.parametrize("top_k", [0, -1, 3, 9])
async def test_without_a_number_that_makes_sense_all_may_come(top_k: int) -> None:
    assert len(await chosen(("a", 0.9), ("b", 0.7), ("c", 0.6), top_k=top_k)) == 3


@pytest.mark.parametrize("score", [0, 1, 0.5])
async def test_a_score_is_from_nought_to_one(score: float) -> None:
    assert await chosen(("a", score)) == [("a", score)]


@pytest.mark.parametrize("match", [("a", 1.5), ("a", -0.1), ("a", 2), ("", 0.5)])
async def test_any_other_score_and_an_empty_label_are_errors(match: tuple[str, float]) -> None:
    with pytest.raises(InvalidAnswer):
        await chosen(("b", 0.5), match)


async def test_a_model_that_gave_a_wrong_score_is_asked_once_more() -> None:
    wrong, right = (json.dumps({"matches": [{"label": "a", "score": score}]}) for score in (90, 0.9))
    generator = Filler(wrong, right)

    assert (await Labeler(generator).process(GIVEN)).matches == (LabelMatch("a", 0.9),)
    assert "score" in generator.contexts[1].messages[-1].text


@pytest.mark.parametrize(
    ("match", "error"),
    [
        ({"label": "a", "score": 1.5}, "match 1 has the score 1.5, which is not from 0 to 1"),
        ({"label": " ", "score": 0.5}, "match 1 has no label"),
        ({"label": "a", "score": True}, "the answer for 'select_labels' does not fit its schema"),
    ],
)
async def test_a_generator_that_breaks_its_promise_is_an_error_too(match: object, error: str) -> None:
    generator = Caller(FuncCall("select_labels", json.dumps({"matches": [match]})))

    with pytest.raises(InvalidAnswer, match=error):
        await Labeler(generator).process(GIVEN)


async def test_a_foreign_label_costs_that_label_only() -> None:
    found = await result(("z", 0.9), ("A", 0.8), (" b ", 0.7))

    assert found == LabelResult(
        (LabelMatch("b", 0.7),), ("match 1: 'z' is no candidate", "match 2: 'A' is no candidate")
    )


async def test_foreign_labels_do_not_count_among_the_most_there_may_be() -> None:
    assert await chosen(("z", 0.9), ("b", 0.7), ("c", 0.6), top_k=1) == [("b", 0.7)]


async def test_an_alias_stands_for_its_candidate_unless_it_is_one_itself() -> None:
    assert await chosen(("light", 0.9), ("lamp", 0.8), ("b", 0.7)) == [("a", 0.9), ("b", 0.7)]


@pytest.mark.parametrize("given", [LabelInput("", ("a",)), LabelInput(" \n", ("a",)), LabelInput("text", ())])
async def test_without_a_text_or_candidates_no_model_is_asked(given: LabelInput) -> None:
    generator = Filler()

    assert await Labeler(generator).process(given) == LabelResult()
    assert generator.contexts == []


async def test_the_model_is_told_candidates_and_aliases_in_their_order() -> None:
    generator = Filler('{"matches": []}')

    await Labeler(generator).process(GIVEN)

    (asked,) = generator.contexts
    assert "at most 3" in asked.prompts[0].text
    assert asked.prompts[0].text.endswith("Candidates:\n- a (also: lamp, light)\n- b\n- c (also: b)")
    assert asked.messages[0].text == "dim the lamp"


async def test_a_model_that_does_not_stop_naming_labels_is_an_error() -> None:
    with pytest.raises(InvalidAnswer):
        await chosen(*[("a", 0.9)] * 9)


async def test_slightly_broken_json_is_mended() -> None:
    answer = "Sure! {'matches': [{'label': 'a', 'score': 0.9},]}"

    found = await Labeler(Filler(answer)).process(GIVEN)

    assert found.matches == (LabelMatch("a", 0.9),)
