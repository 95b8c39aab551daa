"""Vectors by table: the numbers of WordLlama's own library, texts of any kind, and files that are none."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.catalog.manifest import load_manifest
from companion.errors import ModelBroken, ModelDied, Unsupported
from companion.model.embed import Embedder, EmbedParams, Vector
from companion.providers.local.static_embed import StaticEmbedding

GOLDEN = {
    "The kettle boils.": ((-0.18842, 0.16985, 0.09305, -0.01786, -0.09796, 0.04932), 0.1338),
    "water for tea": ((0.01272, 0.15992, -0.03032, -0.06727, -0.09477, -0.14379), 0.0463),
    "Grüße, 你好 🙂": ((-0.05207, 0.17208, -0.03156, -0.11698, 0.07394, -0.0566), 0.2189),
}
"""The first six numbers and the sum of all, by wordllama 0.4.0 with ``norm=True``."""


@asynccontextmanager
async def embedder(shelf: Path) -> AsyncIterator[tuple[Embedder, StaticEmbedding]]:
    backend = StaticEmbedding(shelf / "wordllama-256")
    try:
        yield Embedder(backend), backend
    finally:
        await backend.close()


def near(first: Vector, second: Vector) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


async def test_the_numbers_are_those_of_the_library_it_comes_from(shelf_folder: Path) -> None:
    async with embedder(shelf_folder) as (texts, _):
        for text, (first, total) in GOLDEN.items():
            vector = await texts.embed(text)
            assert vector[:6] == pytest.approx(first, abs=1e-4)
            assert sum(vector) == pytest.approx(total, abs=1e-3)


async def test_what_means_alike_is_near(shelf_folder: Path) -> None:
    async with embedder(shelf_folder) as (texts, _):
        cat, kitten, shares = await texts.embed_texts(["the cat sat on the mat", "a kitten on the rug", "shares fell"])
        assert near(cat, kitten) > near(cat, shares) + 0.2


async def test_it_has_the_dimensions_it_says_and_fewer_where_asked(shelf_folder: Path) -> None:
    async with embedder(shelf_folder) as (texts, _):
        assert await texts.dimensions() == 256
        assert await texts.dimensions(EmbedParams(dimensions=64)) == 64
        whole, short = await texts.embed("a lamp"), await texts.embed("a lamp", EmbedParams(dimensions=64))
        assert math.hypot(*whole) == pytest.approx(1)
        assert math.hypot(*short) == pytest.approx(1)
        assert short[0] / short[1] == pytest.approx(whole[0] / whole[1], rel=1e-4)
        for none in (0, 257):
            with pytest.raises(Unsupported, match="256"):
                await texts.embed("a lamp", EmbedParams(dimensions=none))


async def test_texts_of_any_kind_have_a_vector(shelf_folder: Path) -> None:
    strange = ["", " ", "\n\n", "\0", "\ud800 half", "🙂" * 500, "word " * 20_000, "x" * 50_000]
    async with embedder(shelf_folder) as (texts, _):
        vectors = await texts.embed_texts(strange)
        assert vectors[0] == (0.0,) * 256
        assert all(math.hypot(*vector) == pytest.approx(1) for vector in vectors[2:])
        alone = [await texts.embed(text) for text in strange]
        assert list(vectors) == alone, "a text has one vector, whatever stands beside it"


async def test_it_costs_tokens_and_tells_its_speed_and_size(shelf_folder: Path) -> None:
    async with embedder(shelf_folder) as (texts, backend):
        assert not backend.report.loaded
        answer = await texts.ask(["the kettle boils"] * 600)
        assert answer.usage.prompt_tokens == 600 * 6
        assert backend.report.loaded
        assert backend.report.speed_unit == "words/s"
        assert backend.report.speed > 1000


@pytest.mark.parametrize("params", [EmbedParams("another"), EmbedParams(extra_fields={"user": "us"})])
async def test_what_it_does_not_know_is_refused(shelf_folder: Path, params: EmbedParams) -> None:
    async with embedder(shelf_folder) as (texts, _):
        with pytest.raises(Unsupported):
            await texts.embed("x", params)
        assert await texts.embed("x", EmbedParams("wordllama-256", purpose="query"))


async def test_what_waits_when_it_is_closed_ends(shelf_folder: Path) -> None:
    backend = StaticEmbedding(shelf_folder / "wordllama-256")
    waiting = [asyncio.ensure_future(backend.embed_batch(["x" * 200_000] * 20, EmbedParams())) for _ in range(3)]
    await asyncio.sleep(0)
    await backend.close()
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(each, ModelDied) for each in done[1:])


def test_its_manifest_names_the_files_that_it_reads() -> None:
    manifest = load_manifest(Path("models/wordllama-256.toml"))
    assert {file.name for file in manifest.files} == {"tokenizer.json", "embedding.safetensors"}
    assert manifest.licence == "MIT"


def _head(*tensors: dict[str, object]) -> bytes:
    head = json.dumps({f"t{at}": tensor for at, tensor in enumerate(tensors)} | {"__metadata__": {}}).encode()
    return len(head).to_bytes(8, "little") + head


GOOD = {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x05\0\0\0\0\0\0\0{",
        b"\xff" * 16,
        (2).to_bytes(8, "little") + b"[]" + b"\0" * 12,
        _head() + b"\0" * 12,
        _head(GOOD, GOOD) + b"\0" * 12,
        _head(GOOD) + b"\0" * 11,
        _head(GOOD | {"dtype": "I64"}) + b"\0" * 12,
        _head(GOOD | {"shape": [6]}) + b"\0" * 12,
        _head(GOOD | {"shape": [-2, -3]}) + b"\0" * 12,
        _head(GOOD | {"shape": [0, 3], "data_offsets": [0, 0]}) + b"\0" * 12,
        _head(GOOD | {"shape": ["2", 3]}) + b"\0" * 12,
        _head(GOOD | {"data_offsets": [4, 16]}) + b"\0" * 12,
        _head(GOOD | {"data_offsets": None}) + b"\0" * 12,
    ],
)
async def test_a_file_that_is_no_table_is_told_by_its_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "embedding.safetensors").write_bytes(content)
    (tmp_path / "tokenizer.json").write_text("{}")
    backend = StaticEmbedding(tmp_path)
    with pytest.raises(ModelBroken, match="embedding"):
        await backend.load()
    await backend.close()


async def test_a_table_without_a_tokenizer_or_with_too_few_rows_does_not_load(
    shelf_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "embedding.safetensors").write_bytes(_head(GOOD) + b"\0" * 12)
    backend = StaticEmbedding(tmp_path)
    with pytest.raises(ModelBroken):
        await backend.load()
    (tmp_path / "tokenizer.json").write_bytes((shelf_folder / "wordllama-256" / "tokenizer.json").read_bytes())
    with pytest.raises(ModelBroken, match="vectors for 2 of them"):
        await backend.load()
    await backend.close()
