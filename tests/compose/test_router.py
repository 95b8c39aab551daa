"""Each request goes to one of several backends, as a strategy or the request itself says."""

from __future__ import annotations

import pytest
from doubles import virtual_time
from doubles.backends import PlayedBackend, Step, question, read, text_of, words

from companion.compose.answered import Answered, Told
from companion.compose.classifier import Smart, route_in
from companion.compose.router import ROUTE_ID, RoundRobin, Route, Router, RouteRule, Rules, SmoothWeighted, Strategy
from companion.errors import BadInput, NotRegistered, Unreachable
from companion.model import ChatRequest, ChatRole, Contents, Message, ModelContext, Thought
from companion.model.calls import CallDelta
from companion.model.deltas import Finish, Finished, TextDelta, ThoughtDelta
from companion.model.request import answered_by
from companion.stream import FuncCall, ToolCall


def routes(**weights: int) -> list[Route]:
    """A route of each name, whose backend answers with it."""
    about = {"code": "programs and bugs", "home": "lamps and heating"}
    return [Route(one, about.get(one, one), weight, PlayedBackend(one, words(one))) for one, weight in weights.items()]


async def ask(router: Router, text: str = "hi", **attributes: object) -> str:
    return text_of(await read(await router.ask(question(text, **attributes))))


async def picks(strategy: Strategy, count: int, **weights: int) -> str:
    router = Router(routes(**weights), strategy)
    return " ".join([await ask(router) for _ in range(count)])


async def test_round_robin_gives_each_its_turn() -> None:
    assert await picks(RoundRobin(), 5, a=1, b=1, c=1) == "a b c a b"


async def test_smooth_weights_go_in_the_order_of_nginx() -> None:
    assert await picks(SmoothWeighted(), 7, a=5, b=1, c=1) == "a a b a c a a"
    assert await picks(SmoothWeighted(), 14, a=5, b=1, c=1) == "a a b a c a a a a b a c a a"


async def test_weights_are_kept_over_a_long_time() -> None:
    picked = (await picks(SmoothWeighted(), 600, a=3, b=2, c=1, never=0)).split()

    assert {name: picked.count(name) for name in ("a", "b", "c", "never")} == {"a": 300, "b": 200, "c": 100, "never": 0}


async def test_no_weight_at_all_is_no_choice() -> None:
    with pytest.raises(NotRegistered, match="no route has a weight"):
        await picks(SmoothWeighted(), 1, a=0)


async def test_the_first_rule_that_fits_decides() -> None:
    def says(word: str) -> RouteRule:
        return RouteRule(
            lambda request: word in request.context.messages[-1].text, {"bug": "code", "lamp": "home"}[word]
        )

    router = Router(routes(other=1, code=1, home=1), Rules([says("bug"), says("lamp")]))

    assert [await ask(router, text) for text in ("a bug in the lamp", "the lamp", "the sky")] == [
        "code",
        "home",
        "other",
    ]


async def test_where_no_rule_fits_another_strategy_may_decide() -> None:
    router = Router(routes(a=1, b=1), Rules([], otherwise=RoundRobin()))

    assert [await ask(router) for _ in range(3)] == ["a", "b", "a"]


async def test_a_request_that_names_its_route_does_not_move_the_position() -> None:
    for strategy, expected in ((RoundRobin(), "a c b c c"), (SmoothWeighted(), "a c a c b")):
        router = Router(routes(a=5, b=1, c=1), strategy)
        answers = [await ask(router), await ask(router, **{ROUTE_ID: "c"}), await ask(router)]
        answers += [await ask(router, **{ROUTE_ID: "c"}), await ask(router)]
        assert " ".join(answers) == expected


async def test_a_route_that_is_not_there_is_answered_by_the_one_that_may_be_meant() -> None:
    router = Router(routes(code=1, home=1), RoundRobin())

    with pytest.raises(NotRegistered, match="there is no route 'cod'") as caught:
        await ask(router, **{ROUTE_ID: "cod"})
    assert caught.value.mend == "Did you mean 'code'?"


