"""What is said in a language there is no voice for: told to the user, and said by what else can."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from companion.providers.local.espeak import EspeakSynthesiser
from companion.settings.language import primary
from companion.stream import Blob, Text


class Foreign:
    """Speaks the pieces that no voice on the shelf can.

    by: espeak-ng; None where it is not installed, and the pieces then are captions without sound.
    tell: told the language, bare as "de", of every such piece.
    """

    def __init__(self, by: EspeakSynthesiser | None, tell: Callable[[str], None]) -> None:
        self._by = by
        self._tell = tell

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The sound of one piece."""
        self._tell(primary(text.language))
        if self._by is None:
            return
        async with aclosing(self._by.speak(text)) as sound:
            async for blob in sound:
                yield blob
