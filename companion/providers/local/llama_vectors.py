"""llama.cpp as an embedder, by its C interface: several texts are read at once, each as a sequence of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from companion.model.embed import Vector
from companion.providers.local.llama_engine import broken_model, open_model, tokens_of

_TOGETHER = 16
"""Sequences that are read at once."""
_LONGEST_VALUE = 128
_POOLED = (llama_cpp.LLAMA_POOLING_TYPE_MEAN, llama_cpp.LLAMA_POOLING_TYPE_CLS, llama_cpp.LLAMA_POOLING_TYPE_LAST)


@dataclass(slots=True)
class _Window:
    """Tokens of one text that are read together."""

    text: int
    tokens: list[int]


class LlamaVectors:
    """Belongs to one thread.

    file: a GGUF model. window: tokens of one text that are read together; less where the model was trained on less.
    threads: 0 takes all cores.

    Raises:
        ModelBroken: the file cannot be loaded, or cannot embed.
    """

    def __init__(self, file: Path, *, window: int, threads: int) -> None:
        self._context: Any = None
        self._batch: Any = None
        self._model: Any = open_model(file)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self.dimensions = int(llama_cpp.llama_model_n_embd(self._model))
        self._window = min(window, llama_cpp.llama_model_n_ctx_train(self._model) or window)
        self._context = llama_cpp.llama_init_from_model(self._model, self._params(threads))
        if not self._context:
            self.close()
            raise broken_model(file)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = llama_cpp.llama_batch_init(self._window, 0, 1)
        reads_back = llama_cpp.llama_model_has_encoder(self._model) and not llama_cpp.llama_model_has_decoder(
            self._model
        )
        self._run = llama_cpp.llama_encode if reads_back else llama_cpp.llama_decode

    def close(self) -> None:
        """Free everything. It cannot be used afterwards."""
        if self._batch is not None:
            llama_cpp.llama_batch_free(self._batch)
        if self._context:
            llama_cpp.llama_free(self._context)
        if self._model:
            llama_cpp.llama_model_free(self._model)
        self._model = self._context = self._batch = None

    def embed(self, texts: Sequence[str], check: Callable[[], None]) -> tuple[tuple[Vector, ...], int]:
        """The vectors of ``texts``, and how many tokens they had. ``check`` is called between batches, and may raise.

        Raises:
            RuntimeError: llama.cpp failed.
        """
        windows = [window for place, text in enumerate(texts) for window in self._windows(place, text)]
        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for together in self._batches(windows):
            check()
            for window, vector in zip(together, self._read(together), strict=True):
                sums[window.text] += vector * len(window.tokens)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        means = sums / np.where(lengths > 0, lengths, 1)
        return tuple(tuple(row) for row in means.tolist()), sum(len(window.tokens) for window in windows)

    def _windows(self, place: int, text: str) -> Iterator[_Window]:
        tokens = tokens_of(self._vocab, text, edges=True)
        for start in range(0, len(tokens), self._window):
            yield _Window(place, tokens[start : start + self._window])

    def _batches(self, windows: list[_Window]) -> Iterator[list[_Window]]:
        together: list[_Window] = []
        for window in windows:
            room = self._window - sum(len(one.tokens) for one in together)
            if together and (len(window.tokens) > room or len(together) == _TOGETHER):
                yield together
                together = []
            together.append(window)
        if together:
            yield together

    def _read(self, windows: list[_Window]) -> list[NDArray[np.float32]]:
        self._fill(windows)
        if self._memory:
            llama_cpp.llama_memory_clear(self._memory, True)
        code = self._run(self._context, self._batch)
        if code != 0:
            raise RuntimeError(f"llama.cpp could not read a batch, and returned {code}")
        return [self._vector(sequence) for sequence in range(len(windows))]

    def _fill(self, windows: list[_Window]) -> None:
        count = 0
        for sequence, window in enumerate(windows):
            for position, token in enumerate(window.tokens):
                self._batch.token[count] = token
                self._batch.pos[count] = position
                self._batch.n_seq_id[count] = 1
                self._batch.seq_id[count][0] = sequence
                self._batch.logits[count] = True
                count += 1
        self._batch.n_tokens = count

    def _vector(self, sequence: int) -> NDArray[np.float32]:
        numbers = llama_cpp.llama_get_embeddings_seq(self._context, sequence)
        if not numbers:
            raise RuntimeError("llama.cpp has no vector of what it read")
        return np.ctypeslib.as_array(numbers, (self.dimensions,)).copy()

    def _params(self, threads: int) -> Any:
        params = llama_cpp.llama_context_default_params()
        params.embeddings = True
        params.pooling_type = self._pooling()
        params.n_ctx = params.n_batch = params.n_ubatch = self._window
        params.n_seq_max = _TOGETHER
        params.kv_unified = True
        params.n_threads = params.n_threads_batch = threads or os.cpu_count() or 1
        params.no_perf = True
        return params

    def _pooling(self) -> int:
        """How the file says that tokens become one vector; the mean where it says nothing."""
        told = self._meta(f"{self._meta('general.architecture')}.pooling_type")
        return int(told) if told.isdigit() and int(told) in _POOLED else int(llama_cpp.LLAMA_POOLING_TYPE_MEAN)

    def _meta(self, key: str) -> str:
        import ctypes

        value = ctypes.create_string_buffer(_LONGEST_VALUE)
        size = llama_cpp.llama_model_meta_val_str(self._model, key.encode(), value, _LONGEST_VALUE)
        return value.value.decode("utf-8", "replace") if size >= 0 else ""
