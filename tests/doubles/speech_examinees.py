"""How to make the speech of providers for the examination: each with a provider on the loopback device."""

from __future__ import annotations

from collections.abc import Sequence

from doubles.provider_server import ProviderServer, Reply
from doubles.realtime_server import RealtimeServer, Sound

from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.http import Http
from companion.providers.remote.keys import no_key
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.remote.realtime import RealtimeSpeech
from companion.providers.remote.realtime_plan import RealtimePlan
from companion.providers.remote.speech import RemoteSynthesiser
from companion.providers.remote.transcription import RemoteRecogniser
from companion.stream import MessageChunk
from companion.stream.laws import check_transformer

_PATIENCE = 5.0
_ALONE = {"connection": "close"}
"""The examination looks for tasks, and the server has one for each connection."""


def _endpoint(url: str) -> Endpoint:
    return Endpoint("here", "Here", (Door("openai-completions", url),), needs_key=False, is_local=True)


async def remote_recogniser(feed: Sequence[MessageChunk]) -> None:
    async with ProviderServer([Reply.json({"text": "Hello."}, headers=_ALONE)]) as server:
        http = Http()
        model = RemoteRecogniser(
            ProviderLink(_endpoint(server.url), http, no_key), "hears", has_voice=lambda sound: True
        )
        await check_transformer(lambda: model, feed, deadline=_PATIENCE)
        await http.close()


async def remote_synthesiser(feed: Sequence[MessageChunk]) -> None:
    async with ProviderServer([Reply((bytes(6000), bytes(6000)), content_type="audio/pcm", headers=_ALONE)]) as server:
        http = Http()
        model = RemoteSynthesiser(ProviderLink(_endpoint(server.url), http, no_key), "speaks", {"en": "alloy"})
        await check_transformer(lambda: model, feed, deadline=_PATIENCE)
        await http.close()


async def realtime_speech(feed: Sequence[MessageChunk]) -> None:
    async with RealtimeServer([("Good day.", Sound(100), Sound(60))]) as server:
        model = RealtimeSpeech(RealtimePlan(_endpoint(server.url), "talks"))
        await check_transformer(lambda: model, feed, deadline=_PATIENCE)
