"""Vectors by llama.cpp, of any GGUF model: made to embed, or a language model whose last layer is averaged."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import Unsupported
from companion.model import ModelReport
from companion.model.embed import Embedded, EmbedParams
from companion.providers.local.resident import Later, Resident
from companion.providers.local.static_embed import clean, demand_own
from companion.providers.local.worker import Stop
from companion.stream import Usage

if TYPE_CHECKING:
    from companion.providers.local.llama_vectors import LlamaVectors

BATCH = 32


class LlamaEmbedding:
    """An EmbedBackend over one GGUF file. Its vectors have the length 1.

    A model that says how its tokens become one vector is asked so; of all others the mean is taken. A text longer than
    the window is embedded window by window, and has the mean of them, each counted by its tokens.

    file: the model. window: tokens that are read together; less where the model was trained on less.
    threads: 0 takes all cores. idle_unload: seconds unused after which it leaves memory; 0 keeps it.
    """

    def __init__(
        self,
        file: Path,
        *,
        window: int = 512,
        threads: int = 0,
        idle_unload: float = 0.0,
        later: Later | None = None,
    ) -> None:
        self._file = file
        self._window = window
        self._threads = threads
        self._model: Resident[LlamaVectors] = Resident(
            file.stem,
            load=self._load,
            unload=lambda engine: engine.close(),
            idle_unload=idle_unload,
            speed_unit="words/s",
            later=later,
        )

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def batch_size(self) -> int:
        return BATCH

    @property
    def report(self) -> ModelReport:
        return self._model.report

    async def load(self) -> None:
        """Bring it into memory.

        Raises:
            ModelBroken: the file does not load.
            SetupError: llama-cpp-python is missing.
        """
        await self._model.load()

    async def close(self) -> None:
        """Free everything; what waits ends with ModelDied."""
        await self._model.close()

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        """The vectors of the texts, one for each, as the model pools them.

        Raises:
            Unsupported: another number of dimensions is asked for than it has, or another model.
            ModelBroken, SetupError: as ``load``.
            ModelDied: llama.cpp failed.
        """
        demand_own(self.name, params)
        return await self._model.run(lambda engine, stop: self._embed(engine, texts, params.dimensions, stop))

    def _load(self) -> LlamaVectors:
        from companion.providers.local.llama_vectors import LlamaVectors

        return LlamaVectors(self._file, window=self._window, threads=self._threads)

    def _embed(self, engine: LlamaVectors, texts: Sequence[str], dimensions: int | None, stop: Stop) -> Embedded:
        if dimensions not in (None, engine.dimensions):
            raise Unsupported(
                f"{self.name} has vectors of {engine.dimensions} numbers, not of {dimensions}",
                mend="leave the dimensions open",
            )
        began = time.perf_counter()
        vectors, tokens = engine.embed([clean(text) for text in texts], stop.check)
        words = sum(len(text.split()) for text in texts)
        self._model.note_speed(words / max(time.perf_counter() - began, 1e-6))
        return Embedded(vectors, Usage(prompt_tokens=tokens))
