"""How a model shall answer: None is unset, and zero is a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class Thinking:
    """Whether a model thinks before it answers, and how hard, in the words of its maker ("low", "high")."""

    enabled: bool | None = None
    level: str | None = None

    def merged(self, override: Thinking) -> Thinking:
        """These, with what ``override`` sets in their place."""
        return _merged(self, override)


@dataclass(frozen=True, slots=True)
class ModelParams:
    """How to sample.

    n: how many answers are wanted.
    stop: texts before which the answer ends.
    extra_fields: what only one provider knows, sent to it as it is.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None
    n: int | None = None
    stop: tuple[str, ...] | None = None
    thinking: Thinking | None = None
    extra_fields: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def is_set(self) -> bool:
        """Whether any of them is."""
        return self != ModelParams()

    def merged(self, override: ModelParams) -> ModelParams:
        """These, with what ``override`` sets in their place; of thinking and the extra fields each one for itself."""
        thinking = override.thinking
        if self.thinking is not None and thinking is not None:
            thinking = self.thinking.merged(thinking)
        extra_fields = {**self.extra_fields, **override.extra_fields}
        return replace(_merged(self, override), thinking=thinking or self.thinking, extra_fields=extra_fields)


_Options = TypeVar("_Options", Thinking, ModelParams)


def _merged(options: _Options, override: _Options) -> _Options:
    given = {one.name: getattr(override, one.name) for one in fields(override)}
    return replace(options, **{name: value for name, value in given.items() if value is not None})
