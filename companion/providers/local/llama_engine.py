"""llama.cpp by its C interface: one model, one context, and the tokens its memory holds.

The library's own Llama class is not used: it points the whole process's stdout and stderr at nothing
while it loads, and frees what it has freed again when the interpreter ends.
"""

from __future__ import annotations

import ctypes
import logging
import os
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp

from companion.errors import ModelBroken
from companion.model import ModelParams
from companion.providers.local.llama_sampler import Sampler

logger = logging.getLogger(__name__)

_BATCH = 512
_LONGEST_PIECE = 256
"""Bytes of one token's text."""
_ERROR = 4
"""ggml's level of an error."""

_complaints: deque[str] = deque(maxlen=3)


@llama_cpp.llama_log_callback  # type: ignore[untyped-decorator,unused-ignore]
def _to_log(level: int, text: bytes, _user_data: object) -> None:
    line = text.decode("utf-8", "replace").strip()
    if line and level == _ERROR:
        _complaints.append(line)
    if line:
        logger.debug("%s", line)


llama_cpp.llama_log_set(_to_log, ctypes.c_void_p(0))


class LlamaEngine:
    """Belongs to one thread, but for ``count``.

    file: a GGUF model. context_tokens: most that prompt and answer hold together; less where the model
    was trained on less. threads: 0 takes all cores.

    Raises:
        ModelBroken: the file cannot be loaded.
    """

    def __init__(self, file: Path, *, context_tokens: int, threads: int) -> None:
        self._reading = threading.Lock()
        self._model: Any = None
        self._context: Any = None
        self.tokens: list[int] = []
        """What the memory holds, oldest first."""
        self.owner: object = None
        """Whoever filled the memory last."""
        self._model = open_model(file)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        limit = min(context_tokens, llama_cpp.llama_model_n_ctx_train(self._model) or context_tokens)
        self._context = llama_cpp.llama_init_from_model(self._model, _context_params(limit, threads))
        if not self._context:
            self.close()
            raise broken_model(file)
        self._memory = llama_cpp.llama_get_memory(self._context)
        # The library rounds up.
        self.context_tokens = min(limit, int(llama_cpp.llama_n_ctx(self._context)))
        template = llama_cpp.llama_model_chat_template(self._model, None)
        self.template = template.decode("utf-8", "replace") if template else ""
        """The chat template of the file, in Jinja; empty where it has none."""

    def close(self) -> None:
        """Free everything. The engine cannot be used afterwards, but for ``count``, which then answers None."""
        with self._reading:
            if self._context:
                llama_cpp.llama_free(self._context)
            if self._model:
                llama_cpp.llama_model_free(self._model)
            self._context = self._model = None

    def count(self, text: str) -> int | None:
        """How many tokens ``text`` has, from any thread; None once the engine is closed."""
        with self._reading:
            return len(self.tokenise(text)) if self._model else None

    def tokenise(self, text: str, *, marks: bool = False) -> list[int]:
        """Tokens of ``text``. With ``marks``, words like ``<|im_end|>`` in it become control tokens."""
        return tokens_of(self._vocab, text, marks=marks)

    def bytes_of(self, token: int) -> bytes:
        """The text of one token, as UTF-8 that may be cut inside a letter; empty for control tokens."""
        piece = ctypes.create_string_buffer(_LONGEST_PIECE)
        size = llama_cpp.llama_token_to_piece(self._vocab, token, piece, _LONGEST_PIECE, 0, False)
        return piece.raw[: max(size, 0)]

    def ends_turn(self, token: int) -> bool:
        """Whether it ends the answer: an end mark, or any other mark, which no answer holds."""
        return bool(
            llama_cpp.llama_vocab_is_eog(self._vocab, token) or llama_cpp.llama_vocab_is_control(self._vocab, token)
        )

    @property
    def first_mark(self) -> str:
        """The mark that every prompt of this model begins with; empty for none."""
        if not llama_cpp.llama_vocab_get_add_bos(self._vocab):
            return ""
        return self._mark(llama_cpp.llama_vocab_bos(self._vocab))

    @property
    def end_mark(self) -> str:
        return self._mark(llama_cpp.llama_vocab_eos(self._vocab))

    def keep(self, prompt: Sequence[int]) -> int:
        """Forget all but the longest common beginning of memory and ``prompt``, and return its length.

        At least the last token of ``prompt`` is left to be read, for sampling needs what comes of it.
        """
        length = 0
        for held, wanted in zip(self.tokens, prompt[:-1], strict=False):
            if held != wanted:
                break
            length += 1
        if length < len(self.tokens) and not llama_cpp.llama_memory_seq_rm(self._memory, 0, length, -1):
            # Models with recurrent layers cannot forget a part.
            llama_cpp.llama_memory_clear(self._memory, True)
            length = 0
        del self.tokens[length:]
        return length

    def read(self, tokens: Sequence[int]) -> None:
        """Take ``tokens`` (at most 512) into memory, behind what it holds."""
        batch = (llama_cpp.llama_token * len(tokens))(*tokens)
        code = llama_cpp.llama_decode(self._context, llama_cpp.llama_batch_get_one(batch, len(tokens)))
        if code != 0:
            self.tokens.clear()
            llama_cpp.llama_memory_clear(self._memory, True)
            raise RuntimeError(f"llama_decode returned {code}")
        self.tokens.extend(tokens)

    def sampler(self, params: ModelParams, *, grammar: str = "") -> Sampler:
        """A way to choose the next token, within ``grammar`` (GBNF) if there is one. Close it.

        Raises:
            Unsupported: llama.cpp does not take the grammar.
        """
        return Sampler(params, self._vocab, grammar=grammar)

    def sample(self, sampler: Sampler) -> int:
        """Choose the token that follows what was read last."""
        return sampler.choose(self._context)

    def _mark(self, token: int) -> str:
        text = llama_cpp.llama_vocab_get_text(self._vocab, token) if token >= 0 else b""
        return text.decode("utf-8", "replace") if text else ""


