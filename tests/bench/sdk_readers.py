"""The stream parsers of the official SDKs, driven from bytes in memory: nothing touches the network.

A reader reads an answer once and gives its text, so that nobody is measured who did not do the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Read = Callable[[], str]
PIECE = 4096
"""Bytes in which an answer comes."""
KEY = "no-key"
ASKED = {"role": "user", "content": "Why?"}


def pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + PIECE] for at in range(0, len(data), PIECE))


def transport(http: Any, data: bytes, kind: str = "text/event-stream") -> Any:
    """A transport of ``http`` (httpx, or httpx2) that answers every request with ``data``."""
    return http.MockTransport(lambda request: http.Response(200, headers={"content-type": kind}, content=pieces(data)))


def openai_completions(data: bytes) -> Read:
    client = _openai(data)

    def read() -> str:
        stream = client.chat.completions.create(model="m", messages=[ASKED], stream=True)
        return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)

    return read


def openai_responses(data: bytes) -> Read:
    client = _openai(data)

    def read() -> str:
        stream = client.responses.create(model="m", input="Why?", stream=True)
        return "".join(event.delta for event in stream if event.type == "response.output_text.delta")

    return read


def _openai(data: bytes) -> Any:
    import httpx2
    import openai

    return openai.OpenAI(api_key=KEY, http_client=httpx2.Client(transport=transport(httpx2, data)), max_retries=0)


def anthropic(data: bytes) -> Read:
    import anthropic as sdk

    http = sdk._base_client.httpx2 if hasattr(sdk._base_client, "httpx2") else sdk._base_client.httpx
    client = sdk.Anthropic(api_key=KEY, http_client=http.Client(transport=transport(http, data)), max_retries=0)

    def read() -> str:
        stream = client.messages.create(model="m", max_tokens=9, messages=[ASKED], stream=True)
        return "".join(event.delta.text for event in stream if event.type == "content_block_delta")

    return read


def gemini(data: bytes) -> Read:
    client = _google(data)

    def read() -> str:
        stream = client.models.generate_content_stream(model="gemini-3-flash-preview", contents="Why?")
        return "".join(chunk.text or "" for chunk in stream)

    return read


def google_interactions(data: bytes) -> Read:
    client = _google(data)

    def read() -> str:
        stream = client.interactions.create(model="gemini-3-flash-preview", input="Why?", stream=True)
        return "".join(event.delta.text for event in stream if event.event_type == "step.delta")

    return read


def _google(data: bytes) -> Any:
    import httpx
    from google import genai

    options = genai.types.HttpOptions(httpx_client=httpx.Client(transport=transport(httpx, data)))
    return genai.Client(api_key=KEY, http_options=options)


def ollama(data: bytes) -> Read:
    import httpx
    import ollama as sdk

    client = sdk.Client(transport=transport(httpx, data, "application/x-ndjson"))

    def read() -> str:
        return "".join(part.message.content or "" for part in client.chat("m", [ASKED], stream=True))

    return read


SDKS: dict[str, Callable[[bytes], Read]] = {
    "openai-completions": openai_completions,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "google-interactions": google_interactions,
    "ollama": ollama,
}
"""By dialect. DashScope's opens its own sockets."""
