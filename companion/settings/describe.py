"""Every setting as a person sees it: its dotted name, its meaning, its default and what it allows."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from companion.errors import SettingsError
from companion.settings.schema import Section, Settings

Value = str | bool | int | float | tuple[str, ...]


class Form(StrEnum):
    """What kind of value a setting has."""

    SWITCH = "switch"
    CHOICE = "choice"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    TEXTS = "texts"


@dataclass(frozen=True, slots=True)
class Described:
    """One setting. ``name`` is dotted, as ``sound.volume``. low, high: of a number; None where there is no limit."""

    name: str
    meaning: str
    default: Value
    allowed: str
    form: Form = Form.TEXT
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    @property
    def section(self) -> str:
        return self.name.partition(".")[0]

    @property
    def key(self) -> str:
        return self.name.partition(".")[2]


@cache
def described() -> dict[str, Described]:
    """All settings by dotted name, in the order of the schema."""
    return {
        f"{section}.{key}": _of(f"{section}.{key}", info)
        for section, table in sections()
        for key, info in table.model_fields.items()
    }


def sections() -> Iterator[tuple[str, type[Section]]]:
    """The tables of the settings file and what each holds."""
    for name, info in Settings.model_fields.items():
        assert isinstance(info.annotation, type)
        assert issubclass(info.annotation, Section)
        yield name, info.annotation


def find(name: str) -> Described:
    """The setting of that dotted name.

    Raises:
        SettingsError: there is none; the mend names one that is spelt alike.
    """
    known = described()
    if name in known:
        return known[name]
    raise SettingsError(f"there is no setting {name!r}", field=name, mend=mend_for_unknown(name))


def mend_for_unknown(name: str) -> str:
    """What to do about a name that is no setting."""
    known = list(described())
    alike = difflib.get_close_matches(name, known, n=1, cutoff=0.6) or [
        full for full in known if full.endswith("." + name.rpartition(".")[2])
    ]
    return f"Did you mean {alike[0]}?" if alike else "See `companion settings list`."


def value_of(settings: Settings, setting: Described) -> Value:
    """What ``settings`` hold for it."""
    value: Value = getattr(getattr(settings, setting.section), setting.key)
    return value


def written(value: Value) -> str:
    """A value as a person would type it; ``store.value_from`` reads it back."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return ";".join(value)
        case float():
            return f"{value:.10g}"
        case _:
            return str(value)


def _of(name: str, info: FieldInfo) -> Described:
    choices = tuple(str(choice) for choice in get_args(info.annotation)) if _form(info) is Form.CHOICE else ()
    return Described(
        name,
        info.description or "",
        info.default,
        _allowed(info),
        _form(info),
        choices,
        _bound(info, "ge"),
        _bound(info, "le"),
    )


def _form(info: FieldInfo) -> Form:
    kind = info.annotation
    if get_origin(kind) is Literal:
        return Form.CHOICE
    if get_origin(kind) is tuple:
        return Form.TEXTS
    return {bool: Form.SWITCH, int: Form.WHOLE, float: Form.NUMBER}.get(kind, Form.TEXT)  # type: ignore[arg-type]


def _allowed(info: FieldInfo) -> str:
    kind = info.annotation
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(kind))
    if kind is bool:
        return "true or false"
    if kind is str:
        return _allowed_text(_bound(info, "pattern"))
    if get_origin(kind) is tuple:
        return 'a list of texts, as ["one", "other"]'
    number = "a whole number" if kind is int else "a number"
    low, high = _bound(info, "ge"), _bound(info, "le")
    return f"{number} from {low:g} to {high:g}" if low is not None and high is not None else number


def _allowed_text(pattern: str | None) -> str:
    if pattern is None:
        return "text"
    if "auto" in pattern:
        return 'a tag as "en" or "zh-CN", or "auto"'
    if "ctrl" in pattern:
        return 'keys, as "ctrl+alt+space"'
    return 'a provider and its model, as "openai/gpt-5-mini"' if "/" in pattern else "a name in small letters"


def _bound(info: FieldInfo, name: str) -> Any:
    return next((getattr(mark, name) for mark in info.metadata if hasattr(mark, name)), None)
