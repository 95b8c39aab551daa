"""The models that work together in one companion, and what it does without those that are missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from companion.app.captions import Captions
from companion.app.events import Problem, Telling
from companion.app.mind import Thinker
from companion.app.models import ModelRoom
from companion.app.tongue import Tongue
from companion.app.warmup import Loadable, Step
from companion.catalog.choose import choose
from companion.catalog.manifest import Kind
from companion.catalog.shelf import bring_in_words
from companion.errors import CompanionError, ModelMissing
from companion.stream import Transformer
from companion.voice.contract import TurnJudge

T = TypeVar("T")


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
    judge: TurnJudge | None
    residents: Sequence[LocalModel]
    """Those that take memory; closed in the end."""
    steps: Sequence[Step]
    """What to have ready, in the order a turn needs it."""

    async def close(self) -> None:
        """Free every model, even where one of them fails."""
        for model in self.residents:
            await model.close()


def gather(room: ModelRoom, telling: Telling) -> Ensemble:
    """Choose and make the models; nothing is loaded yet. What is missing is told, unless it is the recogniser.

    Raises:
        ModelError: there is no recogniser.
        ShelfError: its files are not what they should be.
        SettingsError: the settings name a model that is none.
    """
    hear = room.recogniser()
    judge = _or_tell("turn judge", room.turn_judge, telling)
    voice = _or_tell("voice", room.voice, telling)
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
        speak=_tongue(voice, room, telling),
        judge=judge,
        residents=residents,
        steps=steps,
    )


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
        voice = room.voice()
    except ModelMissing:
        fallback = _espeak()
        if fallback is None:
            raise
        return fallback, []
    return _tongue(voice, room, telling), [voice]


def _tongue(voice: Transformer | None, room: ModelRoom, telling: Telling) -> Transformer:
    """The voice for its languages, espeak-ng for the others where it is installed, else captions only."""
    fallback = _espeak()
    if voice is None:
        return fallback or Captions()
    return Tongue(
        voice,
        room.voices(),
        otherwise=fallback or Captions(),
        on_foreign=lambda language: telling.tell(_foreign(language, room, by=fallback)),
    )


def _espeak() -> Transformer | None:
    program = shutil.which("espeak-ng")
    if program is None:
        return None
    from companion.providers.local.espeak import EspeakSynthesiser

    return EspeakSynthesiser(Path(program))


def _foreign(language: str, room: ModelRoom, *, by: Transformer | None) -> Problem:
    meanwhile = "espeak-ng speaks it meanwhile" if by is not None else "the answer can only be read"
    try:
        found = choose(Kind.VOICE, language, room.machine, room.shelf.manifests, room.shelf.names())
        mend = bring_in_words([found.manifest.name])
    except ModelMissing as missing:
        mend = missing.mend
    return Problem(f"voice for {language}", f"there is no voice for {language!r} on the shelf; {meanwhile}", mend)
