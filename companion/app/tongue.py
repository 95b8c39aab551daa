"""Every reply in the voice of its language; where there is none, what else can say it, and a word about it."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable, Collection

from companion.errors import EndOfStream
from companion.stream import MessageChunk, PulledStream, Stream, Text, Transformer
from companion.stream.ops import Preceded


class Tongue:
    """A Transformer that speaks each stream with one of two voices, by the language of its first words.

    voice: speaks ``languages`` (bare, as "en").
    otherwise: speaks all others; None leaves them to ``voice``, whatever it makes of them.
    on_foreign: told a language that ``voice`` does not speak, each time it is met.
    """

    def __init__(
        self,
        voice: Transformer,
        languages: Collection[str],
        *,
        otherwise: Transformer | None = None,
        on_foreign: Callable[[str], None] = lambda language: None,
    ) -> None:
        self._voice = voice
        self._languages = frozenset(languages)
        self._otherwise = otherwise
        self._on_foreign = on_foreign

    async def transform(self, source: Stream) -> PulledStream:
        """Return the spoken stream; which voice it is shows when the first words come."""

        async def spoken() -> AsyncGenerator[MessageChunk, None]:
            first, language = await _until_words(source)
            said = await self._for(language).transform(Preceded(first, source))
            try:
                async for chunk in said:
                    yield chunk
            finally:
                if said.state is not None:
                    bent.finish(said.state)
                await said.close()

        bent = PulledStream(spoken(), source)
        return bent

    def _for(self, language: str) -> Transformer:
        bare = language.replace("_", "-").partition("-")[0].lower()
        if not bare or bare in self._languages:
            return self._voice
        self._on_foreign(bare)
        return self._otherwise or self._voice


async def _until_words(source: Stream) -> tuple[deque[MessageChunk], str]:
    """The chunks up to the first words, and their language; empty where there are none."""
    read: deque[MessageChunk] = deque()
    while True:
        try:
            chunk = await source.next()
        except EndOfStream:
            return read, ""
        read.append(chunk)
        if isinstance(chunk.part, Text) and chunk.part.text:
            return read, chunk.part.language
