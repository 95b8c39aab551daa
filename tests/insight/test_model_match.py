"""A model says which rules fit: what it is told, how its lines are read, and what an end or an error leaves."""

import asyncio
import json
import time

import pytest
from doubles.filler import Filler

from companion.errors import InvalidAnswer, ModelError, RuleError, StreamBlocked, StreamFailed
from companion.insight.model_match import ModelMatcher
from companion.insight.rule import Example, Pattern, Rule, Var, VarType
from companion.insight.understood import Match
from companion.model import ChatRole, FuncTool, Message, ModelContext, SystemPrompt
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    Role,
    Status,
    Stream,
    StreamBuilder,
    Text,
    Usage,
)

MEASURE = Rule("measure", (), {"count": Var("how many", VarType.INT), "ok": Var("", VarType.BOOL)})
SAY = Rule("say", (), {"text": Var(), "to": Var(), "size": Var(type=VarType.FLOAT)})
CONTEXT = ModelContext(
    prompts=(SystemPrompt("personality", "be kind"),), messages=(Message.of(ChatRole.USER, "twelve, please"),)
)


class Pieces:
    """A Generator whose answer is these pieces, and how it ends."""

    def __init__(self, *pieces: str, end: Status | Exception = Status.DONE) -> None:
        self._pieces = pieces
        self._end = end
        self.asked: list[ModelContext] = []
        self.closed = 0
        self.stream: Stream | None = None

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.asked.append(context)
        builder = StreamBuilder(len(self._pieces) + 2, on_close=self._close)
        await builder.add(
            MessageChunk(role=Role.USER, part=Text("say\n")),
            MessageChunk(role=Role.MODEL, part=Blob("audio/pcm; rate=16000", b"say\n")),
            *(MessageChunk(role=Role.MODEL, part=Text(piece)) for piece in self._pieces),
        )
        match self._end:
            case Exception() as error:
                builder.abort(error)
            case Status.TRUNCATED:
                builder.truncated()
            case Status.BLOCKED:
                builder.blocked("no")
            case _:
                builder.done()
        self.stream = builder.stream
        return builder.stream

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        raise AssertionError("a matcher reads streams")

    def _close(self) -> None:
        self.closed += 1


async def matches(*pieces: str, rules: tuple[Rule, ...] = (MEASURE, SAY)) -> list[Match]:
    async with ModelMatcher(rules).match(Pieces(*pieces), CONTEXT) as found:
        return [match async for match in found]


def values(match: Match) -> dict[str, object]:
    return {name: arg.value for name, arg in match.args.items() if arg.has_value}


async def test_lines_are_read_across_chunks_and_line_ends() -> None:
    found = await matches("measure: count=12, ", "ok=not-bool\r\nunknown", " output\n\nmeasure")

    assert [match.rule for match in found] == ["measure", "", "measure"]
    assert values(found[0]) == {"count": 12, "ok": "not-bool"}
    assert type(found[0].args["count"].value) is int
    assert found[1] == Match("", raw_text="unknown output")
    assert {name: (arg.value, arg.has_value) for name, arg in found[2].args.items()} == {
        "count": (None, False),
        "ok": (None, False),
    }


