"""Has a provider call one tool: held to a schema, as a tool, or told in words, whichever it can."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from functools import partial

from companion.errors import ModelError, Unsupported
from companion.model import Calling, ChatBackend, ChatRequest, FuncTool, ModelContext, ToolChoice
from companion.model.answer_stream import answer_of
from companion.model.deltas import DeltaSource
from companion.model.structured import Way, by_text, by_tool_call, invoke_by, told_in_words
from companion.providers.remote.faults import serves_no_form, serves_no_tools, without_tools
from companion.stream import FuncCall, Stream, Usage


class Skill(Enum):
    """A way to ask for an answer of a certain form."""

    SCHEMA = auto()
    TOOLS = auto()


class RemoteGenerator:
    """A Generator over a ChatBackend that asks a provider; a ChatBackend itself.

    without: ways in which it is not asked. What the provider says that a model cannot do comes to them, for that model.
    """

    def __init__(self, backend: ChatBackend, *, without: Iterable[Skill] = ()) -> None:
        self._backend = backend
        self._without = set(without)
        self._learnt: set[tuple[Skill, str]] = set()

    @property
    def name(self) -> str:
        return self._backend.name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Start an answer. Raises as the backend does."""
        return await self._backend.ask(request)

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer.

        Raises:
            ModelError, TimeoutError: as for ``ask``.
        """
        return answer_of(await self.ask(ChatRequest(context, model)))

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """Have ``tool`` called: held to its schema where the provider can, else as a tool, else told in words.

        Raises:
            InvalidAnswer, ModelError, StreamError, TimeoutError: as ``Generator.invoke``.
        """
        ways: list[Way] = []
        if self._has(Skill.SCHEMA, model):
            ways.append(partial(self._by_schema, model))
        if self._has(Skill.TOOLS, model):
            ways.append(partial(self._by_tool, model))
        return await invoke_by([*ways, by_text(self.generate_stream, model=model)], context, tool)

    async def _by_schema(self, model: str, context: ModelContext, tool: FuncTool) -> Stream:
        request = ChatRequest(told_in_words(context, tool), model, answer_form=tool)
        try:
            return answer_of(await self.ask(request))
        except Unsupported as error:
            # The next question does not ask for what the provider has said that it has not.
            if serves_no_form(error.__cause__):
                self._learnt.add((Skill.SCHEMA, model))
            raise

    async def _by_tool(self, model: str, context: ModelContext, tool: FuncTool) -> Stream:
        async def forced(context: ModelContext, *, model: str = "") -> Stream:
            choice = ToolChoice(Calling.FORCED, (tool.name,))
            return answer_of(await self.ask(ChatRequest(context, model, tool_choice=choice)))

        try:
            return await by_tool_call(forced, model=model)(context, tool)
        except ModelError as error:
            fault = without_tools(error)
        if serves_no_tools(fault.__cause__):
            self._learnt.add((Skill.TOOLS, model))
        raise fault

    def _has(self, skill: Skill, model: str) -> bool:
        return skill not in self._without and (skill, model) not in self._learnt
