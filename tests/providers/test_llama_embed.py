"""Vectors by llama.cpp: any GGUF on the shelf, texts of any length, and the same beside others as alone."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.errors import ModelBroken, Unsupported
from companion.model.embed import Embedder, EmbedParams, Vector
from companion.providers.local.llama_embed import LlamaEmbedding


@asynccontextmanager
async def embedder(shelf: Path, window: int = 128) -> AsyncIterator[tuple[Embedder, LlamaEmbedding]]:
    (file,) = (shelf / "smollm2-135m").glob("*.gguf")
    backend = LlamaEmbedding(file, window=window)
    try:
        yield Embedder(backend), backend
    finally:
        await backend.close()


def near(first: Vector, second: Vector) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


async def test_a_language_model_embeds_by_the_mean_of_its_last_layer(shelf_folder: Path) -> None:
    async with embedder(shelf_folder) as (texts, backend):
        cat, kitten, shares = await texts.embed_texts(
            ["the cat sat on the mat", "a kitten is lying on the rug", "stock markets fell sharply today"]
        )
        assert await texts.dimensions() == 576
        assert math.hypot(*cat) == pytest.approx(1, abs=1e-5)
        assert near(cat, kitten) > near(cat, shares)
        assert backend.report.loaded
        assert backend.report.speed > 0


async def test_a_text_has_the_same_vector_beside_others_as_alone(shelf_folder: Path) -> None:
    strange = ["a lamp", "", "🙂 你好", "\ud800 half", "the boiler was serviced in March", "x " * 90, "a lamp"]
    async with embedder(shelf_folder) as (texts, _):
        together = await texts.embed_texts(strange)
        for text, vector in zip(strange, together, strict=True):
            alone = await texts.embed(text)
            # Quantised weights round what they are multiplied with, differently for many tokens than for few.
            assert near(alone, vector) > 0.999 or alone == vector == (0.0,) * 576
        assert near(together[0], together[-1]) > 0.9999


async def test_a_text_longer_than_the_window_is_read_window_by_window(shelf_folder: Path) -> None:
    long = "The boiler was serviced in March. " * 12 + "The dentist sees Leo in May. " * 12
    async with embedder(shelf_folder, window=64) as (texts, _):
        answer = await texts.ask([long])
        (vector,) = answer.vectors
        assert answer.usage.prompt_tokens > 64 * 2
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)
        boiler, dentist = await texts.embed_texts(
            ["The boiler was serviced in March. " * 5, "The dentist sees Leo in May. " * 5]
        )
        assert min(near(vector, boiler), near(vector, dentist)) > 0.9, "neither half was lost"


async def test_what_it_does_not_know_is_refused(shelf_folder: Path) -> None:
    async with embedder(shelf_folder) as (texts, _):
        for params in (EmbedParams("another"), EmbedParams(dimensions=64), EmbedParams(extra_fields={"x": 1})):
            with pytest.raises(Unsupported):
                await texts.embed("x", params)
        assert await texts.embed("x", EmbedParams(dimensions=576))


async def test_a_file_that_is_no_model_does_not_load(tmp_path: Path) -> None:
    for content in (None, b"", b"GGUF nothing"):
        file = tmp_path / "model.gguf"
        if content is not None:
            file.write_bytes(content)
        backend = LlamaEmbedding(file)
        with pytest.raises(ModelBroken, match=r"model\.gguf"):
            await backend.load()
        await backend.close()
