"""The senses, which listen for whatever word is wanted now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.app.warmup import Step
from companion.settings.schema import Settings, Wake
from companion.voice.contract import Senses

if TYPE_CHECKING:
    from companion.audio.senses import RoomSenses


class Attention:
    """given: senses to use whatever is wanted; None for those of this machine."""

    def __init__(self, given: Senses | None = None) -> None:
        self._given = given
        self._senses: RoomSenses | None = None

    async def to(self, wake: Wake) -> Senses:
        """The senses for a wake word, as sure of it as the settings want.

        Raises:
            ModelError: a detector does not load.
        """
        if self._given is not None:
            return self._given
        if self._senses is None or self._senses.word != wake.word:
            from companion.audio.senses import RoomSenses

            self._senses = await asyncio.to_thread(
                RoomSenses, wake.word, threshold=wake.threshold, verifier_threshold=wake.verifier_threshold
            )
        self._senses.adopt(threshold=wake.threshold, verifier_threshold=wake.verifier_threshold)
        return self._senses

    async def follow(self, before: Settings, now: Settings) -> None:
        """Be as sure as is wanted now; for another word the conversation is begun anew."""
        senses, wake = self._senses, now.wake
        if senses is not None and senses.word == wake.word:
            senses.adopt(threshold=wake.threshold, verifier_threshold=wake.verifier_threshold)

    @property
    def steps(self) -> Sequence[Step]:
        """What makes the detectors ready for the first wake word."""
        return (Step("wake word", self._senses.prepare),) if self._senses is not None else ()
