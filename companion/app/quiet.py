"""What the user wants quiet: the ears, for a while or until further notice, and the voice."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from companion.app.captions import Captions
from companion.app.events import HushChanged, MuteChanged, Telling
from companion.stream import Stream, Transformer
from companion.voice.events import StateChanged


class Mutable(Protocol):
    """Ears that can be closed: the voice loop."""

    @property
    def is_muted(self) -> bool: ...

    def mute(self, on: bool) -> None: ...


@dataclass(slots=True)
class Wishes:
    """They outlive an engine that is begun anew: a microphone that was closed stays closed.

    muted_until: on a clock that only grows; infinity until further notice, None where the ears are open.
    """

    muted_until: float | None = None
    is_hushed: bool = False
    """Whether replies are shown and not said."""


class Quiet:
    """Sees to the wishes. clock: seconds that only grow, on which they are kept. now: the local time, for people."""

    def __init__(
        self, wishes: Wishes, telling: Telling, *, clock: Callable[[], float], now: Callable[[], datetime]
    ) -> None:
        self._wishes = wishes
        self._telling = telling
        self._clock = clock
        self._now = now
        self._ears: Mutable | None = None
        self._timer: asyncio.TimerHandle | None = None
        telling.subscribe(self._follow)

    @property
    def is_muted(self) -> bool:
        until = self._wishes.muted_until
        return until is not None and until > self._clock()

    @property
    def seconds_left(self) -> float:
        """For how long the ears stay closed; 0 where they are open or closed until further notice."""
        until = self._wishes.muted_until
        return max(until - self._clock(), 0.0) if until is not None and math.isfinite(until) else 0.0

    @property
    def is_hushed(self) -> bool:
        return self._wishes.is_hushed

    def attend(self, ears: Mutable | None) -> None:
        """These are the ears now; those of a conversation that is begun anew are as closed as those before."""
        self._ears = ears
        if ears is None:
            return
        if self._wishes.muted_until is not None and not self.is_muted:
            self._wishes.muted_until = None
        if self.is_muted != ears.is_muted:
            ears.mute(self.is_muted)
        self._set_timer()
        if self.is_muted:
            self._tell_of_ears()
        if self.is_hushed:
            self._telling.tell(HushChanged(on=True))

    def mute(self, on: bool | None, seconds: float | None = None) -> None:
        """Close the ears, for so many seconds or until further notice, or open them; None turns it over."""
        wanted = not self.is_muted if on is None else on
        until = math.inf if seconds is None else self._clock() + seconds
        self._wishes.muted_until = until if wanted else None
        if self._ears is not None and self._ears.is_muted != wanted:
            self._ears.mute(wanted)
        self._set_timer()
        self._tell_of_ears()

    def hush(self, on: bool | None) -> None:
        """Show replies without saying them, or say them again; None turns it over."""
        self._wishes.is_hushed = not self._wishes.is_hushed if on is None else on
        self._telling.tell(HushChanged(self._wishes.is_hushed))

    def close(self) -> None:
        """Wait for nothing any more; the wishes stay."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _follow(self, event: object) -> None:
        """The talk key opens ears without asking here."""
        if not isinstance(event, StateChanged) or self._ears is None:
            return
        if self._ears.is_muted != (self._wishes.muted_until is not None):
            self.mute(self._ears.is_muted)

    def _set_timer(self) -> None:
        self.close()
        if self.seconds_left:
            self._timer = asyncio.get_running_loop().call_later(self.seconds_left, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        if not self.is_muted:
            self.mute(on=False)
        else:  # the loop's clock runs ahead of ours
            self._set_timer()

    def _tell_of_ears(self) -> None:
        left = self.seconds_left
        self._telling.tell(MuteChanged(self.is_muted, self._now() + timedelta(seconds=left) if left else None))


class VoiceSwitch:
    """A Transformer: the voice, or captions alone while the user wants it quiet."""

    def __init__(self, voice: Transformer, wishes: Wishes) -> None:
        self._voice = voice
        self._wishes = wishes
        self._captions = Captions()

    async def transform(self, source: Stream) -> Stream:
        return await (self._captions if self._wishes.is_hushed else self._voice).transform(source)
