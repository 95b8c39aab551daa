"""Turns of a chat model as events, made by chance, in the order the house keeps."""

from __future__ import annotations

import random

from companion.errors import Unreachable
from companion.model.events import (
    Custom,
    Error,
    Event,
    Raw,
    ResponseEnd,
    ResponseStart,
    StepEnd,
    StepStart,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ToolCallArgsDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolResult,
    Usage,
)
from companion.stream import Blob, FuncCall, ToolCall

TEXTS = [
    "Hello",
    " ",
    "\n\n",
    "",
    "你好。",
    "data: [DONE]\n\n",
    '{"a": 1}',
    "\udcff half",
    "\u2028",
    "\r\n",
    "x" * 3000,
]
ARGUMENTS = ["", "{}", '{"city": "Paris"}', "[1, 2]", "no JSON", '{"n": NaN}', '{"deep": [[[{}]]]}', '"text"', "1e999"]
RESULTS = ["sunny", "", "Error: the tool is gone", '{"t": 21}', "Error: "]
ASIDES: list[Event] = [
    Raw({"type": "ping"}),
    Raw(None),
    Custom("blob", Blob("image/png", b"\x89PNG")),
    Custom("source", {"url": "https://example.org/a", "title": "A"}),
    Custom("source", {"url": "https://example.org/b"}),
    Custom("level", 0.5),
    Custom("secret", object()),
    Custom("odd", float("nan")),
]


class RandomTurn:
    """One turn. broken: the share of turns that fail or are cut off somewhere."""

    def __init__(self, seed: int, *, broken: float = 0.4) -> None:
        self._chance = random.Random(seed)
        self._count = 0
        self.events: list[Event] = [ResponseStart()]
        steps = self._chance.randrange(1, 4)
        for step in range(1, steps + 1):
            self._step(step, is_last=step == steps)
        self.events.append(ResponseEnd(self._chance.choice(["stop", "tool", "length", "refused", "odd"]), Usage(7, 5)))
        self.is_whole = self._chance.random() >= broken
        if not self.is_whole:
            self._break()

    def _break(self) -> None:
        del self.events[self._chance.randrange(1, len(self.events)) :]
        if self._chance.random() < 0.7:
            self.events += [Error(Unreachable("the line\nis dead")), ResponseEnd("error")]

    def _step(self, step: int, *, is_last: bool) -> None:
        self.events.append(StepStart(step))
        calls: list[ToolCall] = []
        for _ in range(self._chance.randrange(5)):
            self._aside()
            self._chance.choice([self._text, self._thought, lambda: calls.extend(self._calls())])()
        if self._chance.random() < 0.7:
            self.events.append(Usage(7, 5))
        self.events.append(StepEnd(step, "tool" if calls else "stop"))
        answered = len(calls) if not is_last else self._chance.randrange(len(calls) + 1)
        for call in calls[:answered]:
            self._aside()
            result = self._chance.choice(RESULTS)
            self.events.append(ToolResult(call.id, result, is_error=result.startswith("Error: ")))

    def _aside(self) -> None:
        if self._chance.random() < 0.2:
            self.events.append(self._chance.choice(ASIDES))

    def _text(self) -> None:
        self.events.append(TextStart())
        for _ in range(self._chance.randrange(4)):
            self.events.append(TextDelta(self._chance.choice(TEXTS)))
            self._aside()
        self.events.append(TextEnd())

    def _thought(self) -> None:
        pieces = [ThinkingDelta(self._chance.choice(TEXTS)) for _ in range(self._chance.randrange(1, 4))]
        ends = [ThinkingDelta(signature="c2lnbmVk"), ThinkingDelta(redacted="c2VhbGVk"), ThinkingDelta()]
        self.events += [*pieces, *self._chance.sample(ends, self._chance.randrange(2))]

    def _calls(self) -> list[ToolCall]:
        """Several side by side, each in pieces; those that are not cut."""
        made = [self._new_call() for _ in range(self._chance.randrange(1, 4))]
        self.events += [ToolCallStart(call.id, call.func_call.name) for call in made]
        for call in made:
            arguments = call.func_call.arguments
            cut = self._chance.randrange(len(arguments) + 1)
            if self._chance.random() < 0.8:
                self.events += [ToolCallArgsDelta(call.id, piece) for piece in (arguments[:cut], arguments[cut:])]
        whole: list[ToolCall] = []
        for call in self._chance.sample(made, len(made)):
            is_cut = self._chance.random() < 0.1
            self.events.append(ToolCallEnd(call, is_cut))
            whole += [] if is_cut else [call]
        return whole

    def _new_call(self) -> ToolCall:
        self._count += 1
        return ToolCall(f"call {self._count}", FuncCall("look", self._chance.choice(ARGUMENTS)))
