"""One reply, from asking for it until what was heard of it is in the history."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto

from companion.agent.answer import Answer
from companion.errors import DeviceError
from companion.stream import Stream, Transformer
from companion.stream.tasks import Tasks
from companion.voice.contract import Mouth, PlayedPiece
from companion.voice.cues import Cue, FirstToken, Problem, ReplyBegan, ReplyEnded, ReplyFailed, ReplyMoved
from companion.voice.heard import heard_text, position_behind, wholly_heard
from companion.voice.script import Script
from companion.voice.voiced import VoicedSound

HUSH_PATIENCE = 2.0
"""Seconds a hushed loudspeaker has to give up the reply."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to be said."""

    text: Stream
    """Text chunks; read once."""
    language: str
    answer: Answer | None = None
    """What the history keeps; None for what is no part of the conversation."""
    follow_up: bool = True
    announcement: int = 0
    """Its number, where it is one."""


@dataclass(frozen=True, slots=True)
class Studio:
    """The way from text to sound."""

    cut: Transformer
    speak: Transformer
    mouth: Mouth


@dataclass(frozen=True, slots=True)
class Office:
    """Whom a reply reports to."""

    now: Callable[[], float]
    """Seconds on the sample clock."""
    feed: Callable[[Cue], None]
    sure: Callable[[Reply], None]
    """It will be given, and what it answers is known."""
    words: Callable[[Reply, str], None]
    """More of its text is written; told only once it may be heard."""
    caption: Callable[[str], None]
    """A piece is on its way to the loudspeaker."""
    trouble: Callable[[Problem, BaseException], None]
    settle: Callable[[Reply, str, bool], Awaitable[None]]
    """The reply is over: what was heard of it, and whether that was all."""


class _Stage(Enum):
    MAKING = auto()
    PLAYING = auto()
    PAUSED = auto()
    OVER = auto()


