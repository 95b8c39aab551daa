"""One answer of llama.cpp: what is asked of it, and how it is written, token by token, on the model's thread."""

from __future__ import annotations

import codecs
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.errors import Unsupported
from companion.model import Calling, ChatRequest, FuncTool, ModelContext, ToolChoice
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, Finish, Finished, TextDelta
from companion.model.structured import told_in_words
from companion.model.tool_text import ToolText
from companion.providers.local.chat_prompt import ChatPrompt
from companion.providers.local.gbnf import grammar_of, grammar_of_calls
from companion.providers.local.resident import Resident
from companion.providers.local.stop_text import StopText
from companion.providers.local.told_tools import RESPONSE, functions, without_calls
from companion.providers.local.unthinking import Unthinking
from companion.providers.local.worker import Stop
from companion.stream import FuncCall, Usage

if TYPE_CHECKING:
    from companion.providers.local.llama_engine import LlamaEngine

_SHORTEST_ANSWER = 256
"""Tokens of the context left for an answer whose length nobody asked for."""
_SLICE_SECONDS = 0.1
"""Reading a prompt looks at its stop flag about this often."""
_SMALLEST_SLICE, _LARGEST_SLICE = 16, 512


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written. grammar: GBNF; empty for none. names: of the tools that may be called."""

    context: ModelContext
    grammar: str = ""
    names: tuple[str, ...] = ()


def plan_of(request: ChatRequest) -> Plan:
    """How a request is answered.

    Tools that may not be called are not shown, and what they returned is told in words: a small model that sees a call
    calls on and on. Those that may not be called this time are shown, so that the prompt begins as it did.

    Raises:
        Unsupported: a tool is no function; or a call is forced and there is none, or no grammar of it.
    """
    context, choice = request.context, request.tool_choice or ToolChoice()
    if request.answer_form is not None:
        form = request.answer_form
        return Plan(told_in_words(context, form), grammar_of(form.parameters))
    if choice.calling is Calling.FORBIDDEN:
        return Plan(replace(context, tools=(), messages=without_calls(context.messages)))
    tools = functions(request.callable_tools())
    names = tuple(tool.name for tool in tools)
    if unknown := [name for name in choice.names if name not in names]:
        raise Unsupported(f"a tool may be called that is not offered: {', '.join(unknown)}", mend="offer it")
    return Plan(context, _forced(tools) if choice.calling is Calling.FORCED else "", names)


def _forced(tools: Sequence[FuncTool]) -> str:
    return grammar_of_calls({tool.name: tool.parameters for tool in tools})


class Mind:
    """The loaded model: its engine, and how prompts are written for it."""

    def __init__(self, engine: LlamaEngine) -> None:
        self.engine = engine
        self.prompt = ChatPrompt(engine)
        self._slice = 64

    def prompt_for(self, context: ModelContext) -> list[int]:
        wanted = context.params.max_tokens or _SHORTEST_ANSWER
        spare = min(wanted, self.engine.context_tokens // 2)
        return self.prompt.write(context, room=self.engine.context_tokens - spare)

    def read(self, tokens: Sequence[int], owner: object) -> Generator[int, None, None]:
        """Bring the memory to ``tokens``, yielding between slices how many of them it held before."""
        kept = self.engine.keep(tokens)
        self.engine.owner = owner
        place = kept
        yield kept
        while place < len(tokens):
            piece = tokens[place : place + self._slice]
            began = time.perf_counter()
            self.engine.read(piece)
            place += len(piece)
            speed = len(piece) / max(time.perf_counter() - began, 1e-6)
            if len(piece) == self._slice:
                self._slice = min(max(int(speed * _SLICE_SECONDS), _SMALLEST_SLICE), _LARGEST_SLICE)
            yield kept


class Answer:
    """One answer as it is written. Lives on the model's thread."""

    def __init__(self, model: Resident[Mind], plan: Plan) -> None:
        self._model = model
        self._mind = model.model()
        self._params = plan.context.params
        self._prompt = self._mind.prompt_for(plan.context)
        self._sampler = self._mind.engine.sampler(self._params, grammar=plan.grammar)
        self._reading = _Reading(plan.names, self._params.stop or ())
        self._written: list[int] = []
        self._seconds = 0.0

    @property
    def speed(self) -> float:
        return len(self._written) / self._seconds if self._seconds else 0.0

    def close(self) -> None:
        self._sampler.close()

    def write(self, stop: Stop) -> Generator[Delta, None, None]:
        cached = self._read_prompt(stop)
        is_cut = True
        for _ in range(self._limit()):
            token = self._next_token(stop)
            if token is None:
                return
            if self._mind.engine.ends_turn(token):
                is_cut = False
                break
            self._written.append(token)
            yield from self._reading.take(self._mind.engine.bytes_of(token))
            if self._reading.has_stopped:
                is_cut = False
                break
        yield from self._reading.end(is_cut=is_cut)
        if not self._reading.has_stopped:
            self._mind.prompt.remember(self._reading.words, self._written, self._reading.calls)
        yield Counted(Usage(len(self._prompt), len(self._written), cached))
        done = Finish.TOOL_CALLS if self._reading.calls else Finish.STOP
        yield Finished(Finish.LENGTH if is_cut else done)

    def _limit(self) -> int:
        room = self._mind.engine.context_tokens - len(self._prompt)
        return room if self._params.max_tokens is None else min(self._params.max_tokens, room)

    def _read_prompt(self, stop: Stop) -> int:
        """Bring the prompt into memory, and return how much of it was there."""
        cached = 0
        for kept in self._mind.read(self._prompt, owner=self):
            cached = kept
            if stop.is_set:
                break
        return cached

    def _next_token(self, stop: Stop) -> int | None:
        """Sample one, after reading what was written before it; None if it was told to stop."""
        self._mind = self._model.model()
        engine = self._mind.engine
        began = time.perf_counter()
        if engine.owner is not self:
            # Another answer, or an unloading, came between.
            for _ in self._mind.read([*self._prompt, *self._written], owner=self):
                if stop.is_set:
                    return None
        elif self._written:
            engine.read(self._written[-1:])
        token = None if stop.is_set else engine.sample(self._sampler)
        self._seconds += time.perf_counter() - began
        return token