def open_model(file: Path) -> Any:
    """The model of a GGUF file, for ``llama_model_free`` in the end.

    Raises:
        ModelBroken: the file cannot be loaded.
    """
    if not file.is_file():
        raise ModelBroken(f"{file} is not there", mend="pull it again: companion models pull")
    llama_cpp.llama_backend_init()
    _complaints.clear()
    model = llama_cpp.llama_model_load_from_file(str(file).encode(), _model_params())
    if not model:
        raise broken_model(file)
    return model


def tokens_of(vocab: Any, text: str, *, edges: bool = False, marks: bool = False) -> list[int]:
    """Tokens of ``text``: with ``edges`` those that begin and end a text for the model; ``marks``: see ``tokenise``."""
    raw = text.encode()
    room = len(raw) + 8
    tokens = (llama_cpp.llama_token * room)()
    count = llama_cpp.llama_tokenize(vocab, raw, len(raw), tokens, room, edges, marks)
    if count < 0:
        raise RuntimeError("llama_tokenize asked for more tokens than there are bytes")
    return list(tokens[:count])


def _model_params() -> Any:
    params = llama_cpp.llama_model_default_params()
    params.n_gpu_layers = 0
    # ggml's matrices for AMX crash on some of the machines that have it (ggml-org/llama.cpp#20824); they are
    # switched off together with the other rearranged weights, which only such machines have to do without.
    params.use_extra_bufts = b"AMX_INT8 = 1" not in llama_cpp.llama_print_system_info()
    return params


def _context_params(context_tokens: int, threads: int) -> Any:
    params = llama_cpp.llama_context_default_params()
    params.n_ctx = context_tokens
    params.n_batch = params.n_ubatch = min(_BATCH, context_tokens)
    params.n_threads = params.n_threads_batch = threads or os.cpu_count() or 1
    params.no_perf = True
    return params


def broken_model(file: Path) -> ModelBroken:
    """The error of a file that does not load, in llama.cpp's first words about it."""
    why = _complaints[0] if _complaints else "llama.cpp gives no reason"
    return ModelBroken(f"{file.name} does not load: {why}", mend="check its files with: companion models verify")
