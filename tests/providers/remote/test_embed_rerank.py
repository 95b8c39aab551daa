"""Vectors and ranks over HTTP: batches, keys, failures, and what is told of what leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from doubles.provider_server import Asked, Ending, ProviderServer, Reply

from companion.errors import MissingKey, Refused, Throttled, Unreachable, Unsupported, WireBroken
from companion.model import Kind
from companion.model.embed import Embedder, EmbedParams
from companion.model.rerank import Reranker
from companion.providers.remote.embed import RemoteEmbedding
from companion.providers.remote.endpoint import Endpoint, endpoint_at
from companion.providers.remote.endpoints import endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http
from companion.providers.remote.keys import Keys, no_key
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.remote.rerank import RemoteReranking
from companion.providers.remote.sent import Sent

KEY = "not-a-real-key"


@asynccontextmanager
async def line_to(server_url: str, dialect: str = "openai-completions", **options: Any) -> AsyncIterator[ProviderLink]:
    http = Http()
    try:
        yield ProviderLink(
            endpoint_at(server_url, dialect, name="Home"), http, options.pop("key", lambda: KEY), **options
        )
    finally:
        await http.close()


def lengths(asked: Asked) -> Reply:
    """Vectors made of the lengths of the texts, in the wrong order."""
    rows = [{"index": at, "embedding": [float(len(text)), 1.0]} for at, text in enumerate(asked.json["input"])]
    return Reply.json({"object": "list", "data": rows[::-1], "usage": {"prompt_tokens": len(rows)}})


async def test_many_texts_go_out_in_batches_and_come_back_in_order() -> None:
    async with ProviderServer(lengths) as server, line_to(server.url) as line:
        embedder = Embedder(RemoteEmbedding(line, "small", batch_size=4))
        answer = await embedder.ask(["x" * count for count in range(1, 11)])

        assert [vector[0] for vector in answer.vectors] == list(range(1, 11))
        assert answer.usage.prompt_tokens == 10
        assert [len(asked.json["input"]) for asked in server.asked] == [4, 4, 2]
        assert {asked.path for asked in server.asked} == {"/v1/embeddings"}
        assert await embedder.dimensions() == 2
        assert server.asked[-1].json["input"] == ["test"]
        assert embedder.name == "Home/small"


async def test_the_key_goes_in_its_header_and_what_leaves_is_told() -> None:
    told: list[Sent] = []
    async with ProviderServer(lengths) as server, line_to(server.url, on_sent=told.append) as line:
        await Embedder(RemoteEmbedding(line, "small")).embed("secret", EmbedParams(model="large", dimensions=2))

        (asked,) = server.asked
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert (asked.json["model"], asked.json["dimensions"]) == ("large", 2)
        assert [(sent.provider, sent.kinds, sent.bytes) for sent in told] == [
            ("Home", frozenset({Kind.TEXT}), len(asked.body))
        ]


async def test_without_a_key_nothing_is_sent() -> None:
    async with ProviderServer(lengths) as server, line_to(server.url) as line:
        openai = endpoint("openai").at(f"{server.url}/v1")
        keyless = ProviderLink(
            openai, line.http, Keys(lambda name: None, environment={}).of(openai, setting="memory.embedding")
        )
        with pytest.raises(MissingKey, match=r"memory\.embedding"):
            await Embedder(RemoteEmbedding(keyless, "small")).embed("x")
        assert server.connections == 0


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (Reply.json({"error": {"message": f"wrong key {KEY}"}}, 401), Refused, r"^Home: wrong key \*\*\*"),
        (Reply.json({"error": "busy"}, 429, {"retry-after": "7"}), Throttled, "^Home: busy"),
        (Reply.json({"data": []}), WireBroken, "^Home: "),
        (Reply.json({"error": {"message": f"no {KEY}"}}), Exception, r"^Home: no \*\*\*"),
        (Reply((b"{",), 200, "application/json", is_chunked=False), WireBroken, "no JSON"),
        (Reply((b"<html><title>Log in</title>",), 200, "text/html", is_chunked=False), Unreachable, "Log in"),
        (Reply((), 302, "text/plain", {"location": "https://else.example"}, is_chunked=False), Refused, "not follow"),
        (Reply((b'{"data": [',), ending=Ending.RESET), Unreachable, "broke"),
    ],
    ids=["wrong key", "throttled", "too few", "an error inside", "cut", "a login page", "a redirect", "a reset"],
)  # fmt: skip
async def test_what_is_no_answer_is_an_error_with_the_name_of_the_provider(
    reply: Reply, error: type[Exception], words: str
) -> None:
    async with ProviderServer([reply]) as server, line_to(server.url) as line:
        with pytest.raises(error, match=words) as caught:
            await Embedder(RemoteEmbedding(line, "small")).embed("x")
        assert KEY not in str(caught.value)
        if isinstance(caught.value, Throttled):
            assert caught.value.after == 7


async def test_a_provider_that_never_answers_meets_its_deadline() -> None:
    reply = Reply(has_head=False, ending=Ending.STALL)
    deadlines = Deadlines(first=0.05, total=0.1)
    async with ProviderServer([reply]) as server, line_to(server.url, deadlines=deadlines) as line:
        with pytest.raises(TimeoutError):
            await Embedder(RemoteEmbedding(line, "small")).embed("x")


async def test_the_endpoint_says_what_is_spoken() -> None:
    def reply(asked: Asked) -> Reply:
        return Reply.json({"embeddings": [[1.0, 2.0]], "prompt_eval_count": 1})

    async with ProviderServer(reply) as server, line_to(server.url, "ollama", key=no_key) as line:
        assert await Embedder(RemoteEmbedding(line, "minilm")).embed("x") == (1.0, 2.0)
        assert server.asked[0].path == "/api/embed"
        assert "authorization" not in server.asked[0].headers


async def test_a_provider_is_asked_through_the_door_that_serves_vectors() -> None:
    http = Http()
    assert (
        RemoteEmbedding(ProviderLink(endpoint("google"), http, no_key), "gemini-embedding").name
        == "google/gemini-embedding"
    )
    anthropic: Endpoint = endpoint("anthropic")
    for backend in (RemoteEmbedding, RemoteReranking):
        with pytest.raises(Unsupported, match="Anthropic"):
            backend(ProviderLink(anthropic, http, no_key), "none")
    await http.close()


async def test_ranks_come_sorted_and_cut() -> None:
    def reply(asked: Asked) -> Reply:
        count = len(asked.json["documents"])
        return Reply.json({"results": [{"index": at, "relevance_score": at / count} for at in range(count)]})

    async with ProviderServer(reply) as server, line_to(f"{server.url}/v1") as line:
        reranker = Reranker(RemoteReranking(line, "rerank-small"))
        assert await reranker.input("x", ["a", "b", "c", "d"]).top_n(2).call() == ((3, 0.75), (2, 0.5))

        (asked,) = server.asked
        assert asked.path == "/v1/rerank"
        assert asked.json == {"model": "rerank-small", "query": "x", "documents": ["a", "b", "c", "d"], "top_n": 2}
        assert reranker.name == "Home/rerank-small"