class _Reading:
    """What the bytes of an answer mean: its words and its calls, without thoughts, and nothing behind a stop."""

    def __init__(self, names: Sequence[str], stops: Sequence[str]) -> None:
        self._letters = codecs.getincrementaldecoder("utf-8")("replace")
        self._unthinking = Unthinking()
        # A small model that has called a tool goes on with what it returns, as it imagines it.
        self._stop = StopText([*stops, RESPONSE] if names else stops)
        self._tools = ToolText(names)
        self._has_begun = False
        self._words: list[str] = []
        self.calls: list[FuncCall] = []

    @property
    def words(self) -> str:
        return "".join(self._words)

    @property
    def has_stopped(self) -> bool:
        """A stop text is whole."""
        return self._stop.has_stopped

    def take(self, data: bytes) -> Iterator[Delta]:
        return self._noted(self._tools.feed(self._said(self._unthinking.take(self._letters.decode(data)))))

    def end(self, *, is_cut: bool) -> Iterator[Delta]:
        """The rest. Half a letter that was cut off is left out."""
        letters = "" if is_cut else self._letters.decode(b"", final=True)
        rest = self._said(self._unthinking.take(letters) + self._unthinking.rest()) + self._stop.rest()
        return self._noted([*self._tools.feed(rest), *self._tools.end(is_cut=is_cut)])

    def _said(self, piece: str) -> str:
        if not self._has_begun:
            piece = piece.lstrip()
            self._has_begun = bool(piece)
        return self._stop.take(piece)

    def _noted(self, deltas: Sequence[TextDelta | CallDelta]) -> Iterator[Delta]:
        for delta in deltas:
            if isinstance(delta, TextDelta):
                self._words.append(delta.text)
            else:
                self.calls.append(FuncCall(delta.name, delta.arguments))
            yield delta
