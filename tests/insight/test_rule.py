"""What makes a rule unusable, and how rules are written in YAML and JSON."""

import json
from dataclasses import replace

import pytest

from companion.errors import RuleError
from companion.insight.rule import Example, Pattern, Rule, Var, VarType, check_rules
from companion.insight.rule_book import read_rule_book

TIMER = Rule("timer", (Pattern("timer for [length]"),), {"length": Var("how long")}, {"oven": "has its own"})


def check(rule: Rule) -> str:
    """Why the rule is refused."""
    with pytest.raises(RuleError) as raised:
        check_rules([rule])
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_rule_in_order_is_taken() -> None:
    assert check_rules([TIMER]) == (TIMER,)


@pytest.mark.parametrize("name", ["", " ", " timer", "timer ", "a:b", "a\rb", "a\nb"])
def test_a_name_is_trimmed_and_holds_no_colon_and_no_line_break(name: str) -> None:
    assert "a name must not" in check(replace(TIMER, name=name))


@pytest.mark.parametrize("name", ["1st", "how-long", "how long", "länge", ""])
def test_the_name_of_a_variable_is_plain(name: str) -> None:
    assert f"variable {name!r}: a name has" in check(Rule("timer", vars={name: Var()}))


def test_a_variable_has_one_of_four_types() -> None:
    colour: VarType = "colour"  # type: ignore[assignment]

    assert "there is no type 'colour'; there are string, int, float, bool" in check(
        Rule("r", vars={"a": Var(type=colour)})
    )


@pytest.mark.parametrize("label", [" how long", "how long ", "how [long", "how] long", "how\nlong"])
def test_a_label_is_trimmed_and_holds_no_brackets(label: str) -> None:
    assert "a label must not" in check(replace(TIMER, vars={"length": Var(label)}))


@pytest.mark.parametrize(
    "broken",
    [
        {"patterns": (Pattern("timer\nfor [length]"),)},
        {"patterns": (Pattern("timer", "timer:\r length=[length]"),)},
        {"examples": (Example("a\nsubject"),)},
        {"examples": (Example("subject", "a\nsentence"),)},
        {"references": {"oven": "has\nits own"}},
        {"references": {"ov\nen": "has its own"}},
    ],
)
def test_patterns_examples_and_references_are_one_line_each(broken: dict[str, object]) -> None:
    assert "must be one line" in check(replace(TIMER, **broken))  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", [Pattern("timer [size]"), Pattern("timer", "timer: size=[size]")])
def test_a_placeholder_must_be_declared(pattern: Pattern) -> None:
    assert "pattern 1: there is no variable [size]" in check(replace(TIMER, patterns=(pattern,)))


@pytest.mark.parametrize(
    "text", ["timer [length", "timer length]", "timer []", "timer [[length]]", "timer [two words]"]
)
def test_a_bracket_that_stands_alone_is_refused(text: str) -> None:
    assert "a bracket stands alone" in check(replace(TIMER, patterns=(Pattern(text),)))


def test_an_example_has_a_subject_and_no_output_without_a_sentence() -> None:
    assert "example 1: has no subject" in check(replace(TIMER, examples=(Example(" ", "said"),)))
    assert "has an output, but nothing that a user says" in check(replace(TIMER, examples=(Example("a", "", "out"),)))


def test_there_must_be_rules_and_each_name_once() -> None:
    with pytest.raises(RuleError, match="there are no rules"):
        check_rules([])
    with pytest.raises(RuleError, match="timer: two rules have this name"):
        check_rules([TIMER, TIMER])
    with pytest.raises(RuleError, match="rule 2 is missing"):
        check_rules([TIMER, None])  # type: ignore[list-item]


def test_a_rule_does_not_change_with_what_it_was_made_of() -> None:
    given = {"b": Var("second"), "a": Var("first")}
    rule = Rule("r", vars=given)
    given["c"] = Var()

    assert list(rule.vars) == ["a", "b"]
    with pytest.raises(TypeError):
        rule.vars["d"] = Var()  # type: ignore[index]


YAML = """
language: en
heard_as: {for: [four, "4"]}
parts: {unit: (minute|minutes)}
slots: {length: "# <unit>"}
open_ended: [timer]
rules:
  - name: timer
    vars:
      length: {label: how long}
      count: {type: int, label: how many}
      on: {type: bool, words: (yes|no)}
    references: {oven: has its own}
    patterns:
      - timer for [length]
      - ["[count] timers", "timer: count=[count]"]
    examples: [subject only, [a length, said], [a length, said, written]]
  - {name: no}
"""
RULES = [
    {
        "name": "timer",
        "vars": {
            "length": {"label": "how long"},
            "count": {"type": "int", "label": "how many"},
            "on": {"type": "bool", "words": "(yes|no)"},
        },
        "references": {"oven": "has its own"},
        "patterns": ["timer for [length]", ["[count] timers", "timer: count=[count]"]],
        "examples": ["subject only", ["a length", "said"], ["a length", "said", "written"]],
    },
    {"name": "no"},
]
TIMER_READ = Rule(
    "timer",
    (Pattern("timer for [length]"), Pattern("[count] timers", "timer: count=[count]")),
    {
        "length": Var("how long"),
        "count": Var("how many", VarType.INT),
        "on": Var("", VarType.BOOL, "(yes|no)"),
    },
    {"oven": "has its own"},
    (Example("subject only"), Example("a length", "said"), Example("a length", "said", "written")),
)


