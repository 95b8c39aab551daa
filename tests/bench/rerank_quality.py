"""How well questions find their note: meaning alone, words alone, and both, on ``tests/providers/ranking.toml``.

    python tests/bench/rerank_quality.py FOLDER_OF_MODELS

Prints, for each group of questions, the mean of 1 / rank and the share of those whose note comes first; and words a
second of processor time and memory of each embedding.
"""

from __future__ import annotations

import asyncio
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.model.embed import EmbedBackend, Embedded, Embedder, EmbedParams, Vector
from companion.model.rerank import RerankBackend, Reranker
from companion.providers.local.llama_embed import LlamaEmbedding
from companion.providers.local.rerank import BlendedReranking
from companion.providers.local.static_embed import StaticEmbedding

SET = Path(__file__).parents[1] / "providers" / "ranking.toml"
SHARES = (0.0, 0.5, 0.7, 0.75, 0.8, 0.9, 1.0)
SENTENCE = "Remind me to water the plants in the garden tomorrow at eight in the morning please"


@dataclass(frozen=True)
class Quality:
    """reciprocal: mean of 1 / rank. first: share of the questions whose note comes first."""

    reciprocal: float
    first: float

    def __str__(self) -> str:
        return f"{self.reciprocal:.3f} / {self.first:.3f}"


async def measured(backend: RerankBackend) -> dict[str, Quality]:
    """The quality by groups of questions, and of all."""
    content = tomllib.loads(SET.read_text(encoding="utf-8"))
    reranker = Reranker(backend)
    ranks: dict[str, list[int]] = {}
    for group in content["groups"]:
        for question in group["questions"]:
            ranked = await reranker.rank(question["ask"], content["notes"])
            rank = 1 + [place for place, _ in ranked].index(question["note"])
            ranks.setdefault(group["name"], []).append(rank)
    ranks["all"] = [rank for group in ranks.values() for rank in group]
    return {name: _quality(group) for name, group in ranks.items()}


def _quality(ranks: list[int]) -> Quality:
    return Quality(sum(1 / rank for rank in ranks) / len(ranks), ranks.count(1) / len(ranks))


class Kept:
    """Remembers vectors, so that every share of meaning is measured on the same."""

    def __init__(self, backend: EmbedBackend) -> None:
        self.name, self.batch_size = backend.name, backend.batch_size
        self._backend = backend
        self._known: dict[str, Vector] = {}

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            answer = await self._backend.embed_batch(new, params)
            self._known.update(zip(new, answer.vectors, strict=True))
        return Embedded(tuple(self._known[text] for text in texts))


async def _speed(backend: EmbedBackend, seconds: float = 3.0) -> float:
    """Words a second of processor time, of all cores together, in batches as large as it takes."""
    embedder, texts = Embedder(backend), [SENTENCE] * backend.batch_size
    await embedder.embed_texts(texts)
    began, words = time.process_time(), 0
    while time.process_time() - began < seconds:
        await embedder.embed_texts(texts)
        words += len(texts) * len(SENTENCE.split())
    return words / (time.process_time() - began)


def on(shelf: Path) -> list[StaticEmbedding | LlamaEmbedding]:
    """What embeds there."""
    files = sorted(shelf.glob("*/*.gguf"))
    return [StaticEmbedding(shelf / "wordllama-256"), *(LlamaEmbedding(file) for file in files)]


async def main(backends: list[StaticEmbedding | LlamaEmbedding]) -> None:
    for backend in backends:
        speed = await _speed(backend)
        dimensions = await Embedder(backend).dimensions()
        report = backend.report
        print(f"\n{backend.name}: {dimensions} numbers, {speed:,.0f} words a processor second, ", end="")
        print(f"{report.memory_bytes / 1e6:.0f} MB, ", end="")
        print(f"loaded in {report.load_seconds:.2f} s")
        kept = Kept(backend)
        for share in SHARES:
            quality = await measured(BlendedReranking(kept, meaning=share))
            print(f"  meaning {share:.2f}: " + ", ".join(f"{name} {each}" for name, each in quality.items()))
        await backend.close()


if __name__ == "__main__":
    asyncio.run(main(on(Path(sys.argv[1]))))