class Reply:
    """Runs as one task and is one cancel scope.

    It may be made before it may be heard: it then waits, with its first sound in hand, for ``release``.

    number: as the turn machine counts.
    draft: asks for what is to be said.
    after: the reply before it; its history must be written before this one is asked for.
    """

    def __init__(
        self,
        number: int,
        draft: Callable[[], Awaitable[Draft]],
        studio: Studio,
        office: Office,
        *,
        after: Reply | None = None,
    ) -> None:
        self.number = number
        self.draft: Draft | None = None
        self.settled = asyncio.Event()
        """Set when the history has it, or when there is nothing for the history."""
        self.may_be_heard = asyncio.Event()
        self.was_released = False
        self._make_draft = draft
        self._studio = studio
        self._office = office
        self._after = after
        self._tasks = Tasks()
        self._task: asyncio.Task[None] | None = None
        self._stage = _Stage.MAKING
        self._script: Script | None = None
        self._pieces: list[PlayedPiece] = []
        self._whole = False
        self._silent_captions: list[str] = []
        self._is_hushed = False
        self._is_withdrawn = False
        self._failed: Problem | None = None
        self._has_sounded = False

    @property
    def is_over(self) -> bool:
        return self._stage is _Stage.OVER

    @property
    def has_begun(self) -> bool:
        """Whether it was begun to be heard, and did not break."""
        return self._has_sounded and self._failed is None

    @property
    def written(self) -> str:
        """All of its text there is so far."""
        return self._script.written if self._script else ""

    # -- orders

    def start(self, tasks: Tasks) -> asyncio.Task[None]:
        self._task = tasks.start(self._run(), name=f"reply {self.number}")
        # Not at the end of the task: one that is cancelled before its first step never gets there.
        self._task.add_done_callback(lambda _: self.settled.set())
        return self._task

    def release(self) -> None:
        """It may be heard."""
        self.was_released = True
        self.may_be_heard.set()
        self._confirm()
        if self.written:
            self._office.words(self, self.written)
            self._on_first_words()

    def _confirm(self) -> None:
        """The user has ended the turn: what the model wants done may be done."""
        if self.draft is not None and self.draft.answer is not None:
            self.draft.answer.confirm()
            self._office.sure(self)

    def pause(self) -> None:
        """Fall silent, or do not begin, but keep what was not heard."""
        self.may_be_heard.clear()
        if self._stage is _Stage.PLAYING:
            self._studio.mouth.hush()

    def resume(self) -> None:
        """Go on, at the first piece that was not heard."""
        self.may_be_heard.set()

    def hush(self) -> None:
        """End. What was heard goes into the history."""
        self._is_hushed = True
        self.may_be_heard.set()
        match self._stage:
            case _Stage.MAKING:
                self._cancel()
            case _Stage.PLAYING:
                self._studio.mouth.hush()
                asyncio.get_running_loop().call_later(HUSH_PATIENCE, self._give_up_playing)
            case _Stage.PAUSED | _Stage.OVER:
                pass

    def withdraw(self) -> None:
        """End as if it had never been asked for."""
        self._is_withdrawn = True
        self._is_hushed = True
        self._cancel()

    def _give_up_playing(self) -> None:
        if self._stage is _Stage.PLAYING:
            self._cancel()

    def _cancel(self) -> None:
        if self._task is not None and self._stage is not _Stage.OVER:
            self._task.cancel()

    # -- its life

    async def _run(self) -> None:
        await self._live_or_be_cancelled()
        if not self._is_hushed:
            self._report()
        if self.was_released and not self._is_withdrawn:
            await self._office.settle(self, *self._heard())

    async def _live_or_be_cancelled(self) -> None:
        try:
            await self._live()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._is_hushed or task is None:
                raise
            task.uncancel()
        finally:
            self._stage = _Stage.OVER
            await self._close()

    async def _live(self) -> None:
        try:
            if self._after is not None:
                await self._after.settled.wait()
                self._after = None
            self.draft = draft = await self._make_draft()
            if self.was_released:
                self._confirm()
        except Exception as error:  # noqa: BLE001 - whatever is wrong with an answer, the conversation goes on
            self._fail(Problem.THINKING_FAILED, error)
            return
        self._script = Script(draft.text, draft.language, on_first_words=self._on_first_words, on_words=self._on_words)
        self._tasks.start(self._script.write(), name=f"text of reply {self.number}")
        while await self._play(self._script):
            self._pieces = wholly_heard(self._pieces)
        if self._script.failure is not None and self._failed is None:
            self._fail(Problem.MODEL_DIED, self._script.failure)

    async def _play(self, script: Script) -> bool:
        """Say what was not heard yet, and whether there is to be another time."""
        text = script.read(position_behind(script.written, self._pieces))
        self._stage = _Stage.MAKING
        try:
            sound = await self._voice(text)
            try:
                return await self._play_sound(sound)
            finally:
                await sound.close()
                if sound.failure is not None:
                    self._fail(Problem.VOICE_FAILED, sound.failure)
        except DeviceError as error:
            self._fail(Problem.NO_SPEAKER, error)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the voice, the conversation goes on
            self._fail(Problem.VOICE_FAILED, error)
        return False

    async def _voice(self, text: Stream) -> VoicedSound:
        pieces = await self._studio.cut.transform(text)
        speech = await self._studio.speak.transform(pieces)
        return VoicedSound(speech, on_caption=self._office.caption, on_sound=self._on_sound)

    async def _play_sound(self, sound: VoicedSound) -> bool:
        has_sound = await sound.fill()
        await self.may_be_heard.wait()
        if not has_sound:
            self._whole = sound.failure is None
            self._silent_captions = sound.captions
            return False
        self._stage = _Stage.PLAYING
        self._studio.mouth.unduck()
        played = await self._studio.mouth.play(sound, on_first_sound=self._on_first_sound)
        self._stage = _Stage.PAUSED
        self._pieces += played.pieces
        if not played.hushed:
            self._whole = sound.failure is None
            return False
        await self.may_be_heard.wait()
        return not self._is_hushed

    def _heard(self) -> tuple[str, bool]:
        whole = self._whole and self._failed is None and not self._is_hushed
        if whole:
            return "".join([*(piece.text for piece in self._pieces), *self._silent_captions]).strip(), True
        return heard_text(self._pieces), False

    async def _close(self) -> None:
        if self._script is not None:
            await self._script.close()
        elif self.draft is not None:
            await self.draft.text.close()
        await self._tasks.close()

    # -- reports

    def _fail(self, problem: Problem, error: BaseException) -> None:
        self._failed = problem
        self._office.trouble(problem, error)

    def _report(self) -> None:
        at = self._office.now()
        if self._failed is not None:
            self._office.feed(ReplyFailed(at, self.number, self._failed))
        else:
            follow_up = self.draft is not None and self.draft.follow_up
            self._office.feed(ReplyEnded(at, self.number, follow_up))

    def _on_first_words(self) -> None:
        self._office.feed(FirstToken(self._office.now(), self.number))

    def _on_words(self, words: str) -> None:
        if self.was_released:
            self._office.words(self, words)

    def _on_first_sound(self) -> None:
        self._has_sounded = True
        self._office.feed(ReplyBegan(self._office.now(), self.number))

    def _on_sound(self) -> None:
        self._office.feed(ReplyMoved(self._office.now(), self.number))
