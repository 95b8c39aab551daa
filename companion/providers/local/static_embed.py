"""Vectors by table: each token has one, and a text has the mean of its tokens'. No network of neurons is run.

The table is WordLlama's (github.com/dleemiller/WordLlama): token vectors of large language models, drawn together so
that their first 64, 128 or 256 numbers are of use alone. Its library is not used: it asks the network for what it has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import ModelBroken, Unsupported
from companion.model import ModelReport
from companion.model.embed import Embedded, EmbedParams, Vector
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Stop
from companion.stream import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 256
_PIECE = 1024
"""Characters of a text that are taken at once; what is longer is taken piece by piece."""
_TOGETHER = 32
"""Pieces between two looks at the stop flag. It bounds the memory that long texts take."""


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
        """The vectors of the texts, one for each: the means of the vectors of their tokens.

        Raises:
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
        began = time.perf_counter()
        vectors, tokens = table.embed(texts, dimensions or table.dimensions, stop.check)
        words = sum(len(text.split()) for text in texts)
        self._model.note_speed(words / max(time.perf_counter() - began, 1e-6))
        return Embedded(vectors, Usage(prompt_tokens=tokens))


def demand_own(name: str, params: EmbedParams) -> None:
    """Refuse what is asked of another model.

    Raises:
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

    def embed(self, texts: Sequence[str], dimensions: int, check: Callable[[], None]) -> tuple[tuple[Vector, ...], int]:
        """The directions of ``texts``, and how many tokens they had. ``check`` is called often, and may raise."""
        import numpy as np

        sums, count = np.zeros((len(texts), dimensions), np.float32), 0
        pieces = [
            (place, text[at : at + _PIECE]) for place, text in enumerate(texts) for at in range(0, len(text), _PIECE)
        ]
        for start in range(0, len(pieces), _TOGETHER):
            check()
            count += self._add(pieces[start : start + _TOGETHER], sums)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return tuple(map(tuple, (sums / np.where(lengths > 0, lengths, 1)).tolist())), count

    def _add(self, pieces: Sequence[tuple[int, str]], sums: NDArray[np.float32]) -> int:
        """Add the tokens' vectors to the sums of the texts that ``pieces`` are from; returns how many there are."""
        import numpy as np

        encoded = self._tokenizer.encode_batch_fast([clean(text) for _, text in pieces], add_special_tokens=False)
        found = [(place, piece.ids) for (place, _), piece in zip(pieces, encoded, strict=True) if piece.ids]
        if not found:
            return 0
        sizes = [len(ids) for _, ids in found]
        starts = np.cumsum([0, *sizes[:-1]])
        rows = self._rows[np.concatenate([ids for _, ids in found])][:, : sums.shape[1]].astype(np.float32)
        np.add.at(sums, [place for place, _ in found], np.add.reduceat(rows, starts, axis=0))
        return sum(sizes)
