"""A chain of providers behind a network that delays, cuts, resets and trickles."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from doubles.backends import read, text_of
from doubles.fault_proxy import Delay, FaultProxy, Good, Trickle, seeded_plan
from doubles.provider_server import Asked, Ending, ProviderServer, Reply

from companion.compose.fallback import Failover
from companion.compose.one_answer import GO_ON
from companion.compose.retry import Retry, RetryPolicy
from companion.model import ChatRequest, ChatRole, Message, ModelContext
from companion.model.deltas import Finish, Finished
from companion.model.request import answered_by
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http

TURNS = 100
SEED = 8
DEADLINES = Deadlines(connect=5, first=5, silence=5, total=20)


def answer_to(question: str) -> str:
    """A long answer without any repetition, the same for the same question."""
    chance = random.Random(question)
    return " ".join(f"{chance.choice('bdgkmp')}{chance.choice('aeiou')}{number}" for number in range(24)) + "."


def provider(chance: random.Random, *, faults: float = 0.0) -> Callable[[Asked], Reply]:
    """A provider that knows the answers and goes on with one that was begun.

    faults: share of answers in whose middle it stops. Each answer has a connection of its own, so that each meets a
    fault of the network's.
    """

    def reply(asked: Asked) -> Reply:
        messages = [message["content"] for message in asked.json["messages"]]
        is_going_on = messages[-1] == GO_ON
        answer = answer_to(messages[-3] if is_going_on else messages[-1])
        # It repeats the last words, as it is asked to, or the whole beginning.
        begin = answer.rfind(" ", 0, max(len(messages[-2]) - 12, 1)) + 1 if is_going_on else 0
        rest = answer[begin if chance.random() < 0.7 else 0 :]
        size = chance.randrange(5, 40)
        events: list[object] = [_event(rest[place : place + size]) for place in range(0, len(rest), size)]
        played = Reply.sse(*events, _event("", finish="stop"), "[DONE]")
        if chance.random() < faults:
            ending = chance.choice([Ending.CUT, Ending.RESET, Ending.WELL])
            played = Reply.sse(*events[: len(events) // 2], ending=ending)
        return replace(played, headers={"connection": "close"})

    return reply


def _event(text: str, finish: str | None = None) -> object:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


def chat(http: Http, name: str, url: str) -> RemoteChat:
    endpoint = Endpoint(name, name.title(), (Door("openai-completions", url),), is_local=True)
    return RemoteChat(endpoint, "small", http, deadlines=DEADLINES)


async def test_a_hundred_turns_with_faults_have_a_hundred_answers_and_nothing_is_said_twice() -> None:
    chance = random.Random(SEED)
    http = Http()
    answered: set[str] = set()
    async with (
        ProviderServer(provider(chance, faults=0.1)) as server,
        FaultProxy(server.port, seeded_plan(SEED, good=0.2, longest=0.01)) as cloud,
        FaultProxy(server.port, seeded_plan(SEED + 1, good=0.3, longest=0.01)) as spare,
        ProviderServer(provider(chance)) as local,
    ):
        places = {"cloud": f"{cloud.url}/v1", "spare": f"{spare.url}/v1", "local": f"http://127.0.0.1:{local.port}/v1"}
        backends = [
            Retry(chat(http, name, url), RetryPolicy(max_retries=1, pause=0.001)) for name, url in places.items()
        ]
        chain = Failover(backends, patience=3.0)
        for turn in range(TURNS):
            question = f"question {turn}"
            request = ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, question),)))
            source = await chain.ask(request)
            deltas = await read(source)
            assert text_of(deltas) == answer_to(question)
            assert [delta.why for delta in deltas if isinstance(delta, Finished)] == [Finish.STOP]
            answered.update(answered_by(source, chain))
        await http.close()

    assert answered == {"cloud/small", "spare/small", "local/small"}
    harmless = (Good, Delay, Trickle)
    assert sum(not isinstance(fault, harmless) for fault in cloud.met) > 20
