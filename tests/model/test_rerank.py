"""A reranker: the best first, each document once, and no more than were asked for."""

from __future__ import annotations

import pytest

from companion.errors import WireBroken
from companion.model.rerank import Ranked, Reranked, Reranker, RerankParams, RerankRequest
from companion.stream import Usage


class Scores:
    """A backend that answers with the scores it was given, in the order of the documents or its own."""

    name = "scores"

    def __init__(self, *ranked: tuple[int, float]) -> None:
        self.asked: list[RerankRequest] = []
        self._ranked = tuple(Ranked(*each) for each in ranked)

    async def rerank(self, request: RerankRequest) -> Reranked:
        self.asked.append(request)
        return Reranked(self._ranked, Usage(7))


DOCUMENTS = ["kettle", "lamp", "boiler"]


async def test_the_best_come_first_and_equals_in_their_order() -> None:
    reranker = Reranker(Scores((2, 0.5), (1, 0.9), (0, 0.5)))
    assert await reranker.rank("light", DOCUMENTS) == ((1, 0.9), (0, 0.5), (2, 0.5))


async def test_no_more_come_back_than_were_asked_for() -> None:
    backend = Scores((0, 0.1), (1, 0.9), (2, 0.5))
    assert [place for place, _ in await Reranker(backend).rank("light", DOCUMENTS, 2)] == [1, 2]
    assert await Reranker(backend).rank("light", DOCUMENTS, 99)
    assert [asked.top_n for asked in backend.asked] == [2, 99]


async def test_a_question_can_be_put_together_step_by_step() -> None:
    backend = Scores((0, 0.1), (1, 0.9), (2, 0.5))
    reranker = Reranker(backend, RerankParams("small", {"truncate": True}))

    asked = reranker.input("light", DOCUMENTS)
    best = await asked.top_n(1).params(RerankParams(extra_fields={"instruct": "for a house"})).call()

    assert [place for place, _ in best] == [1]
    expected = RerankParams("small", {"truncate": True, "instruct": "for a house"})
    assert backend.asked == [RerankRequest("light", tuple(DOCUMENTS), 1, expected)]
    assert len(await asked.call()) == 3, "a step makes a new question and leaves the old one as it was"


async def test_what_it_cost_is_told() -> None:
    answer = await Reranker(Scores((0, 1.0))).ask(RerankRequest("light", ("lamp",)))
    assert answer.usage == Usage(prompt_tokens=7)


async def test_nothing_is_sent_for_no_documents() -> None:
    backend = Scores()
    assert await Reranker(backend).rank("light", []) == ()
    assert backend.asked == []


@pytest.mark.parametrize(
    "ranked",
    [
        ((0, 0.1), (1, 0.2)),
        ((0, 0.1), (1, 0.2), (3, 0.3)),
        ((0, 0.1), (1, 0.2), (-1, 0.3)),
        ((0, 0.1), (1, 0.2), (1, 0.3)),
        ((0, 0.1), (1, float("nan")), (2, 0.3)),
    ],
    ids=["one is missing", "one that was not given", "one before the first", "one twice", "no number"],
)
async def test_ranks_that_do_not_belong_to_the_documents_are_an_error(ranked: tuple[tuple[int, float], ...]) -> None:
    with pytest.raises(WireBroken, match="scores: "):
        await Reranker(Scores(*ranked)).rank("light", DOCUMENTS)


async def test_none_of_them_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        await Reranker(Scores()).rank("light", DOCUMENTS, 0)
