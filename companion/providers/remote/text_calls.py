"""Tool calls that come as text from a server of small models, put among those that come as calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.model import ChatRequest
from companion.model.calls import CallDelta
from companion.model.deltas import Delta, Finish, Finished, TextDelta
from companion.model.tool import functions_of
from companion.model.tool_text import ToolText

_BEHIND = 1_000
"""Added to the index of a call that came as text: it is another than the call of that index that came as one."""


def callable_names(request: ChatRequest) -> tuple[str, ...]:
    """The names of the tools that may be called; none where the answer is asked for in a form."""
    tools = () if request.answer_form is not None else request.callable_tools()
    return tuple(tool.name for tool in functions_of(tools))


class TextCalls:
    """Takes the deltas of one answer, and gives them with the calls that stand in the words. names: of the tools."""

    def __init__(self, names: Sequence[str]) -> None:
        self._text = ToolText(names)
        self._is_over = False

    def read(self, deltas: Sequence[Delta]) -> list[Delta]:
        """What is certain by now."""
        out: list[Delta] = []
        for delta in deltas:
            match delta:
                case TextDelta(text) if not self._is_over:
                    out += _apart(self._text.feed(text))
                case Finished():
                    out += self.end(is_cut=delta.why is Finish.LENGTH)
                    out.append(self._finished(delta))
                case _:
                    out.append(delta)
        return out

    def end(self, *, is_cut: bool = True) -> list[Delta]:
        """What was held back. is_cut: the answer ended in the middle."""
        if self._is_over:
            return []
        self._is_over = True
        return _apart(self._text.end(is_cut=is_cut))

    def _finished(self, finished: Finished) -> Finished:
        calls = self._text.count and finished.why is Finish.STOP
        return replace(finished, why=Finish.TOOL_CALLS) if calls else finished


def _apart(deltas: Sequence[TextDelta | CallDelta]) -> list[Delta]:
    return [
        replace(delta, index=_BEHIND + (delta.index or 0)) if isinstance(delta, CallDelta) else delta
        for delta in deltas
    ]
