"""How much later the first word of a remote answer comes than a bare httpx read sees its bytes.

``python tests/bench/first_token.py [turns]``. Both ask the same server on this machine, in turn.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from doubles.provider_server import ProviderServer, Reply

from companion.errors import EndOfStream
from companion.model import ChatRequest, ChatRole, Message, ModelContext
from companion.model.deltas import TextDelta
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.endpoints import endpoint
from companion.providers.remote.http import Http


def chunk(delta: dict[str, object], reason: str | None = None) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


ANSWER = Reply.sse(chunk({"role": "assistant", "content": "Hello"}), chunk({}, "stop"), "[DONE]")
QUESTION = ChatRequest(ModelContext((), (Message.of(ChatRole.USER, "Say hello."),)), "m")


async def bare(client: httpx.AsyncClient, url: str) -> float:
    clock = asyncio.get_running_loop().time
    began = clock()
    async with client.stream("POST", f"{url}/v1/chat/completions", json={"stream": True}) as response:
        pieces = response.aiter_raw()
        await anext(pieces)
        seconds = clock() - began
        async for _ in pieces:
            continue
    return seconds


async def ours(model: RemoteChat) -> float:
    clock = asyncio.get_running_loop().time
    began = clock()
    source = await model.ask(QUESTION)
    while not isinstance(await source.next(), TextDelta):
        continue
    seconds = clock() - began
    # To the end, so that the connection is kept, as the other one is.
    with suppress(EndOfStream):
        while True:
            await source.next()
    return seconds


async def main(turns: int) -> None:
    async with ProviderServer([ANSWER]) as server, httpx.AsyncClient() as client:
        http = Http()
        model = RemoteChat(endpoint("llama-server").at(f"{server.url}/v1"), "m", http)
        for _ in range(20):
            await bare(client, server.url)
            await ours(model)
        pairs = [(await bare(client, server.url), await ours(model)) for _ in range(turns)]
        await http.close()
    plain, added = zip(*((1e3 * one, 1e3 * (two - one)) for one, two in pairs), strict=True)
    print(f"bare httpx: {statistics.median(plain):.2f} ms to the first bytes (median of {turns})")
    print(f"added to the first word: {statistics.median(added):.2f} ms (median)")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
