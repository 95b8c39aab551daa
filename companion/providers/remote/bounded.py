"""A chat model of a provider within the bounds that were set for it: what is beyond them is not sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.errors import Unsupported
from companion.model import ChatBackend, ChatRequest, JsonValue, Kind, ModelParams
from companion.model.deltas import DeltaSource
from companion.providers.remote.sent import kinds_in


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a model takes.

    takes_text_only: no pictures, no sound. holds_form, calls_tools: whether it is asked for these.
    extra_fields: sent with each question, where it does not set them itself.
    """

    takes_text_only: bool = False
    holds_form: bool = True
    calls_tools: bool = True
    extra_fields: Mapping[str, JsonValue] = field(default_factory=dict)


class BoundedChat:
    """A ChatBackend of one model: whatever name a question calls it by, it is the one that ``backend`` has."""

    def __init__(self, backend: ChatBackend, bounds: Bounds) -> None:
        self._backend = backend
        self._bounds = bounds

    @property
    def name(self) -> str:
        return self._backend.name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Ask, if it is within the bounds.

        Raises:
            Unsupported: it is not; nothing was sent.
            ModelError, TimeoutError: as the backend does.
        """
        self._check(request)
        extra = ModelParams(extra_fields=self._bounds.extra_fields)
        context = replace(request.context, params=extra.merged(request.context.params))
        return await self._backend.ask(replace(request, context=context, model=""))

    def _check(self, request: ChatRequest) -> None:
        bounds, context = self._bounds, request.context
        if bounds.takes_text_only and (more := kinds_in(context) - {Kind.TEXT, Kind.THOUGHT}):
            raise self._refused(f"takes words only, no {', '.join(sorted(more))}", "text_only")
        if not bounds.calls_tools and context.tools:
            raise self._refused("is set up to call no tools", "support_tool_calls")
        if not bounds.holds_form and request.answer_form is not None:
            raise self._refused("is set up to hold no answer to a form", "support_json_output")

    def _refused(self, why: str, field: str) -> Unsupported:
        return Unsupported(f"{self.name} {why}", mend=f"change {field} in its file, or choose another model")
