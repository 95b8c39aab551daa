"""The reranker of this machine, measured on a small set of notes against meaning alone and words alone."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from bench.rerank_quality import Kept, Quality, measured

from companion.errors import Unsupported
from companion.model.embed import Embedded, EmbedParams
from companion.model.rerank import Reranker, RerankParams
from companion.providers.local.lexical import lexical_scores, words_of
from companion.providers.local.rerank import BlendedReranking
from companion.providers.local.static_embed import StaticEmbedding
from companion.stream import Usage


class Same:
    """Finds all texts alike."""

    name = "same"
    batch_size = 8

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        return Embedded(((1.0, 0.0),) * len(texts), Usage(len(texts)))


async def test_on_the_set_the_blend_is_better_than_either_alone(shelf_folder: Path) -> None:
    backend = StaticEmbedding(shelf_folder / "wordllama-256")
    kept = Kept(backend)
    blend, meaning, words = [await measured(BlendedReranking(kept, meaning=share)) for share in (0.75, 1.0, 0.0)]
    await backend.close()

    assert blend["all"].first > max(meaning["all"].first, words["all"].first)
    assert blend["all"].reciprocal > max(meaning["all"].reciprocal, words["all"].reciprocal)
    assert blend["names and numbers"] == Quality(1.0, 1.0)
    assert blend["all"].reciprocal > 0.91


async def test_where_all_means_alike_the_words_decide() -> None:
    reranker = Reranker(BlendedReranking(Same()))
    ranked = await reranker.rank("error E18", ["the pump, E20", "the filter, E18", "the door"])
    assert ranked[0].place == 1
    assert [place for place, _ in ranked[1:]] == [0, 2]


async def test_one_document_and_strange_ones_are_ranked() -> None:
    reranker = Reranker(BlendedReranking(Same()))
    assert [place for place, _ in await reranker.rank("lamp", ["a lamp"])] == [0]
    assert len(await reranker.rank("", ["", "\ud800", "x" * 10_000])) == 3


async def test_it_ranks_in_one_way_only() -> None:
    for params in (RerankParams("another"), RerankParams(extra_fields={"instruct": "x"})):
        with pytest.raises(Unsupported):
            await Reranker(BlendedReranking(Same())).rank("x", ["y"], params=params)
    with pytest.raises(ValueError, match="from 0 to 1"):
        BlendedReranking(Same(), meaning=1.5)


def test_words_lose_their_endings_and_common_ones_fall_away() -> None:
    assert words_of("The plants are watered; watering a plant") == ["plant", "water", "water", "plant"]
    assert words_of("Order KX-77120, please!") == ["order", "kx", "77120", "pleas"]
    assert words_of("厨房灯 on") == ["厨房", "房灯"]
    assert words_of("灯") == ["灯"]
    assert words_of("the of and") == []


def test_rare_words_count_more_and_long_documents_less() -> None:
    documents = ["lamp kitchen", "lamp hall", "lamp cellar boiler", "lamp " + "word " * 50]
    scores = lexical_scores("boiler lamp", documents)
    assert scores.index(max(scores)) == 2
    assert scores[3] < scores[0]
    assert lexical_scores("nothing", documents) == (0.0,) * 4
    assert lexical_scores("x", []) == ()


def test_the_set_is_whole() -> None:
    content = tomllib.loads(Path("tests/providers/ranking.toml").read_text(encoding="utf-8"))
    questions = [question for group in content["groups"] for question in group["questions"]]
    assert len(questions) == 64
    assert all(0 <= question["note"] < len(content["notes"]) for question in questions)