@pytest.mark.parametrize(("text", "file"), [(YAML, "rules.yaml"), (YAML, "rules.yml"), (json.dumps(RULES), "r.json")])
def test_yaml_and_json_say_the_same(text: str, file: str) -> None:
    assert read_rule_book(text, file=file).rules == (TIMER_READ, Rule("no"))


def test_a_book_says_how_its_language_is_heard() -> None:
    book = read_rule_book(YAML, file="rules.yaml")

    assert (book.language, book.open_ended, book.parts) == ("en", ("timer",), {"unit": "(minute|minutes)"})
    assert book.hearing.heard_as == {"for": ("four", "4")}


def test_rules_may_be_a_table_by_name_and_just_their_patterns() -> None:
    written = {"language": "en", "rules": {"stop": ["stop"], "go": {"patterns": ["go"]}}}

    book = read_rule_book(json.dumps(written), file="r.json")

    assert book.rules == (Rule("stop", (Pattern("stop"),)), Rule("go", (Pattern("go"),)))


def test_a_variable_that_is_declared_in_the_rule_goes_before_one_of_the_book() -> None:
    written = {
        "language": "en",
        "slots": {"size": "(s|l)", "other": "x"},
        "rules": [{"name": "a", "patterns": ["[size]"]}, {"name": "b", "vars": {"size": {"type": "int"}}}],
    }

    one, other = read_rule_book(json.dumps(written), file="r.json").rules

    assert (one.vars, other.vars) == ({"size": Var(words="(s|l)")}, {"size": Var(type=VarType.INT)})


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[{", "rules.yaml: line 2: this is no YAML"),
        ("a: &x [*x]", "rules.yaml: "),
        ("- " * 40 + "deep", "rules.yaml: line 1: nested more than 20 levels deep"),
        ("- name: a\n  name: b", "rules.yaml: line 2: 'name' is given twice"),
        ("- {? [a] : b}", "rules.yaml: line 1: a name must be a text"),
        ("", "rules.yaml: there are no rules"),
        ("just words", "rules.yaml: a rules file: must be a table"),
        ("language: en\nrules: 5", "rules.yaml: rules: must be a list"),
        ("- patterns: [a]", "rules.yaml: rule 1: name: must be a text"),
        ("- just words", "rules.yaml: rule 1: must be a table"),
        ("- {name: a, pattern: b}", "rules.yaml: a: there is no 'pattern' in a rule"),
        ("- {name: a, vars: {b: {kind: int}}}", "rules.yaml: a: there is no 'kind' in a variable"),
        ("- {name: a, vars: {b: {type: colour}}}", "rules.yaml: a: there is no type 'colour'"),
        ("- {name: a, vars: {b: {label: [c]}}}", "rules.yaml: a: each value must be a text"),
        ("- {name: a, patterns: [[b, c, d]]}", "rules.yaml: a: a pattern is a text, or a list of what is said and"),
        ("- {name: a, patterns: [{b: c}]}", "rules.yaml: a: a pattern is a text, or a list of what is said and"),
        ("- {name: a, examples: [[b, c, d, e]]}", "rules.yaml: a: an example is its subject, and perhaps"),
        ("- {name: a, examples: [[]]}", "rules.yaml: a: example 1: has no subject"),
        ("- {name: a, references: {b: [c]}}", "rules.yaml: a: each value must be a text"),
        ("- {name: a}\n- {name: a}", "rules.yaml: a: two rules have this name"),
    ],
)
def test_what_cannot_be_used_names_file_and_rule(text: str, error: str) -> None:
    with pytest.raises(RuleError) as raised:
        read_rule_book(text, file="rules.yaml")

    assert str(raised.value).startswith(error)
    assert "\n" not in str(raised.value)
    assert (raised.value.file, raised.value.exit_status) == ("rules.yaml", 2)
    assert raised.value.mend


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[", "r.json: line 1: this is no JSON: Expecting value"),
        ('[{"name": "a", "name": "b"}]', "r.json: 'name' is given twice"),
        ("[" * 100_000, "r.json: "),
        ("[null]", "r.json: rule 1: name: must be a text"),
        ('[{"name": 5}]', "r.json: rule 1: name: must be a text"),
        ('[{"name": "a", "patterns": [5]}]', "r.json: a: a pattern is a text, or a list of what is said and"),
    ],
)
def test_broken_json_names_file_and_rule(text: str, error: str) -> None:
    with pytest.raises(RuleError) as raised:
        read_rule_book(text, file="r.json")

    assert str(raised.value).startswith(error)


def test_an_alias_that_names_much_is_read_once() -> None:
    """Nine levels of nine aliases each would be a thousand million texts."""
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10))]

    with pytest.raises(RuleError, match="there is no 'a0' in a rules file"):
        read_rule_book("\n".join(lines), file="rules.yaml")
