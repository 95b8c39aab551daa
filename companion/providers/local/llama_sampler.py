"""How llama.cpp chooses the next token: by chance within limits, and within a grammar where one is given."""

from __future__ import annotations

import ctypes
from typing import Any

import llama_cpp
import numpy

from companion.errors import Unsupported
from companion.model import ModelParams

_RANDOM_SEED = 0xFFFFFFFF

# What is used where a context does not say.
_TEMPERATURE, _TOP_K, _TOP_P, _MIN_P = 0.7, 40, 0.95, 0.05
_REPEAT, _REPEAT_WINDOW = 1.1, 64
"""Small models run in circles without it. Within a grammar it would garble what has to be said twice: labels, keys."""

_CANDIDATE = numpy.dtype([("id", numpy.int32), ("logit", numpy.float32), ("p", numpy.float32)])


class Sampler:
    """llama.cpp's chain of samplers for one answer. Close it.

    grammar: GBNF whose root is ``root``; empty for none.

    Raises:
        Unsupported: llama.cpp does not take the grammar.
    """

    def __init__(self, params: ModelParams, vocab: Any, *, grammar: str = "") -> None:
        self._vocab_size = int(llama_cpp.llama_vocab_n_tokens(vocab))
        self._grammar = _grammar(vocab, grammar) if grammar else None
        self._chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
        temperature = _or(params.temperature, _TEMPERATURE)
        self._add(
            llama_cpp.llama_sampler_init_penalties(
                self._vocab_size,
                _REPEAT_WINDOW,
                1.0 if grammar else _REPEAT,
                _or(params.frequency_penalty, 0.0),
                _or(params.presence_penalty, 0.0),
            )
        )
        if temperature <= 0:
            self._add(llama_cpp.llama_sampler_init_greedy())
            return
        self._add(llama_cpp.llama_sampler_init_top_k(params.top_k if params.top_k is not None else _TOP_K))
        self._add(llama_cpp.llama_sampler_init_top_p(_or(params.top_p, _TOP_P), 1))
        self._add(llama_cpp.llama_sampler_init_min_p(_MIN_P, 1))
        self._add(llama_cpp.llama_sampler_init_temp(temperature))
        self._add(llama_cpp.llama_sampler_init_dist(params.seed if params.seed is not None else _RANDOM_SEED))

    def close(self) -> None:
        llama_cpp.llama_sampler_free(self._chain)
        if self._grammar is not None:
            llama_cpp.llama_sampler_free(self._grammar)

    def choose(self, context: Any) -> int:
        """The token that follows what ``context`` read last.

        Raises:
            Unsupported: the model has no token that the grammar allows.
        """
        if self._grammar is None:
            return int(llama_cpp.llama_sampler_sample(self._chain, context, -1))
        logits = numpy.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(context, -1), shape=(self._vocab_size,))
        token = self._choose_freely(logits)
        if not self._allows(token):
            token = self._choose_within(logits)
        llama_cpp.llama_sampler_accept(self._grammar, token)
        llama_cpp.llama_sampler_accept(self._chain, token)
        return token

    def _choose_freely(self, logits: Any) -> int:
        """What the model would say without the grammar: mostly it is allowed, and one token is soon looked up."""
        return _chosen(self._chain, _candidates(logits))

    def _allows(self, token: int) -> bool:
        one = numpy.zeros(1, _CANDIDATE)
        one["id"] = token
        self._forbid(one)
        return bool(numpy.isfinite(one["logit"][0]))

    def _choose_within(self, logits: Any) -> int:
        candidates = _candidates(logits)
        self._forbid(candidates)
        allowed = candidates[numpy.isfinite(candidates["logit"])]
        # llama.cpp ends the whole program where it is told of a token that its grammar does not allow.
        if not len(allowed):
            raise Unsupported("this model has no token for what the grammar asks", mend="use simpler letters")
        return _chosen(self._chain, allowed)

    def _forbid(self, candidates: Any) -> None:
        """Make those impossible that the grammar does not allow."""
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(_array(candidates)))

    def _add(self, link: Any) -> None:
        llama_cpp.llama_sampler_chain_add(self._chain, link)


def _grammar(vocab: Any, text: str) -> Any:
    grammar = llama_cpp.llama_sampler_init_grammar(vocab, text.encode(), b"root")
    if not grammar:
        raise Unsupported("llama.cpp does not take the grammar of this schema", mend="use a simpler schema")
    return grammar


def _candidates(logits: Any) -> Any:
    candidates = numpy.zeros(len(logits), _CANDIDATE)
    candidates["id"] = numpy.arange(len(logits))
    candidates["logit"] = logits
    return candidates


def _array(candidates: Any) -> Any:
    data = candidates.ctypes.data_as(llama_cpp.llama_token_data_p)
    return llama_cpp.llama_token_data_array(data=data, size=len(candidates), selected=-1, sorted=False)


def _chosen(chain: Any, candidates: Any) -> int:
    array = _array(candidates)
    llama_cpp.llama_sampler_apply(chain, ctypes.byref(array))
    return int(array.data[array.selected].id)


def _or(value: float | None, unset: float) -> float:
    return unset if value is None else value