@pytest.mark.parametrize(("given", "fault"), [([], "at least one"), (["a", "a"], "two routes 'a'")])
def test_routes_that_cannot_be_told_apart_are_refused(given: list[str], fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        Router([Route(one, "", 1, PlayedBackend(one)) for one in given], RoundRobin())


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(BadInput, match="the weight of the route 'a' is -1"):
        Router(routes(a=-1), RoundRobin())


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("code", "code"), (" Code.\n", "code"), ("`home`", "home"), ("The best one is home.", "home"),
        ("code or home", None), ("", None), ("decode", None), ("I cannot say", None), ("codehome", None),
    ],
)  # fmt: skip
def test_an_answer_names_a_route_or_none(answer: str, chosen: str | None) -> None:
    found = route_in(answer, routes(code=1, home=1))

    assert (found.id if found else None) == chosen


async def test_a_small_model_chooses_the_route() -> None:
    small = PlayedBackend("small", words("ho", "me"))
    router = Router(routes(code=1, home=1), Smart(small))

    assert await ask(router, "it is cold in here") == "home"
    asked = small.requests[0].context
    assert "home: lamps and heating" in asked.prompts[0].text
    assert [message.text for message in asked.messages] == ["it is cold in here"]
    assert small.open == 0


@pytest.mark.parametrize(
    "play", [words("blue"), [Unreachable("gone")], [TextDelta("no"), Unreachable("gone")], [TextDelta("x")], [1000.0]]
)
def test_where_the_small_model_answers_nonsense_another_strategy_decides(play: list[Step]) -> None:
    small = PlayedBackend("small", play)
    router = Router(routes(code=1, home=1), Smart(small))

    async def scene() -> list[str]:
        return [await ask(router), await ask(router)]

    assert virtual_time.run(scene()) == ["code", "home"]
    assert small.open == 0


async def test_the_small_model_is_not_asked_where_nothing_was_said_or_the_route_is_named() -> None:
    small = PlayedBackend("small", words("home"))
    router = Router(routes(code=1, home=1), Smart(small))

    assert text_of(await read(await router.ask(ChatRequest(ModelContext())))) == "code"
    assert await ask(router, **{ROUTE_ID: "code"}) == "code"
    assert small.asked == 0


async def test_whoever_answers_is_told_of() -> None:
    router = Router(routes(a=1, b=1), RoundRobin(), name="either")
    told: list[Answered] = []
    backend = Told(router, told.append)
    requests = [question("one"), question("two")]
    for request in requests:
        source = await backend.ask(request)
        await read(source)
        assert answered_by(source, backend) == (told[-1].name,)

    assert told == [Answered(requests[0], "a"), Answered(requests[1], "b")]
    assert backend.name == "either"


async def test_a_signature_goes_back_to_whoever_gave_it_and_to_nobody_else() -> None:
    signed: list[Step] = [ThoughtDelta("hm"), ThoughtDelta(signature="A1"), CallDelta(0, "c", "look", "{}", "A2")]
    a = PlayedBackend("a", [*signed, Finished(Finish.TOOL_CALLS)])
    b = PlayedBackend("b", words("b"))
    router = Router([Route("a", "", 1, a), Route("b", "", 1, b)], RoundRobin())
    await read(await router.ask(question()))
    thought = Message(ChatRole.ASSISTANT, Contents((Thought("hm", "A1"),)))
    call = Message(ChatRole.ASSISTANT, ToolCall("c", FuncCall("look", "{}"), "A2"))
    unknown = Message(ChatRole.ASSISTANT, Contents((Thought("", redacted="old"),)))
    unsigned = Message(ChatRole.ASSISTANT, Contents((Thought("aha"),)))
    request = ChatRequest(ModelContext(messages=(thought, call, unknown, unsigned)))

    for _ in range(2):
        await read(await router.ask(request))

    bare = Message(ChatRole.ASSISTANT, ToolCall("c", FuncCall("look", "{}")))
    assert b.requests[0].context.messages == (bare, unsigned)
    assert a.requests[1].context.messages == (thought, call, unsigned)
