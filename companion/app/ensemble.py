"""The models that work together in one companion, and what it does without those that are missing."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from companion.app.captions import Captions
from companion.app.events import Problem, Telling
from companion.app.foreign import Foreign
from companion.app.mind import Thinker
from companion.app.models import ModelRoom
from companion.app.warmup import Loadable, Step
from companion.catalog.choose import choose, language_in_words, starter_set
from companion.catalog.manifest import Kind
from companion.catalog.shelf import bring_in_words
from companion.errors import CompanionError, ModelMissing
from companion.settings.language import or_english
from companion.stream import Transformer
from companion.voice.contract import TurnJudge

if TYPE_CHECKING:
    from companion.providers.local.espeak import EspeakSynthesiser
    from companion.providers.local.faster_whisper import WhisperRecogniser
    from companion.providers.local.piper import PiperSynthesiser

T = TypeVar("T")

logger = logging.getLogger(__name__)


class LocalModel(Loadable, Protocol):
    """A model of this machine."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Ensemble:
    """What hears, thinks, speaks and judges."""

    hear: Transformer
    think: Thinker | None
    think_name: str
    speak: Transformer
    voice_name: str
    """All that its sound depends on; empty where it is not worth keeping."""
    judge: TurnJudge | None
    residents: Sequence[LocalModel]
    """Those that take memory; closed in the end."""
    steps: Sequence[Step]
    """What to have ready, in the order a turn needs it."""
    closing: Sequence[Callable[[], Awaitable[None]]] = ()
    """What else there is to be given back in the end."""

    async def close(self) -> None:
        """Free all models at once; one that does not let go is left to the end of the process."""
        closing = [*(model.close for model in self.residents), *self.closing]
        outcomes = await asyncio.gather(*(close() for close in closing), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                logger.warning("%s", outcome)


def gather(room: ModelRoom, telling: Telling) -> Ensemble:
    """Choose and make the models; nothing is loaded yet. What is missing is told, unless it is the recogniser.

    Raises:
        ModelError: there is no recogniser.
        ShelfError: its files are not what they should be.
        SettingsError: the settings name a model that is none.
    """
    hear = _recogniser(room)
    judge = _or_tell("turn judge", room.turn_judge, telling)
    voice = _or_tell("voice", lambda: _voice(room, telling), telling)
    think = _or_tell("language model", room.language_model, telling)
    residents: list[LocalModel] = [model for model in (hear, voice, think) if model is not None]
    steps = [Step.load("recogniser", hear)]
    if judge is not None:
        steps.append(Step("turn judge", judge.load))
    if voice is not None:
        steps.append(Step.load("voice", voice))
    if think is not None:
        steps.append(Step.load("language model", think))
    return Ensemble(
        hear=hear,
        think=think,
        think_name=room.manifest(Kind.LANGUAGE_MODEL).name if think is not None else "",
        speak=voice or _espeak(room) or Captions(),
        voice_name=_voice_name(room) if voice is not None else "",
        judge=judge,
        residents=residents,
        steps=steps,
    )


def _recogniser(room: ModelRoom) -> WhisperRecogniser:
    try:
        return room.recogniser()
    except ModelMissing as missing:
        starters = starter_set(room.machine, room.language)
        others = [name for name in starters if name in room.shelf.manifests and not room.shelf.has(name)]
        if len(others) < 2:
            raise
        # A new machine: one line that brings everything.
        raise ModelMissing(
            f"there are no models yet; missing: {', '.join(others)}", mend=bring_in_words(others)
        ) from missing


def _voice_name(room: ModelRoom) -> str:
    files = sorted({file.name for file in room.voices().values()})
    return f"{'+'.join(files)} x{room.settings.models.speed:g}"


def _or_tell(topic: str, make: Callable[[], T], telling: Telling) -> T | None:
    try:
        return make()
    except CompanionError as fault:
        telling.tell(Problem(topic, str(fault), fault.mend))
        return None


def speaking(room: ModelRoom, telling: Telling) -> tuple[Transformer, list[LocalModel]]:
    """What speaks, for a command that has nothing else to do, and what of it takes memory.

    Raises:
        ModelMissing: there is no voice, and no espeak-ng.
        CompanionError: see ``ModelRoom.voice``.
    """
    try:
        voice = _voice(room, telling)
    except ModelMissing:
        fallback = _espeak(room)
        if fallback is None:
            raise
        return fallback, []
    return voice, [voice]


def _voice(room: ModelRoom, telling: Telling) -> PiperSynthesiser:
    """The voices on the shelf, with what speaks for the languages they do not know."""
    by = _espeak(room)
    return room.voice(Foreign(by, lambda language: telling.tell(_no_voice_for(language, room, by=by))))


def _espeak(room: ModelRoom) -> EspeakSynthesiser | None:
    program = shutil.which("espeak-ng")
    if program is None:
        return None
    from companion.providers.local.espeak import EspeakSynthesiser

    language = or_english(room.language)
    return EspeakSynthesiser(Path(program), language=language, speed=room.settings.models.speed)


def _no_voice_for(language: str, room: ModelRoom, *, by: Transformer | None) -> Problem:
    meanwhile = "espeak-ng speaks it meanwhile" if by is not None else "the answer can only be read"
    try:
        found = choose(Kind.VOICE, language, room.machine, room.shelf.manifests, room.shelf.names())
        mend = bring_in_words([found.manifest.name])
    except ModelMissing as missing:
        mend = missing.mend if by is None else "No voice in the catalogue knows it."
    told = f"there is no voice for {language_in_words(language)} on the shelf; {meanwhile}"
    return Problem(f"voice for {language}", told, mend)
