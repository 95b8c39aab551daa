import pytest

from companion.errors import RuleError
from companion.insight.match import Matcher

RULES = """
language = "en"
lead = ["okay nabu", "please"]
trail = ["thanks", "for me"]
[replace]
um = ""
"what's" = "what is"
[heard_as]
for = ["four", "4"]
[parts]
size = "(small|large|# inch)"
[slots]
size = "<size>"
name = "_ (_|)"
rest = "*"
[rules]
order = ["order (me|) (a|an) ([size]|) pizza (for [name]|)"]
say = ["say [rest]"]
again = ["(again)+"]
thanks = ["thanks"]
"""


def slots_of(text: str) -> tuple[str, dict[str, str]] | None:
    match = Matcher.parse(RULES, file="rules.toml").match(text)
    return match and (match.rule, dict(match.slots))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("order a pizza", ("order", {})),
        ("Order me a large pizza!", ("order", {"size": "large"})),
        ("order a 12-inch pizza 4 Mary Ann", ("order", {"size": "12 inch", "name": "mary ann"})),
        ("Okay, Nabu... please, um, order a pizza for me. Thanks!", ("order", {})),
        ("say hello to all of them", ("say", {"rest": "hello to all of them"})),
        ("again again again", ("again", {})),
        ("Thanks.", ("thanks", {})),
        ("order a pizza and a coke", None),
        ("I order a pizza", None),
        ("order a huge pizza", None),
        ("order pizza", None),
        ("say", None),
        ("", None),
        ("…", None),
        ("say " + "x" * 500, None),
    ],
)
def test_a_rule_understands_a_whole_sentence_or_none_of_it(text: str, found: object) -> None:
    assert slots_of(text) == found


def test_the_first_rule_that_fits_wins() -> None:
    text = 'language = "en"\n[slots]\nany = "*"\n[rules]\nfirst = ["say [any]"]\nsecond = ["say hello"]'

    match = Matcher.parse(text, file="rules.toml").match("say hello")

    assert match is not None
    assert match.rule == "first"


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ('stop = ["stop (now"]', "rules.toml: stop: pattern 1: ')' is missing"),
        ('stop = ["stop", "stop now)"]', "rules.toml: stop: pattern 2: ')' stands where nothing was opened"),
        ('stop = ["stop now+"]', "rules.toml: stop: pattern 1: '+' stands where nothing was opened"),
        ('stop = ["stop ()"]', "rules.toml: stop: pattern 1: '( )' is empty"),
        ('stop = ["stop|halt"]', "rules.toml: stop: pattern 1: '|' stands outside of ( )"),
        ('stop = ["stop [when]"]', "rules.toml: stop: pattern 1: there is no variable [when]"),
        ('stop = ["stop <when>"]', "rules.toml: stop: pattern 1: there is no part <when>"),
        ('stop = ["stop [when"]', "rules.toml: stop: pattern 1: a bracket stands alone"),
        ('stop = ["stop <when"]', "rules.toml: stop: pattern 1: cannot read '<when'"),
        ('stop = [""]', "rules.toml: stop: pattern 1: the template is empty"),
        ('stop = ["(please|)"]', "rules.toml: stop: pattern 1 fits silence"),
        ('stop = ["?!"]', "rules.toml: stop: pattern 1 fits silence"),
        ('stop = "stop"', "rules.toml: stop: must be a table"),
        ("stop = [5]", "rules.toml: stop: a pattern is a text, or a list of what is said and"),
        (
            'stop = ["stop <loop>"]\n[parts]\nloop = "a <loop>"',
            "rules.toml: stop: pattern 1: the part <loop> contains itself",
        ),
        (
            'stop = ["<loop> stop"]\n[parts]\nloop = "<loop> a"',
            "rules.toml: stop: pattern 1: the part <loop> contains itself",
        ),
        ('stop = ["stop"]\n[parts]\nbad = "(a"', "rules.toml: bad: parts: ')' is missing"),
        ('stop = ["[a] [a]"]\n[slots]\na = "*"', "rules.toml: stop: pattern 1: redefinition of group name"),
        ('stop = ["stop [a]"]\n[slots]\na = "<b>"', "rules.toml: stop: pattern 1: there is no part <b>"),
        ('stop = ["stop [a]"]\n[slots]\na = "(b"', "rules.toml: stop: words: ')' is missing"),
        ('stop = ["stop"]\n[extra]', "rules.toml: there is no 'extra' in a rules file"),
        ('stop = ["stop"]\nstop = ["halt"]', "rules.toml: "),
        ("stop = [", "rules.toml: "),
    ],
)
def test_a_rules_file_that_cannot_be_used_names_file_and_rule(rules: str, error: str) -> None:
    with pytest.raises(RuleError) as raised:
        Matcher.parse(f'language = "en"\n[rules]\n{rules}', file="rules.toml")

    assert str(raised.value).startswith(error)
    assert "\n" not in str(raised.value)
    assert (raised.value.file, raised.value.exit_status) == ("rules.toml", 2)


def test_a_file_without_a_language_is_refused() -> None:
    with pytest.raises(RuleError, match=r"rules\.toml: language: must be a text"):
        Matcher.parse("[rules]\nstop = ['stop']", file="rules.toml")


def test_an_open_ended_rule_must_be_there() -> None:
    with pytest.raises(RuleError, match="open_ended names a rule that there is not"):
        Matcher.parse('language = "en"\nopen_ended = ["x"]\n[rules]\nstop = ["stop"]', file="rules.toml")
