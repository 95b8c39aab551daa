"""Rules as a page for a model to read: always the same for equal rules, so that a prefix cache hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.insight.rule import Example, Pattern, Rule, labelled

_INSTRUCTION = """\
Say which of the rules below fit what the user says. Answer with one line for each that fits, and nothing else:
the name of the rule alone, or: name: variable=value, variable=value
Leave out a variable of which nothing is said. A value that holds a comma or a double quote stands in double quotes, \
with \\" for a double quote inside.
Where no rule fits, answer with the user's words in one line."""


def rule_prompt(rules: Iterable[Rule]) -> str:
    """The system text that asks for ``companion.insight.answer_lines``."""
    return "\n\n".join((_INSTRUCTION, *("\n".join(_rule(rule)) for rule in rules)))


def expected_output(pattern: Pattern, rule: Rule) -> str:
    """What a sentence of ``pattern`` is answered with."""
    if pattern.output:
        return labelled(pattern.output, rule)
    args = ", ".join(f"{name}=[{name}]" for name in pattern.placeholders)
    return labelled(f"{rule.name}: {args}" if args else rule.name, rule)


def _rule(rule: Rule) -> Iterator[str]:
    yield f"# {rule.name}"
    if rule.vars:
        yield "Variables:"
        yield from (f"- {name} ({var.type}): {var.label or name}" for name, var in rule.vars.items())
    if rule.references:
        yield "Good to know:"
        yield from (f"- {name}: {text}" for name, text in rule.references.items())
    if rule.patterns:
        yield "Sentences:"
        yield from (f"- {labelled(one.text, rule)} -> {expected_output(one, rule)}" for one in rule.patterns)
    if rule.examples:
        yield "Examples:"
        yield from (f"- {_example(example)}" for example in rule.examples)


def _example(example: Example) -> str:
    said = f"{example.subject}: {example.user}" if example.user else example.subject
    return f"{said} -> {example.output}" if example.output else said
