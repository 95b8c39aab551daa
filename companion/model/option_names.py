"""Options by their names, as a configuration gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from companion.errors import BadInput
from companion.model.chat_options import (
    Option,
    with_extra_fields,
    with_limits,
    with_model,
    with_params,
    with_stop,
    with_thinking,
    with_timeouts,
    with_tools_run,
)
from companion.model.options import ModelParams
from companion.model.shape import Misfit


@dataclass(frozen=True, slots=True)
class _Named:
    """kind: the Python type of its value."""

    kind: object
    make: Callable[[Any], Option]


def _param(name: str, kind: object) -> _Named:
    return _Named(kind, lambda value: with_params(ModelParams(**{name: value})))


_OPTIONS: Mapping[str, _Named] = {
    "model": _Named(str, with_model),
    "max_tokens": _param("max_tokens", int),
    "temperature": _param("temperature", float),
    "top_p": _param("top_p", float),
    "top_k": _param("top_k", int),
    "frequency_penalty": _param("frequency_penalty", float),
    "presence_penalty": _param("presence_penalty", float),
    "seed": _param("seed", int),
    "stop": _Named(list[str], lambda texts: with_stop(*texts)),
    "thinking": _Named(bool, lambda enabled: with_thinking(enabled=enabled)),
    "thinking_level": _Named(str, lambda level: with_thinking(level=level)),
    "extra_fields": _Named(dict[str, object], lambda fields: with_extra_fields(**fields)),
    "runs_tools": _Named(bool, with_tools_run),
    "most_rounds": _Named(int, lambda rounds: with_limits(rounds=rounds)),
    "most_calls": _Named(int, lambda calls: with_limits(calls=calls)),
    "longest_result": _Named(int, lambda result: with_limits(result=result)),
    "silence": _Named(float, lambda silence: with_timeouts(silence=silence)),
    "deadline": _Named(float, lambda deadline: with_timeouts(deadline=deadline)),
    "tool_seconds": _Named(float, lambda tool: with_timeouts(tool=tool)),
}


def options_named(given: Mapping[str, object]) -> tuple[Option, ...]:
    """The options of these names, in order.

    Raises:
        BadInput: there is no option of a name, and the message tells which is like it; or a value does not fit.
    """
    return tuple(_option(name, value) for name, value in given.items())


def _option(name: str, value: object) -> Option:
    from companion.model.typed import shape_of

    named = _OPTIONS.get(name)
    if named is None:
        near = get_close_matches(name, _OPTIONS, n=1)
        mend = f"{near[0]!r} is like it" if near else f"there are: {', '.join(_OPTIONS)}"
        raise BadInput(f"there is no option {name!r}", mend=mend)
    try:
        return named.make(shape_of(named.kind).read(value))
    except Misfit as misfit:
        raise BadInput(f"option {name!r}: {misfit}") from misfit
