"""One question to a chat model, as its provider gets it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from companion.model.context import ModelContext
from companion.model.deltas import DeltaSource, NamedSource
from companion.model.specific import SpecificOption
from companion.model.tool import FuncTool, Tool


class Calling(StrEnum):
    """Whether a model may call tools."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    FORCED = "forced"


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """names: the only tools that may be called; none named: all that are offered."""

    calling: Calling = Calling.ALLOWED
    names: tuple[str, ...] = ()

    def allows(self, name: str) -> bool:
        """Whether the tool of that name may be called."""
        return self.calling is not Calling.FORBIDDEN and (not self.names or name in self.names)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked, and how.

    model: by the provider's name; empty for the one it is set up with.
    tool_choice: None leaves it to the provider.
    answer_form: the answer's words shall be the arguments of this tool, as JSON.
    is_streamed: the answer shall come in pieces.
    is_without_tools: no tools are offered, not even those that whoever is asked has of its own. False: nobody said so.
    attributes: what those who hand it on (a router) need to know; no model sees it.
    specific: options that only one provider knows; ``own_options`` finds those of the one who is asked.
    """

    context: ModelContext
    model: str = ""
    tool_choice: ToolChoice | None = None
    answer_form: FuncTool | None = None
    is_streamed: bool = True
    attributes: Mapping[str, object] = field(default_factory=dict)
    specific: tuple[SpecificOption[Any], ...] = ()
    is_without_tools: bool = False

    def callable_tools(self) -> tuple[Tool, ...]:
        """Those of the offered tools that the model may call."""
        choice = self.tool_choice or ToolChoice()
        return tuple(tool for tool in self.context.tools if choice.allows(tool.name))


@runtime_checkable
class ChatBackend(Protocol):
    """Who answers: an endpoint, a model of this machine, or a choice among several.

    Serves concurrent requests; closing one answer ends that one only.
    """

    @property
    def name(self) -> str:
        """Who it is, for people: ``openai/gpt-5-mini``, ``SmolLM2-135M-Instruct.Q4_1``."""

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Start an answer. What is sent leaves with this call; what comes back is read from the source.

        Raises:
            Unsupported: it cannot carry a part of the request; nothing was sent.
            ModelError: it could not be reached, or refused.
            TimeoutError: it did not begin to answer in time.
        """


def answered_by(source: DeltaSource, backend: ChatBackend) -> tuple[str, ...]:
    """Whose answer ``source`` is, that ``backend`` gave."""
    return source.answered_by if isinstance(source, NamedSource) else (backend.name,)
