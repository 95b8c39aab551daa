"""One conversation through files: the whole voice loop and the real models, without devices."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from companion.app.build import build
from companion.app.events import Telling
from companion.app.lock import Lock
from companion.app.paths import Paths
from companion.app.sound import FileEnds, writable
from companion.settings.schema import Settings
from companion.voice.events import AnswerStarted, HeardText, Spoken, TurnTimed


@dataclass(slots=True)
class Turn:
    """One question and its answer."""

    heard: str
    language: str
    source: str = ""
    said: str = ""
    whole: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    """What each step took, from the end of the voice to the first sound."""


class Transcript:
    """Writes down the turns of a conversation."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._source = ""

    def note(self, event: object) -> None:
        match event:
            case HeardText(text, language, final=True):
                self.turns.append(Turn(text, language, self._source))
                self._source = ""
            case AnswerStarted(source):
                self._note_source(source)
            case TurnTimed() if self.turns:
                self.turns[-1].seconds = {
                    step: round(getattr(event, step), 3)
                    for step in ("wait", "recogniser", "first_token", "first_sound", "total")
                }
            case Spoken(text, whole) if self.turns:
                self.turns[-1].said, self.turns[-1].whole = text, whole
            case _:
                pass

    def _note_source(self, source: str) -> None:
        """An answer may be begun before the turn it belongs to is known to have ended."""
        if self.turns and not self.turns[-1].source:
            self.turns[-1].source = source
        else:
            self._source = source


async def talk_through_files(
    settings: Settings, paths: Paths, question: Path, answer: Path | None, telling: Telling
) -> list[Turn]:
    """Answer what is said in ``question``, no wake word needed; write what was said to ``answer``.

    Raises:
        SoundFileError: a file cannot be read or written.
        AlreadyRunning: a companion owns the data folder, its history and its timers.
        CompanionError: see ``build``.
    """
    place = writable(answer) if answer is not None else None
    ends, transcript = FileEnds(question), Transcript()
    telling.subscribe(transcript.note)
    lock = Lock.take(paths.lock_file)
    try:
        companion = await build(_open(settings), paths, telling, open_ends=ends.open)
        try:
            await companion.once()
        finally:
            await companion.close()
    finally:
        lock.release()
    if place is not None:
        ends.write(place)
    return transcript.turns


def _open(settings: Settings) -> Settings:
    """The settings with ears that need no wake word."""
    return settings.model_copy(update={"wake": settings.wake.model_copy(update={"open_microphone": True})})