@pytest.mark.parametrize("size", range(1, 9))
async def test_it_does_not_matter_where_an_answer_is_cut_into_pieces(size: int) -> None:
    answer = 'measure: count=12\r\n\r\nsay: text="a, \\"b\\"", to=Emma\nwhat?\n measure \n'
    pieces = [answer[start : start + size] for start in range(0, len(answer), size)]

    assert await matches(*pieces) == await matches(answer)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('say: text="milk, eggs and ham", to=Emma', {"text": "milk, eggs and ham", "to": "Emma"}),
        (r'say: text="she said \"no\", twice" , to=Emma', {"text": 'she said "no", twice', "to": "Emma"}),
        (r'say: text="a\nb\\"', {"text": "a\nb\\"}),
        (r'say: text="C:\users"', {"text": r"C:\users"}),
        ('say: text="", to=', {"text": "", "to": ""}),
        ('say: text="open, to=Emma', {"text": '"open', "to": "Emma"}),
        ('say: text=5" pipe, to=6" pipe', {"text": '5" pipe', "to": '6" pipe'}),
        ("say: text=1+1=2", {"text": "1+1=2"}),
        ("say: text=it's ten: go", {"text": "it's ten: go"}),
        ("say:text=a,to=b", {"text": "a", "to": "b"}),
        ("say: volume=9, text=a, nonsense, =b", {"text": "a"}),
        ("say: text=a, text=b", {"text": "b"}),
        ("say: size=2.5", {"size": 2.5}),
        ("say: size=1e3", {"size": 1000.0}),
        ("say: size=1_0", {"size": "1_0"}),
        ("say: size=1e999", {"size": "1e999"}),
        ("say: size=٣", {"size": "٣"}),
        ("say: size=big", {"size": "big"}),
        ("say: size=nan", {"size": "nan"}),
        ("say:", {}),
        ("measure: count=1.5", {"count": "1.5"}),
        ("measure: count=+7, ok=TRUE", {"count": 7, "ok": True}),
        ("measure: count=-7, ok=no", {"count": -7, "ok": False}),
        ("measure: count=1_000", {"count": "1_000"}),
        ("measure: count=" + "9" * 19, {"count": "9" * 19}),
    ],
)
async def test_values_are_read_from_a_line(line: str, said: dict[str, object]) -> None:
    (match,) = await matches(line)

    assert values(match) == said


@pytest.mark.parametrize("line", ["unknown", "Measure: count=1", ": count=1", "- measure", "no rule: a=b"])
async def test_a_line_of_no_known_rule_is_kept_as_it_is(line: str) -> None:
    assert await matches(f"  {line}  \n") == [Match("", raw_text=line)]


async def test_blank_lines_mean_nothing() -> None:
    assert await matches("\n", "  \r\n", "\t\n", "") == []


def test_a_match_as_json() -> None:
    assert json.loads(json.dumps(Match("", raw_text="unknown").as_json())) == {
        "rule": "",
        "args": {},
        "raw_text": "unknown",
    }


async def test_the_context_comes_first_and_then_the_rules() -> None:
    generator = Pieces("measure")
    matcher = ModelMatcher([MEASURE])

    async with matcher.match(generator, CONTEXT) as found:
        assert generator.asked == []
        await anext(found)

    (asked,) = generator.asked
    assert asked.prompts == (*CONTEXT.prompts, SystemPrompt("match", matcher.prompt))
    assert asked.messages == CONTEXT.messages


async def test_a_match_is_handed_on_while_the_answer_is_still_written() -> None:
    builder = StreamBuilder()

    class Slow(Pieces):
        async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
            return builder.stream

    async with ModelMatcher([MEASURE]).match(Slow(), CONTEXT) as found:
        await builder.add(MessageChunk(role=Role.MODEL, part=Text("measure: count=1\nmeas")))
        assert values(await anext(found)) == {"count": 1}
        assert builder.is_open


async def test_leaving_early_closes_the_answer() -> None:
    generator = Pieces("measure\n", "measure\n", "measure\n")

    async with ModelMatcher([MEASURE]).match(generator, CONTEXT) as found:
        async for _ in found:
            break

    assert generator.closed == 1
    assert generator.stream is not None
    assert generator.stream.state is not None
    assert generator.stream.state.status is Status.INTERRUPTED
    assert [match async for match in found] == []


async def test_an_error_comes_behind_the_matches_before_it_and_what_it_cut_off_is_none() -> None:
    generator = Pieces("measure: count=1\nmeasure: count=2\nmeasure: cou", end=ModelError("the model fell over"))
    found = ModelMatcher([MEASURE]).match(generator, CONTEXT)

    assert [values(await anext(found)) for _ in range(2)] == [{"count": 1}, {"count": 2}]
    with pytest.raises(StreamFailed, match="the model fell over"):
        await anext(found)
    assert [match async for match in found] == []


