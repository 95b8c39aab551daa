"""What a talk key does: held down, one talks until it is let go; tapped, it is as the button on the screen."""

from __future__ import annotations

from collections.abc import Callable

from companion.voice.loop import VoiceLoop

TAP = 0.4
"""Seconds. A key that is let go sooner was tapped."""


class Hand:
    """Passes presses on to the conversation there is.

    loop: the conversation, or None while there is none. clock: monotonic seconds.
    """

    def __init__(self, loop: Callable[[], VoiceLoop | None], clock: Callable[[], float]) -> None:
        self._loop = loop
        self._clock = clock
        self._pressed: float | None = None

    def press(self) -> None:
        """The key went down. A keyboard that repeats a held key presses it but once."""
        loop = self._loop()
        if self._pressed is not None or loop is None:
            return
        self._pressed = self._clock()
        if loop.is_muted:
            loop.mute(on=False)
        loop.talk(hold=True)

    def let_go(self) -> None:
        """The key came up."""
        pressed, self._pressed = self._pressed, None
        loop = self._loop()
        if pressed is None or loop is None:
            return
        loop.release()
        if self._clock() - pressed < TAP:
            loop.talk()
