"""What a matcher understood: a rule and the values of its variables, or words that no rule stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.insight.rule import Var, VarType

Value = str | int | float | bool

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "t", "1"), True),
    **dict.fromkeys(("false", "no", "off", "f", "0"), False),
}


@dataclass(frozen=True, slots=True)
class Arg:
    """A variable and what was said for it; None where nothing was."""

    var: Var
    words: str | None = None

    @property
    def has_value(self) -> bool:
        return self.words is not None

    @property
    def value(self) -> Value | None:
        """The words as the type of the variable; as they are where they do not stand for one."""
        return None if self.words is None else _typed(self.words, self.var.type)


@dataclass(frozen=True, slots=True)
class Match:
    """One thing understood.

    rule: which understood it; empty where none did, and ``raw_text`` says what it was.
    args: every variable of the rule, said or not.
    open_ended: whether more words may follow and belong to it ("remind me at six to call ...").
    """

    rule: str
    args: Mapping[str, Arg] = field(default_factory=dict)
    raw_text: str = ""
    open_ended: bool = False

    @property
    def slots(self) -> Mapping[str, str]:
        """The words of those variables for which something was said."""
        return {name: arg.words for name, arg in self.args.items() if arg.words is not None}

    def as_json(self) -> dict[str, object]:
        """``{rule, args: {name: {value, var: {label, type}, has_value}}, raw_text}``."""
        args = {name: _arg_as_json(arg) for name, arg in self.args.items()}
        return {"rule": self.rule, "args": args, "raw_text": self.raw_text}


def _arg_as_json(arg: Arg) -> dict[str, object]:
    var = {"label": arg.var.label, "type": str(arg.var.type)}
    return {"value": arg.value, "var": var, "has_value": arg.has_value}


def _typed(words: str, kind: VarType) -> Value:
    number = re.sub(r"^(?:-|minus) ", "-", words)
    match kind:
        case VarType.STRING:
            return words
        case VarType.INT:
            return int(number) if _INTEGER.fullmatch(number) else words
        case VarType.FLOAT:
            return float(number) if _NUMBER.fullmatch(number) else words
        case VarType.BOOL:
            return _TRUTHS.get(words.lower(), words)