async def test_a_refusal_is_an_error() -> None:
    found = ModelMatcher([MEASURE]).match(Pieces("measure\n", end=Status.BLOCKED), CONTEXT)

    assert (await anext(found)).rule == "measure"
    with pytest.raises(StreamBlocked):
        await anext(found)


async def test_a_model_that_cannot_start_is_an_error() -> None:
    found = ModelMatcher([MEASURE]).match(Filler(error=ModelError("not on the shelf")), CONTEXT)

    with pytest.raises(ModelError, match="not on the shelf"):
        await anext(found)


async def test_what_a_limit_cut_off_is_words_and_no_match() -> None:
    async with ModelMatcher([MEASURE]).match(
        Pieces("measure: count=1\nmeasure: count=1", end=Status.TRUNCATED), CONTEXT
    ) as found:
        assert [(match.rule, match.raw_text) async for match in found] == [("measure", ""), ("", "measure: count=1")]


async def test_a_line_without_an_end_is_given_up() -> None:
    generator = Pieces("measure\n" + "x" * 5_000, *["x" * 5_000] * 20)
    found = ModelMatcher([MEASURE]).match(generator, CONTEXT)

    assert (await anext(found)).rule == "measure"
    with pytest.raises(InvalidAnswer, match="longer than 4096 characters"):
        await anext(found)
    assert generator.closed == 1


@pytest.mark.parametrize("said", [" " * 4_000, "a" * 4_000, 'text="' + '\\",a="' * 600, "," * 4_000, "=" * 4_000])
async def test_an_odd_line_is_read_in_a_moment(said: str) -> None:
    began = time.perf_counter()
    found = await matches(f"say: {said}")

    assert [match.rule for match in found] == ["say"]
    assert time.perf_counter() - began < 0.5


async def test_an_answer_that_is_not_wanted_is_never_asked_for() -> None:
    generator = Pieces("measure")

    async with ModelMatcher([MEASURE]).match(generator, CONTEXT):
        pass

    assert generator.asked == []


async def test_a_cancelled_reader_closes_the_answer() -> None:
    closed = asyncio.Event()

    class Silent(Pieces):
        async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
            return StreamBuilder(on_close=closed.set).stream

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await anext(ModelMatcher([MEASURE]).match(Silent(), CONTEXT))

    assert closed.is_set()


TIMER = Rule(
    "timer",
    (
        Pattern("set a timer for [length] called [name]"),
        Pattern("[length] timer", "timer: length=[length]"),
        Pattern("a timer"),
    ),
    {"length": Var("how long"), "name": Var()},
    {"oven": "has its own", "kitchen": "is where the oven is"},
    (Example("by length", "ten minutes, please", "timer: length=ten minutes"), Example("not an alarm")),
)


def test_placeholders_are_shown_by_their_labels() -> None:
    prompt = ModelMatcher([TIMER]).prompt

    assert "- set a timer for [how long] called [name] -> timer: length=[how long], name=[name]" in prompt
    assert "- [how long] timer -> timer: length=[how long]" in prompt
    assert "- a timer -> timer\n" in prompt
    assert "- by length: ten minutes, please -> timer: length=ten minutes" in prompt
    assert "- not an alarm" in prompt
    assert "- oven: has its own" in prompt


def test_equal_rules_make_equal_prompts() -> None:
    turned = Rule(
        TIMER.name,
        TIMER.patterns,
        dict(reversed(TIMER.vars.items())),
        dict(reversed(TIMER.references.items())),
        TIMER.examples,
    )

    assert ModelMatcher([turned]).prompt == ModelMatcher([TIMER]).prompt


def test_rules_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(RuleError, match="there are no rules"):
        ModelMatcher([])
