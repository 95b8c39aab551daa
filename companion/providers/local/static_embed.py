"""Vectors by table: each token has one, and a text has the mean of its tokens'. No network of neurons is run.

The table is WordLlama's (github.com/dleemiller/WordLlama): token vectors of large language models, drawn together so
that their first 64, 128 or 256 numbers are of use alone. Its library is not used: it asks the network for what it has.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.errors import ModelBroken, Unsupported
from companion.model import ModelReport
from companion.model.embed import Embedded, EmbedParams, Vector
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Stop
from companion.stream import Usage

BATCH = 256
_SLICE = 32
"""Texts between two looks at the stop flag."""
_PIECE = 4096
"""Characters that are cut into tokens at once; what is longer is taken piece by piece."""


class StaticEmbedding:
    """An EmbedBackend. A text without a single token has a vector of zeros; all others have the length 1.

    folder: holds ``tokenizer.json`` and ``embedding.safetensors``.
    idle_unload: seconds unused after which it leaves memory; 0 keeps it.
    """

    def __init__(self, folder: Path, *, idle_unload: float = 0.0, later: Later | None = None) -> None:
        self._model: Resident[_Table] = Resident(
            folder.name,
            load=lambda: _Table(folder),
            unload=lambda table: table.close(),
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
            ModelBroken: its files do not load.
            SetupError: a library is missing.
        """
        await self._model.load()

    async def close(self) -> None:
        """Free everything; what waits ends with ModelDied."""
        await self._model.close()

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        """Raises:
        Unsupported: more dimensions are asked for than it has, or another model.
        ModelBroken, SetupError: as ``load``.
        """
        demand_own(self.name, params)
        return await self._model.run(lambda table, stop: self._embed(table, texts, params.dimensions, stop))

    def _embed(self, table: _Table, texts: Sequence[str], dimensions: int | None, stop: Stop) -> Embedded:
        if dimensions is not None and not 0 < dimensions <= table.dimensions:
            raise Unsupported(
                f"{self.name} has vectors of {table.dimensions} numbers, not of {dimensions}",
                mend=f"ask for {table.dimensions} or less",
            )
        began, vectors, tokens = time.perf_counter(), [], 0
        for start in range(0, len(texts), _SLICE):
            stop.check()
            for ids in table.tokens(texts[start : start + _SLICE]):
                tokens += len(ids)
                vectors.append(table.mean(ids, dimensions or table.dimensions))
        words = sum(len(text.split()) for text in texts)
        self._model.note_speed(words / max(time.perf_counter() - began, 1e-6))
        return Embedded(tuple(vectors), Usage(prompt_tokens=tokens))


def demand_own(name: str, params: EmbedParams) -> None:
    """Raises:
    Unsupported: ``params`` name another model, or fields that no model of this machine knows.
    """
    if params.model not in ("", name):
        raise Unsupported(f"{name} cannot embed as {params.model!r} does", mend="leave the model open")
    if params.extra_fields:
        first = next(iter(params.extra_fields))
        raise Unsupported(f"{name} knows no field {first!r}", mend="extra fields are for providers")


def clean(text: str) -> str:
    """The text without halves of letters, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _Table:
    """Lives on the model's thread."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        from companion.providers.local.safetensors_file import table_of

        self._rows = table_of(folder / "embedding.safetensors")
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        known = self._tokenizer.get_vocab_size()
        if known > len(self._rows):
            raise ModelBroken(f"{folder.name} has {known} tokens and vectors for {len(self._rows)} of them")

    @property
    def dimensions(self) -> int:
        return int(self._rows.shape[1])

    def close(self) -> None:
        del self._rows, self._tokenizer

    def tokens(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """The tokens of each text."""
        for text in texts:
            pieces = [clean(text[start : start + _PIECE]) for start in range(0, len(text), _PIECE)]
            encoded = self._tokenizer.encode_batch_fast(pieces, add_special_tokens=False) if pieces else []
            yield [token for piece in encoded for token in piece.ids]

    def mean(self, ids: list[int], dimensions: int) -> Vector:
        """The direction of the tokens taken together."""
        import numpy as np

        if not ids:
            return (0.0,) * dimensions
        mean = self._rows[ids, :dimensions].mean(axis=0, dtype=np.float32)
        length = float(np.linalg.norm(mean))
        return tuple((mean / length if length else mean).tolist())
