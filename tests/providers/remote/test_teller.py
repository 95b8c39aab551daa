"""No error of a provider holds its key, wherever the provider has put it."""

from __future__ import annotations

import asyncio
import html
import json
import random
from collections.abc import Callable
from urllib.parse import quote

import pytest
from doubles.plain_chat import all_of, asked, chat
from doubles.provider_server import Ending, ProviderServer, Reply

from companion.dialects import AnswerReader, choose_dialect
from companion.errors import MissingKey, ModelError, Refused, Throttled
from companion.model import ChatRequest
from companion.providers.remote.exchange import HttpHead
from companion.providers.remote.faults import ERROR_SECONDS, fault_of
from companion.providers.remote.teller import Teller

KEY = "made/up+token=for.tests"
DIALECTS = (
    "openai-completions",
    "openai-responses",
    "anthropic",
    "gemini",
    "google-interactions",
    "ollama",
    "dashscope",
)
EVENTS: tuple[Callable[[str], object], ...] = (
    lambda words: {"error": {"message": words, "code": "x", "type": "y"}},
    lambda words: {"error": words},
    lambda words: {"type": "error", "error": {"message": words, "type": "api_error"}},
    lambda words: {"type": "error", "event_type": "error", "error": {"message": words}},
    lambda words: {"type": "error", "message": words},
    lambda words: {"code": "InvalidApiKey", "message": words, "request_id": "1"},
)
BODIES: tuple[Callable[[str], str], ...] = (
    *(lambda words, event=event: json.dumps(event(words)) for event in EVENTS),
    lambda words: json.dumps({"error": {"message": words}}).replace("/", "\\/").replace("+", "\\u002B"),
    lambda words: f"<html><title>{html.escape(words)}</title></html>",
    lambda words: f"<html><body>{words.replace('+', '&#43;')}</body></html>",
    lambda words: f"{words} {quote(words, safe='')}",
    lambda words: words[: len(words) // 2] + words,
)


def holds_key(text: str) -> bool:
    """Whether at least eight letters of the key in a row stand there."""
    return any(KEY[at : at + 8] in text for at in range(len(KEY) - 7))


def read(reader: AnswerReader, data: bytes) -> None:
    reader.feed(data)
    reader.end()


def told_everywhere(error: BaseException | None) -> str:
    """All that may be printed of an error."""
    told = ""
    while error is not None:
        told += f"{error!s} {error!r} {getattr(error, 'mend', '')} {error.args!r} "
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return told


@pytest.mark.parametrize("name", DIALECTS)
def test_the_key_stands_in_no_refusal(name: str) -> None:
    chance, teller, dialect = random.Random(name), Teller("Plain", KEY), choose_dialect(name)
    for status in (400, 401, 404, 413, 429, 500):
        for body in BODIES:
            for _ in range(8):
                before, behind = ("x " * chance.randrange(200) for _ in range(2))
                words = body(f"{before}{'-' * chance.randrange(5)}{KEY}{behind}")
                head = HttpHead(status, {"content-type": "text/html" if words.startswith("<") else "application/json"})
                error = fault_of(head, words.encode()[: chance.choice((1 << 16, 350, 600))], dialect, teller=teller)
                assert not holds_key(told_everywhere(error)), (status, words)
                assert str(error).startswith("Plain: ")


@pytest.mark.parametrize("name", DIALECTS)
def test_the_key_stands_in_no_error_in_the_middle_of_an_answer(name: str) -> None:
    chance, teller, dialect = random.Random(name), Teller("Plain", KEY), choose_dialect(name)
    found = 0
    for event in EVENTS:
        for _ in range(40):
            words = f"{'x ' * chance.randrange(200)}{KEY}{' y' * chance.randrange(200)}"
            data = json.dumps(event(words)).encode()
            reader = AnswerReader(dialect)
            with pytest.raises(ModelError) as caught:
                read(reader, data + b"\n" if name == "ollama" else b"data: " + data + b"\n\n")
            found += "x" in str(caught.value)
            assert not holds_key(told_everywhere(teller.told(caught.value)))
    assert found > 30


PLACES = {
    "in the stream": lambda words: Reply.sse({"say": "Hel"}, {"broken": words}),
    "in a whole answer of status 200": lambda words: Reply.json([{"broken": words}]),
    "in place of the answer": lambda words: Reply((f"<html><title>{words}</title>".encode(),), 200, "text/html"),
    "in a refusal": lambda words: Reply.json({"why": words}, 401),
    "in what is no HTTP": lambda words: Reply((words.encode() + b"\r\n\r\n",), has_head=False, is_chunked=False),
}


@pytest.mark.parametrize("place", PLACES)
async def test_the_key_stands_in_no_error_of_a_chat_model(place: str) -> None:
    for size in (0, 100, 270, 285, 290, 295, 310):
        words = f"{'x' * size} {KEY} is wrong"
        async with ProviderServer([PLACES[place](words)]) as server, chat(server.url, key=lambda: KEY) as model:
            with pytest.raises(ModelError) as caught:
                await all_of(await model.ask(ChatRequest(asked())))
        assert not holds_key(told_everywhere(caught.value)), caught.value


@pytest.mark.parametrize("place", ["in the stream", "in a whole answer of status 200"])
async def test_an_error_of_an_answer_says_whose_it_is(place: str) -> None:
    async with ProviderServer([PLACES[place]("busy")]) as server, chat(server.url) as model:
        with pytest.raises(ModelError, match=r"^Plain: .*busy"):
            await all_of(await model.ask(ChatRequest(asked())))


async def test_of_two_questions_that_are_refused_at_once_neither_tells_the_key() -> None:
    gate, keys = asyncio.Event(), iter([KEY, "another-one", "a-third-one"])

    refusal = Reply((gate, json.dumps({"why": KEY}).encode()), 401, "application/json")
    async with ProviderServer([refusal]) as server, chat(server.url, key=lambda: next(keys)) as model:
        questions = [asyncio.ensure_future(model.ask(ChatRequest(asked()))) for _ in range(2)]
        await server.until(lambda server: len(server.asked) == 2)
        gate.set()
        errors = await asyncio.gather(*questions, return_exceptions=True)
        assert all(isinstance(error, Refused) and not holds_key(told_everywhere(error)) for error in errors)
        with pytest.raises(Refused):
            await model.ask(ChatRequest(asked()))
    used = [request.headers["authorization"] for request in server.asked]
    assert used == [f"Bearer {KEY}"] * 2 + ["Bearer another-one"]


@pytest.mark.parametrize("key", ["two words-of-a-key", "kéy-of-letters", "line\nof-a-key"])
async def test_a_key_that_no_header_carries_is_not_told(key: str) -> None:
    async with ProviderServer([Reply.json({})]) as server, chat(server.url, key=lambda: key) as model:
        with pytest.raises(MissingKey) as caught:
            await model.ask(ChatRequest(asked()))
    assert "of-" not in told_everywhere(caught.value)
    assert not server.asked


@pytest.mark.parametrize("pieces", [(), (b'{"why": "the ho',)], ids=["no words", "half of them"])
async def test_a_refusal_whose_words_do_not_come_is_told_soon(pieces: tuple[bytes, ...]) -> None:
    stalled = Reply(pieces, 429, "application/json", ending=Ending.STALL)
    async with ProviderServer([stalled]) as server, chat(server.url) as model:
        began = asyncio.get_running_loop().time()
        with pytest.raises(Throttled):
            await model.ask(ChatRequest(asked()))
        assert asyncio.get_running_loop().time() - began < 2 * ERROR_SECONDS
