"""What only one provider knows, put into a request as it is."""

from __future__ import annotations

from collections.abc import Mapping

from companion.model.options import JsonValue


def with_extra(body: Mapping[str, JsonValue], extra: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The body with the extra fields, which come last and count. An object is filled up, not replaced, so that one of
    its fields can be set beside ours (``{"tool_choice": {"disable_parallel_tool_use": True}}``).
    """
    return {**body, **{name: _filled(body.get(name), value) for name, value in extra.items()}}


def _filled(ours: JsonValue, theirs: JsonValue) -> JsonValue:
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return {**ours, **theirs}
    return theirs
