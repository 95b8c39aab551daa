"""How loud the microphone is, told many times a second; it outlives a microphone that is unplugged."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from companion.app.events import Metered, Problem, Telling
from companion.app.trials.equipment import Equipment, loudness, sound_in
from companion.audio.level import SILENCE
from companion.audio.microphone import Microphone, MicrophoneState
from companion.errors import StreamInterrupted
from companion.voice.events import Level

BLOCK_MS = 60
LONGEST = 1800.0
"""Seconds, after which nobody looks any more."""


async def meter(equipment: Equipment, telling: Telling) -> None:
    """Open the microphone and tell, until cancelled."""

    def note(state: MicrophoneState) -> None:
        telling.tell(Metered(SILENCE, state.device, state.error, state.mend))

    microphone = Microphone(equipment.sound.microphone, devices=equipment.devices, block_ms=BLOCK_MS, on_state=note)
    try:
        with suppress(TimeoutError, StreamInterrupted):
            async with asyncio.timeout(LONGEST):
                async for chunk in microphone:
                    if sound := sound_in(chunk):
                        telling.tell(Metered(loudness(sound)))
    finally:
        await microphone.close()


async def relay(telling: Telling) -> None:
    """Tell what the conversation hears, until cancelled: it has the microphone open already."""

    def notice(event: object) -> None:
        match event:
            case Level(dbfs):
                telling.tell(Metered(dbfs))
            case Problem("microphone", message, mend):
                telling.tell(Metered(SILENCE, problem=message, mend=mend))
            case _:
                pass

    unsubscribe = telling.subscribe(notice)
    try:
        await asyncio.sleep(LONGEST)
    finally:
        unsubscribe()
