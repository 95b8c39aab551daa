"""A rule: what a sentence may sound like, what it may hold, and how its answer is written.

A pattern is a template (``companion.insight.template``) in which ``[name]`` stands for the words of a variable.
The same rules serve the matcher without a model (``match``) and the one with a model (``model_match``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from companion.errors import RuleError

VAR_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACEHOLDER = re.compile(rf"\[({VAR_NAME.pattern})\]")


class VarType(StrEnum):
    """What the words of a variable stand for."""

    STRING = "string"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"


@dataclass(frozen=True, slots=True)
class Var:
    """A variable of a rule.

    label: what it is, for a model to read ("how long"); empty: its name says it.
    words: a template of what it may hold, for the matcher without a model; empty: whatever its type may.
    """

    label: str = ""
    type: VarType = VarType.STRING
    words: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence of the rule, and how its answer shall be written; empty: the usual way."""

    text: str
    output: str = ""

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The variables in ``text``, each once, in order."""
        return tuple(dict.fromkeys(_PLACEHOLDER.findall(self.text)))


@dataclass(frozen=True, slots=True)
class Example:
    """subject: what it shows. user: what somebody says. output: what is answered."""

    subject: str
    user: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. It keeps copies of what it is given, sorted by name, so that equal rules read the same.

    references: knowledge a model needs, by name.
    """

    name: str
    patterns: tuple[Pattern, ...] = ()
    vars: Mapping[str, Var] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "patterns", tuple(self.patterns))
        object.__setattr__(self, "examples", tuple(self.examples))
        object.__setattr__(self, "vars", MappingProxyType(dict(sorted(self.vars.items()))))
        object.__setattr__(self, "references", MappingProxyType(dict(sorted(self.references.items()))))


def labelled(text: str, rule: Rule) -> str:
    """``text`` with ``[label]`` in place of each ``[name]`` whose variable has a label."""

    def label(placeholder: re.Match[str]) -> str:
        var = rule.vars.get(placeholder[1])
        return f"[{var.label}]" if var and var.label else placeholder[0]

    return _PLACEHOLDER.sub(label, text)


def check_rules(rules: Iterable[Rule], *, file: str = "") -> tuple[Rule, ...]:
    """The rules, if they can be used.

    file: their name, for errors.

    Raises:
        RuleError: one cannot; the message names file and rule.
    """
    checked: dict[str, Rule] = {}
    for number, rule in enumerate(rules, start=1):
        if not isinstance(rule, Rule):
            raise rule_error(f"rule {number} is missing", file=file)
        if rule.name in checked:
            raise rule_error("two rules have this name", file=file, rule=rule.name)
        for fault in _faults(rule):
            raise rule_error(fault, file=file, rule=rule.name.strip() or f"rule {number}")
        checked[rule.name] = rule
    if not checked:
        raise rule_error("there are no rules", file=file)
    return tuple(checked.values())


def rule_error(what: str, *, file: str, rule: str = "") -> RuleError:
    """An error that names file and rule, in one line."""
    where = "".join(f"{part}: " for part in (file, " ".join(rule.split())) if part)
    return RuleError(where + what, file=file, rule=rule, mend="mend the rule, or reinstall companion")


def _faults(rule: Rule) -> Iterator[str]:
    if not rule.name.strip() or rule.name != rule.name.strip():
        yield "a name must not be blank, nor begin or end with a space"
    if re.search(r"[:\r\n]", rule.name):
        yield "a name must not hold a colon or a line break"
    for name, var in rule.vars.items():
        yield from _faults_of_var(name, var)
    for name, text in rule.references.items():
        if _has_break(name, text):
            yield f"reference {name.strip()!r}: must be one line"
    for number, pattern in enumerate(rule.patterns, start=1):
        yield from (f"pattern {number}: {fault}" for fault in _faults_of_pattern(pattern, rule))
    for number, example in enumerate(rule.examples, start=1):
        yield from (f"example {number}: {fault}" for fault in _faults_of_example(example))


def _faults_of_var(name: str, var: Var) -> Iterator[str]:
    if not VAR_NAME.fullmatch(name):
        yield f"variable {name!r}: a name has letters, digits and _ only, and begins with no digit"
    if var.type not in set(VarType):
        yield f"variable {name!r}: there is no type {var.type!r}; there are {', '.join(VarType)}"
    if var.label != var.label.strip() or re.search(r"[\[\]\r\n]", var.label):
        yield f"variable {name!r}: a label must not begin or end with a space, nor hold brackets or a line break"


def _faults_of_pattern(pattern: Pattern, rule: Rule) -> Iterator[str]:
    if _has_break(pattern.text, pattern.output):
        yield "must be one line"
    if not pattern.text.strip():
        yield "the template is empty"
    for text in (pattern.text, pattern.output):
        for name in _PLACEHOLDER.findall(text):
            if name not in rule.vars:
                yield f"there is no variable [{name}]"
        if re.search(r"[\[\]]", _PLACEHOLDER.sub("", text)):
            yield "a bracket stands alone; [name] is a variable"


def _faults_of_example(example: Example) -> Iterator[str]:
    if _has_break(example.subject, example.user, example.output):
        yield "must be one line"
    if not example.subject.strip():
        yield "has no subject"
    if example.output.strip() and not example.user.strip():
        yield "has an output, but nothing that a user says"


def _has_break(*texts: str) -> bool:
    return any("\n" in text or "\r" in text for text in texts)
