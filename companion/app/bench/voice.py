"""How soon the voice makes its first sound, of a word and of a sentence, and how fast it speaks."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from companion.app.bench.figures import Amount, Note, Section, Spread
from companion.app.warmup import Loadable
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    StreamCtrl,
    Text,
    Transformer,
    end_of_stream,
    new_stream_id,
    pcm_format,
    stream_of,
)

SHORT = "Sure."
LONG = "The weather will stay dry until the evening, and then a little rain is likely."


class Voice(Transformer, Loadable, Protocol):
    """A synthesiser that can be loaded beforehand."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One text as sound. ``first``: seconds until some of it was there; ``took``: until all of it."""

    sound: bytes
    rate: int
    first: float
    took: float

    @property
    def seconds(self) -> float:
        return len(self.sound) / 2 / self.rate if self.rate else 0.0


async def measure(voice: Voice, name: str, *, rounds: int = 12) -> Section:
    """Say a word and a sentence ``rounds`` times, in turn."""
    await voice.load()
    await speak(voice, SHORT)
    short: list[Spoken] = []
    long: list[Spoken] = []
    for _ in range(rounds):
        short.append(await speak(voice, SHORT))
        long.append(await speak(voice, LONG))
    report = voice.report
    return Section(
        f"Voice {name}",
        {
            "first sound of a word": Spread.of((one.first for one in short), "s"),
            "first sound of a sentence": Spread.of((one.first for one in long), "s"),
            "time for each second of sound": Spread.of((one.took / one.seconds for one in long if one.seconds), "s"),
            "load": Amount(report.load_seconds, "s"),
            "memory": Amount(report.memory_bytes / 1e6, "MB"),
            "how": Note(f"the word {SHORT!r}, a sentence of {len(LONG.split())} words, uncached"),
        },
    )


async def speak(voice: Transformer, text: str, *, language: str = "en") -> Spoken:
    """The sound of a text, timed."""
    route = new_stream_id()
    said = MessageChunk(Role.MODEL, part=Text(text, language), ctrl=StreamCtrl(route, begin_of_stream=True))
    sound, rate, first = bytearray(), 0, 0.0
    began = time.perf_counter()
    stream = await voice.transform(stream_of([said, end_of_stream(route, role=Role.MODEL)]))
    try:
        async for chunk in stream:
            if isinstance(chunk.part, Blob) and chunk.part.data:
                first = first or time.perf_counter() - began
                form = pcm_format(chunk.part.mime_type)
                rate = form.rate if form else rate
                sound += chunk.part.data
    finally:
        await stream.close()
    return Spoken(bytes(sound), rate, first, time.perf_counter() - began)
