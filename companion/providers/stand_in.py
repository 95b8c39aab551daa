"""Several recognisers or voices in a row: what the first one cannot do, the next one does.

A voice that fails in the middle of a piece is replaced from the next piece on; so that nothing is said twice, each
piece is made whole before it is heard wherever another voice could step in.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Protocol, runtime_checkable

from companion.compose.patience import patience
from companion.errors import ModelError, NobodyAnswered, SettingsError, SetupError, StorageError
from companion.providers.heard import TaskHearing, heard_stream
from companion.providers.spoken import spoken_stream
from companion.stream import Blob, PulledStream, Stream, Text

logger = logging.getLogger(__name__)

_FAULTS = (ModelError, SettingsError, SetupError, StorageError, TimeoutError)
"""What says something about whoever failed; anything else is a mistake in the program."""


@runtime_checkable
class Hears(Protocol):
    """Writes down recordings, as every recogniser here does."""

    async def hear(self, sound: bytes) -> Text: ...


@runtime_checkable
class Speaks(Protocol):
    """Says single pieces, as every synthesiser here does."""

    def speak(self, text: Text) -> AsyncGenerator[Blob, None]: ...


OnServed = Callable[[str], None]
"""Told, by name, who has served; it must not raise or wait."""

OnNobody = Callable[[Exception], None]
"""Told why nobody could say a piece; likewise."""


class StandInRecogniser:
    """A Transformer as ``heard_stream`` has it, over ``recognisers`` by name, asked in their order.

    patience: seconds each may take where another one could be asked.
    """

    def __init__(
        self, recognisers: Sequence[tuple[str, Hears]], *, patience: float, on_served: OnServed = lambda name: None
    ) -> None:
        self._recognisers = list(recognisers)
        self._patience = patience
        self._on_served = on_served

    async def transform(self, source: Stream) -> Stream:
        return heard_stream(source, TaskHearing(self.hear))

    async def hear(self, sound: bytes) -> Text:
        """What 16 kHz mono sound says, by the first that can tell.

        Raises:
            NobodyAnswered: none can. One alone raises its own error.
        """
        failures: list[tuple[str, Exception]] = []
        for name, recogniser in self._recognisers:
            try:
                async with patience(self._patience if len(self._recognisers) - len(failures) > 1 else None):
                    text = await recogniser.hear(sound)
            except _FAULTS as error:
                failures.append(_noted(name, error))
                continue
            self._on_served(name)
            return text
        raise _nobody(failures)


class StandInVoice:
    """A Transformer as ``spoken_stream`` has it, over ``voices`` by name, asked in their order.

    patience: seconds each may let one wait for sound, before its first and its next, where another one could be asked.
    on_nobody: a piece that none can say is told there, and stays silent; None: it is raised.
    """

    def __init__(
        self,
        voices: Sequence[tuple[str, Speaks]],
        *,
        patience: float,
        on_served: OnServed = lambda name: None,
        on_nobody: OnNobody | None = None,
    ) -> None:
        self._voices = list(voices)
        self._patience = patience
        self._on_served = on_served
        self._on_nobody = on_nobody

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self.speak)

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The sound of one piece, by the first that can say it.

        Raises:
            NobodyAnswered: none can, and that is not told to ``on_nobody``. One alone raises its own error.
        """
        failures: list[tuple[str, Exception]] = []
        for name, voice in self._voices[:-1]:
            try:
                sound = await _whole(voice, text, self._patience)
            except _FAULTS as error:
                failures.append(_noted(name, error))
                continue
            self._on_served(name)
            for blob in sound:
                yield blob
            return
        name, last = self._voices[-1]
        try:
            async with aclosing(last.speak(text)) as pieces:
                async for blob in pieces:
                    yield blob
        except _FAULTS as error:
            nobody = _nobody([*failures, _noted(name, error)])
            if self._on_nobody is None:
                raise nobody from error
            self._on_nobody(nobody)
            return
        self._on_served(name)


async def _whole(voice: Speaks, text: Text, seconds: float) -> list[Blob]:
    """All of a piece. Raises TimeoutError where none of it came for so many seconds, and as the voice does."""
    sound: list[Blob] = []
    async with aclosing(voice.speak(text)) as pieces:
        while True:
            async with patience(seconds):
                blob = await anext(pieces, None)
            if blob is None:
                return sound
            sound.append(blob)


def _noted(name: str, error: Exception) -> tuple[str, Exception]:
    logger.warning("%s did not serve: %s", name, type(error).__name__)
    return name, error


def _nobody(failures: Sequence[tuple[str, Exception]]) -> Exception:
    """What one alone has failed with is told as it is."""
    if len(failures) == 1:
        return failures[0][1]
    return NobodyAnswered(tuple(failures), mend="Look at what each of them says.")
