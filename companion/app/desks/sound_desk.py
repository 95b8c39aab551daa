"""The desk of the sound page: which devices there are, and trials of them, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from companion.app.desks.work import outcome
from companion.app.events import Finished, Progress, Telling
from companion.app.loan import Borrow, nobody_has_them
from companion.app.minding.desks import Given, Row
from companion.app.trials.sensitivity import percent_of, threshold_of
from companion.errors import CompanionError, ControlError, DeviceError, one_line
from companion.settings.schema import Settings, Sound
from companion.settings.store import SettingsStore
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread
from companion.voice.events import State

if TYPE_CHECKING:
    from companion.app.trials.equipment import Equipment
    from companion.audio.devices import Devices
    from companion.voice.loop import VoiceLoop

TRIAL_WITHIN = 40.0
"""Seconds a trial that is waited for may take."""
LEVEL, WAKE = "sound.level", "sound.wake"

Work = Callable[[], Awaitable[Row]]


class SoundDesk:
    """Implements ``Desk``.

    borrow: how a trial gets the devices where a conversation has them.
    conversation: the one that goes on, if any; its microphone is open already.
    """

    actions = ("list", "level", "record", "chime", "echo", "wake", "stop")

    def __init__(
        self,
        store: SettingsStore,
        telling: Telling,
        *,
        borrow: Borrow = nobody_has_them,
        conversation: Callable[[], VoiceLoop | None] = lambda: None,
        devices: Callable[[], Devices] | None = None,
    ) -> None:
        self._store = store
        self._telling = telling
        self._borrow = borrow
        self._conversation = conversation
        self._make_devices = devices or _devices
        self._devices: Devices | None = None
        self._tasks = Tasks()
        self._trial: asyncio.Task[None] | None = None
        self._order = asyncio.Lock()
        self._looking = asyncio.Lock()

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``level`` on until ``stop``; ``record`` so many ``seconds`` and play them; ``chime``; ``echo``;
        ``wake`` tries a ``word`` at a sensitivity in ``percent`` until ``stop``. ``microphone`` and ``speaker`` name
        devices in place of those of the settings; "" is the system's own.
        """
        settings = await finish_in_thread(self._store.usable)
        if action == "list":
            async with self._looking:  # a sound system that hangs shall have one thread, and not all there are
                return await finish_in_thread(lambda: self._list(settings))
        async with self._order:
            await self._stop()
            if action == "stop":
                return {}
            equipment = self._equipment(settings.sound, given)
            if action == "level":
                return self._level(settings.sound, equipment)
            if action == "wake":
                return self._wake(settings, equipment, given)
            trial, outcome = self._begun(action, self._work(action, equipment, given))
        try:
            return await outcome
        finally:
            trial.cancel()  # whoever asked may be gone

    async def close(self) -> None:
        """End what is being tried."""
        await self._tasks.close()

    # -- what is there

    def _list(self, settings: Settings) -> Row:
        from companion.app.trials.choice import device_rows
        from companion.audio.wake import WORDS

        wake = settings.wake
        return device_rows(self._known(), settings.sound) | {
            "words": list(WORDS),
            "word": wake.word,
            "percent": percent_of(wake.threshold),
        }

    def _known(self) -> Devices:
        if self._devices is None:
            self._devices = self._make_devices()
        return self._devices

    def _equipment(self, sound: Sound, given: Given) -> Equipment:
        from companion.app.trials.equipment import Equipment

        names = {
            "microphone": given.text("microphone", sound.microphone),
            "speaker": given.text("speaker", sound.speaker),
        }
        return Equipment(sound.model_copy(update=names), self._known(), self._borrow)

    # -- trials that go on

    def _level(self, sound: Sound, equipment: Equipment) -> Row:
        from companion.app.trials.meter import meter, relay

        loop = self._conversation()
        is_open = loop is not None and equipment.sound.microphone == sound.microphone
        if is_open and loop is not None and loop.state is State.MUTED:
            return {"on": False, "muted": True}
        work = partial(relay, self._telling) if is_open else partial(meter, equipment, self._telling)
        self._trial = self._tasks.start(self._told(work, LEVEL), name=LEVEL)
        return {"on": True, "muted": False}

    def _wake(self, settings: Settings, equipment: Equipment, given: Given) -> Row:
        from companion.app.trials.wake import try_wake

        wake = settings.wake
        threshold = threshold_of(given.number("percent", percent_of(wake.threshold)))
        word = given.text("word", wake.word)
        verifier = wake.verifier_threshold
        work = partial(try_wake, equipment, self._telling, word, threshold=threshold, verifier=verifier)
        self._trial = self._tasks.start(self._told(work, WAKE), name=WAKE)
        return {"word": word, "threshold": threshold}

    async def _told(self, work: Callable[[], Awaitable[None]], task: str) -> None:
        """Work nobody waits for: its end is told."""

        async def done() -> str:
            await work()
            return ""

        self._telling.tell(Progress(task, 0, 0))
        self._telling.tell(await outcome(task, done))

    # -- trials that are waited for

    def _work(self, action: str, equipment: Equipment, given: Given) -> Work:
        match action:
            case "record":
                seconds = given.number("seconds", 3)
                return lambda: self._record(equipment, seconds)
            case "chime":
                return lambda: _chimed(equipment)
            case _:
                return lambda: self._echo(equipment)

    async def _record(self, equipment: Equipment, seconds: int) -> Row:
        from companion.app.trials.playback import record_and_play

        return asdict(await record_and_play(equipment, self._telling, seconds=seconds))

    async def _echo(self, equipment: Equipment) -> Row:
        from companion.app.trials.echo import try_echo

        return asdict(await try_echo(equipment, self._telling))

    def _begun(self, action: str, work: Work) -> tuple[asyncio.Task[None], asyncio.Future[Row]]:
        outcome: asyncio.Future[Row] = asyncio.get_running_loop().create_future()
        self._trial = self._tasks.start(self._settled(f"sound.{action}", work, outcome), name=f"sound {action}")
        return self._trial, outcome

    async def _settled(self, task: str, work: Work, outcome: asyncio.Future[Row]) -> None:
        try:
            async with asyncio.timeout(TRIAL_WITHIN):
                row = await work()
        except asyncio.CancelledError:
            _settle(outcome, {"verdict": "stopped"})
            raise
        except TimeoutError:
            _fail(outcome, DeviceError("the sound devices do not answer", mend="Plug them in again, or choose others."))
        except CompanionError as fault:
            _fail(outcome, fault)
        except Exception as error:  # noqa: BLE001 - whoever asked is told, and the desk goes on
            _fail(outcome, ControlError(f"something went wrong inside ({one_line(error)})", mend="See the log."))
        else:
            _settle(outcome, row)
        finally:
            self._telling.tell(Finished(task))

    async def _stop(self) -> None:
        trial, self._trial = self._trial, None
        if trial is not None:
            trial.cancel()
            await asyncio.wait([trial])


async def _chimed(equipment: Equipment) -> Row:
    """A short sound, to hear whether the loudspeaker is the right one."""
    from companion.app.trials.equipment import chime, to_play

    sound = await asyncio.to_thread(chime)
    async with equipment.borrow(), equipment.mouth() as mouth:
        await mouth.play(to_play(sound), on_first_sound=lambda: None)
    return {"verdict": "played"}


def _settle(outcome: asyncio.Future[Row], row: Row) -> None:
    if not outcome.done():
        outcome.set_result(row)


def _fail(outcome: asyncio.Future[Row], fault: CompanionError) -> None:
    if not outcome.done():
        outcome.set_exception(fault)


def _devices() -> Devices:
    from companion.audio.devices import Devices

    return Devices()
