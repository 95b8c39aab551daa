"""What a tool may know of the turn that called it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from companion.model.toolkit import CallBudget


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The turn around one call.

    session: the name of the conversation; empty outside of any. call_id: of the call that runs.
    attributes: those of the prompt.
    budget: the calls of the turn; a tool that lets a model call tools of its own gives it on.
    """

    session: str = ""
    call_id: str = ""
    attributes: Mapping[str, object] = field(default_factory=dict)
    budget: CallBudget = field(default_factory=CallBudget)


_around: ContextVar[ToolContext | None] = ContextVar("companion_tool_context", default=None)


def tool_context() -> ToolContext:
    """The turn around the call that is running here, on its task or thread; an empty one where none is."""
    return _around.get() or ToolContext()


@contextmanager
def called_within(context: ToolContext) -> Iterator[None]:
    """Tools that are called inside see ``context``."""
    token = _around.set(context)
    try:
        yield
    finally:
        _around.reset(token)
