"""What the loop hears: sound becomes voice and silence, wake words, levels and, at last, utterances."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from companion.errors import StreamInterrupted
from companion.stream import Blob, MessageChunk, Stream
from companion.stream.tasks import Tasks
from companion.voice.contract import BYTES_PER_SECOND, RATE, Sensed, Senses
from companion.voice.cues import Cue, EarsBack, EarsLost, Tick
from companion.voice.cues import Woken as WokenCue
from companion.voice.endpoint import Endpointer
from companion.voice.events import Event, Level, Woken
from companion.voice.sound import SampleClock, SoundBuffer
from companion.voice.words import says_wake

logger = logging.getLogger(__name__)

AT_REST = 4.0
"""Seconds of sound kept while nobody is heard: two for the verifier, the time it takes, and 0.8 s of pre-roll."""
VERIFIED = 2.0
"""Seconds the verifier of the wake word hears."""
VERIFIER_PATIENCE = 3.0
DETECTOR_LAG = 0.12
"""Seconds from the end of the wake word to its detection (measured: 0.10 to 0.18); there may be words in them."""
LOOK = 0.5
"""Seconds between looks at whether the ears still say something."""
MISSING = 3.0
"""Seconds without sound after which the microphone counts as gone, though nobody said so."""
LEVEL_EVERY = 0.1
LEAD = 0.25
"""Seconds by which sound may run ahead of the clock while something is being worked on (sound from a file)."""
_FRAME = RATE // 100 * 2
"""Bytes of 10 ms, which the senses take in multiples."""


class Ears:
    """Reads the microphone and tells the turn machine.

    stream: 16 kHz mono chunks. A route that ends with an error is a lost microphone; the next sound is it again.
    saying: the text of the reply that is being said, on which a wake word is not believed.
    is_busy: whether somebody works on what was heard. Sound that comes faster than the clock is then held
        back to its pace, so that a file is heard as it would be in a room.
    """

    def __init__(
        self,
        stream: Stream,
        senses: Senses,
        *,
        clock: Callable[[], float],
        feed: Callable[[Cue], None],
        show: Callable[[Event], None],
        saying: Callable[[], str],
        is_busy: Callable[[], bool],
        tasks: Tasks,
    ) -> None:
        self._stream = stream
        self._senses = senses
        self._clock = clock
        self._feed = feed
        self._show = show
        self._saying = saying
        self._is_busy = is_busy
        self._tasks = tasks
        self._time = SampleClock(clock)
        self._endpointer = Endpointer()
        self._buffer = SoundBuffer(AT_REST)
        self._rest = b""
        self._is_muted = False
        self._is_lost = False
        self._is_verifying = False
        self._level_at = 0.0
        self._chunks = 0
        self._busy_since: tuple[float, float] | None = None

    @property
    def now(self) -> float:
        """Seconds on the sample clock."""
        return self._time.at

    def keep(self, seconds: float) -> None:
        """Keep that much sound at least."""
        self._buffer.keep = max(seconds, AT_REST)

    def cut(self, began: float, ended: float) -> bytes:
        """The sound between two times."""
        return self._buffer.cut(began, ended)

    def mute(self, *, on: bool) -> None:
        """Hear nothing, and forget what was heard."""
        self._is_muted = on
        self._begin_afresh()

    async def listen(self) -> bool:
        """Hear until the stream ends, and say whether it ended by itself.

        Raises:
            StreamFailed: the microphone's stream broke for good.
        """
        watch = self._tasks.start(self._tick_while_silent(), name="watch the ears")
        try:
            async for chunk in self._stream:
                self._take(chunk)
                await self._keep_pace()
        except StreamInterrupted:
            return False
        finally:
            watch.cancel()
        return True

    async def fall_silent(self, is_over: Callable[[], bool]) -> None:
        """After the end of the sound: silence, until ``is_over``."""
        while not is_over():
            self._hear(bytes(_FRAME), Sensed(voice=0.0, level=-120.0))
            await self._keep_pace()
            await asyncio.sleep(0)

    def _take(self, chunk: MessageChunk) -> None:
        self._chunks += 1
        if isinstance(chunk.part, Blob) and chunk.part.data:
            sound = self._rest + chunk.part.data
            whole = len(sound) // _FRAME * _FRAME
            self._rest = sound[whole:]
            if whole:
                self._hear(sound[:whole] if self._rest else sound)
        elif chunk.is_end and chunk.ctrl is not None and chunk.ctrl.error:
            self._lose()

    def _hear(self, sound: bytes, sensed: Sensed | None = None) -> None:
        began, ended = self._time.hear(len(sound) / BYTES_PER_SECOND)
        if self._is_lost:
            self._is_lost = False
            self._begin_afresh()
            self._feed(EarsBack(ended))
        if self._is_muted:
            self._feed(Tick(ended))
            return
        self._buffer.add(sound, began)
        sensed = sensed or self._senses.hear(sound)
        self._show_level(sensed.level)
        if sensed.wake:
            self._maybe_wake(sensed.wake, (began + ended) / 2)
        self._feed(self._endpointer.hear(sensed.voice, sensed.level, began, ended))

    def _show_level(self, level: float) -> None:
        if self._time.at - self._level_at >= LEVEL_EVERY:
            self._level_at = self._time.at
            self._show(Level(level))

    # -- the wake word

    def _maybe_wake(self, word: str, at: float) -> None:
        if self._is_verifying or says_wake(self._saying(), word):
            return
        self._is_verifying = True
        sound = self.cut(self.now - VERIFIED, self.now)
        self._tasks.start(self._verify(word, at, sound), name="verify the wake word")

    async def _verify(self, word: str, at: float, sound: bytes) -> None:
        try:
            async with asyncio.timeout(VERIFIER_PATIENCE):
                is_real = await self._senses.verify(word, sound)
        except TimeoutError:
            logger.warning("the wake word's verifier took more than %s s", VERIFIER_PATIENCE)
            return
        except Exception as error:  # a word that cannot be verified does not wake
            logger.warning("the wake word's verifier failed: %s", error, exc_info=error)
            return
        finally:
            self._is_verifying = False
        if is_real and not self._is_muted:
            self._show(Woken(word))
            self._feed(WokenCue(self.now, at - DETECTOR_LAG))

    # -- ears that say nothing

    async def _tick_while_silent(self) -> None:
        seen, looks = self._chunks, 0
        while True:
            await asyncio.sleep(LOOK)
            looks = looks + 1 if seen == self._chunks else 0
            seen = self._chunks
            # One look may only be a busy moment: the sound is there and waits behind us.
            if looks >= 2:
                self._feed(Tick(self._time.tick()))
            if looks * LOOK >= MISSING:
                self._lose()

    def _lose(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._feed(EarsLost(self.now))

    def _begin_afresh(self) -> None:
        self._senses.forget()
        self._endpointer.restart(self.now)
        self._buffer.clear()
        self._rest = b""

    async def _keep_pace(self) -> None:
        if not self._is_busy():
            self._busy_since = None
            return
        if self._busy_since is None:
            self._busy_since = (self.now, self._clock())
        heard_from, clock_from = self._busy_since
        lead = (self.now - heard_from) - (self._clock() - clock_from)
        if lead > LEAD:
            await asyncio.sleep(lead - LEAD)
