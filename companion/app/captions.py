"""A voice that makes no sound, for a companion that has none: its answers can still be read."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from companion.stream import MessageChunk, PulledStream, Stream


class Captions:
    """A Transformer that passes every caption and adds no sound to it."""

    async def transform(self, source: Stream) -> PulledStream:
        async def shown() -> AsyncGenerator[MessageChunk, None]:
            async for chunk in source:
                yield chunk

        return PulledStream(shown(), source)
