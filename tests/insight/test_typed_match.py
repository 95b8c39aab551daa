"""Rules of YAML and JSON, understood without a model: typed variables, optional words, and the same shape of result."""

import json
import random
import time

import pytest

from companion.errors import RuleError
from companion.insight.match import Matcher
from companion.insight.rule import Pattern, Rule, Var, VarType
from companion.insight.rule_book import RuleBook
from companion.insight.understood import Match

YAML = """
- name: lights
  vars:
    room: {label: which room, words: (kitchen|living room|hall)}
    level: {label: how bright, type: int}
    on: {type: bool}
  patterns:
    - (please|) (turn|switch) [on] the (light|lights) in the [room]
    - "Set the [room] light(s|) to [level] (percent|%|)!"
- name: price
  vars: {amount: {type: float}, thing: {}}
  patterns: ["[thing] costs [amount] (euros|)"]
"""


def understood(text: str) -> tuple[str, dict[str, object]] | None:
    match = Matcher.parse(YAML, file="rules.yaml").match(text)
    return match and (match.rule, {name: arg.value for name, arg in match.args.items() if arg.has_value})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please turn on the lights in the living room.", ("lights", {"on": True, "room": "living room"})),
        ("Switch OFF the light in the hall", ("lights", {"on": False, "room": "hall"})),
        ("set the kitchen light to 40%", ("lights", {"room": "kitchen", "level": 40})),
        ("set the kitchen light to -40", ("lights", {"room": "kitchen", "level": -40})),
        ("set the kitchen light to minus 40 percent", ("lights", {"room": "kitchen", "level": -40})),
        ("Black tea costs 2.50 euros", ("price", {"thing": "black tea", "amount": 2.5})),
        ("tea costs 3", ("price", {"thing": "tea", "amount": 3.0})),
        ("set the kitchen light to 4.5", None),
        ("set the garage light to 40", None),
        ("turn maybe the lights in the hall", None),
        ("tea costs much", None),
    ],
)
def test_the_words_of_a_variable_are_read_as_its_type(text: str, found: object) -> None:
    assert understood(text) == found


def test_a_match_has_the_same_shape_with_and_without_a_model() -> None:
    match = Matcher.parse(YAML, file="rules.yaml").match("set the hall light to 7")

    assert match is not None
    assert json.loads(json.dumps(match.as_json())) == {
        "rule": "lights",
        "args": {
            "level": {"value": 7, "var": {"label": "how bright", "type": "int"}, "has_value": True},
            "on": {"value": None, "var": {"label": "", "type": "bool"}, "has_value": False},
            "room": {"value": "hall", "var": {"label": "which room", "type": "string"}, "has_value": True},
        },
        "raw_text": "",
    }


def test_json_and_yaml_compile_to_the_same_matcher() -> None:
    rules = [{"name": "say", "vars": {"text": {}}, "patterns": ["say [text]"]}]
    yaml, as_json = "- {name: say, vars: {text: {}}, patterns: ['say [text]']}", json.dumps(rules)

    found = [
        Matcher.parse(text, file=file).match("Say hello!") for text, file in ((yaml, "r.yaml"), (as_json, "r.json"))
    ]

    assert found[0] == found[1]
    assert found[0] is not None
    assert found[0].slots == {"text": "hello"}


def test_words_are_compared_as_a_recogniser_writes_them() -> None:
    """A pattern may be written as people write; both sides are brought into plain form."""
    matcher = Matcher.parse('- {name: a, patterns: ["What\'s the 10-minute Forecast, please?"]}', file="rules.yaml")

    assert matcher.match("what's the 10 minute forecast please") == Match("a")


def test_the_words_of_a_variable_are_checked_with_the_rule() -> None:
    book = RuleBook((Rule("a", (Pattern("x [b]"),), {"b": Var(words="(c")}),), file="rules.yaml")

    with pytest.raises(RuleError, match=r"rules\.yaml: a: words: '\)' is missing"):
        Matcher(book)


def test_an_open_variable_in_every_place_stays_quick() -> None:
    """The most an author can ask for: open variables, and a sentence full of the words between them."""
    matcher = Matcher.parse(
        "- {name: a, vars: {x: {}, y: {}, z: {}}, patterns: ['[x] to [y] to [z] end']}", file="r.yaml"
    )

    began = time.perf_counter()

    assert matcher.match("to " * 79) is None
    assert time.perf_counter() - began < 0.05


WORDS = "please turn set the light lights lamp kitchen hall on off to now 5 40".split()


def sentences(seed: int, count: int) -> list[str]:
    dice = random.Random(seed)
    return [" ".join(dice.choices(WORDS, k=dice.randint(1, 6))) for _ in range(count)]


def template(dice: random.Random) -> str:
    def item() -> str:
        match dice.randint(0, 5):
            case 0:
                return f"({dice.choice(WORDS)}|)"
            case 1:
                return f"({dice.choice(WORDS)}|{dice.choice(WORDS)} {dice.choice(WORDS)})"
            case 2:
                return dice.choice(["_", "#", "*"])
            case _:
                return dice.choice(WORDS)

    return " ".join([*(item() for _ in range(dice.randint(0, 3))), dice.choice(WORDS)])


@pytest.mark.parametrize("seed", range(20))
def test_the_index_finds_what_trying_every_pattern_finds(seed: int) -> None:
    dice = random.Random(seed)
    rules = tuple(Rule(f"rule {number}", (Pattern(template(dice)),)) for number in range(40))
    alone = [Matcher(RuleBook((rule,))) for rule in rules]
    together = Matcher(RuleBook(rules))
    found = 0

    for sentence in sentences(seed, 50):
        first = next((match for matcher in alone if (match := matcher.match(sentence))), None)
        assert together.match(sentence) == first
        found += first is not None

    assert found


def test_a_type_that_is_not_met_leaves_the_words() -> None:
    rule = Rule("a", (Pattern("take [n]"),), {"n": Var(type=VarType.INT, words="(some|#)")})

    match = Matcher(RuleBook((rule,))).match("take some")

    assert match is not None
    assert (match.args["n"].value, match.args["n"].has_value) == ("some", True)
