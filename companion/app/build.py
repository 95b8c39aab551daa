"""Settings in, a companion out: every part is chosen, made and connected here, and nowhere else.

Nothing heavy is loaded. Without a recogniser there is no companion; without a language model, a
voice or a turn judge there is one, which says what it lacks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

from companion.agent.agent import Agent
from companion.agent.clock import local_clock
from companion.app.attention import Attention
from companion.app.companion import Companion, Parts
from companion.app.ensemble import Ensemble, gather
from companion.app.events import Problem, Telling
from companion.app.idle import Idle
from companion.app.live import Change, Live
from companion.app.mind import Mind, Thinker, build_mind, has_tools, may_run
from companion.app.minding.consolidation import Consolidation
from companion.app.minding.furnish import let_others_in
from companion.app.minding.upkeep import Upkeep
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.phrases import phrase_step, remembering
from companion.app.quiet import VoiceSwitch, Wishes
from companion.app.read_ahead import ReadAhead
from companion.app.shelf import build_shelf
from companion.app.sound import Ends, OpenEnds, of_this_machine
from companion.app.warmup import Step
from companion.errors import StorageError
from companion.settings.schema import Settings
from companion.stream import Transformer
from companion.voice.contract import Senses
from companion.voice.loop import VoiceLoop
from companion.voice.speech import SpeechCutter


async def build(
    settings: Settings,
    paths: Paths,
    telling: Telling,
    *,
    ensemble: Ensemble | None = None,
    senses: Senses | None = None,
    open_ends: OpenEnds | None = None,
    stop: Callable[[], None] | None = None,
    wishes: Wishes | None = None,
    changes: deque[Change] | None = None,
) -> Companion:
    """Put a companion together. What is not handed in is chosen by the settings, the shelf and the machine.

    stop: what a shutdown order calls. wishes: what the user wanted quiet before. changes: of settings, before.

    Raises:
        ModelError: there is no recogniser.
        ShelfError: a model's files are not what they should be.
        SettingsError: the settings name a model that is none.
        SetupError: the installation is broken.
    """
    models = _with_cloud(ensemble or _gathered(settings, paths, telling), settings, paths, telling)
    idle, live, wishes = Idle(telling), Live(settings, telling, changes=changes), wishes or Wishes()
    mind = await _mind(paths, models, telling, idle, live)
    answerer = ReadAhead(mind.agent, models.think)
    attention = await _attentive(senses, live)
    live.follow(answerer.follow)
    voice, phrases = _speaking(models, mind.agent, settings, paths, idle)

    parts = Parts(
        mind=mind,
        open_ends=open_ends or of_this_machine(lambda: live.settings.sound),
        make_loop=_loops(models, answerer, attention, VoiceSwitch(voice, wishes), live, telling),
        warm_up=[*attention.steps, *_memory(mind), *models.steps, Step("language model", answerer.read)],
        when_idle=[*_afterwards(mind, settings, paths, models.think), *phrases],
        beside=_beside(mind, live, telling, idle),
        reports=lambda: [model.report for model in models.residents],
        close=lambda: _closed(answerer, mind, models),
    )
    return Companion(live, parts, telling, stop=stop, wishes=wishes)


def _loops(
    models: Ensemble, answerer: ReadAhead, attention: Attention, speak: Transformer, live: Live, telling: Telling
) -> Callable[[Ends], Awaitable[VoiceLoop]]:
    """What makes a voice loop for each pair of ears and mouth, as the settings are then."""

    async def make(ends: Ends) -> VoiceLoop:
        wake, language = live.settings.wake, live.settings.general.language
        senses = await attention.to(wake)
        senses.forget()
        return VoiceLoop(
            ears=ends.ears,
            senses=senses,
            judge=models.judge,
            hear=models.hear,
            answerer=answerer,
            cut=SpeechCutter(language),
            speak=speak,
            mouth=ends.mouth,
            wake=wake,
            turn=live.settings.turn,
            clock=asyncio.get_running_loop().time,
            on_event=telling.tell,
            language=language,
        )

    return make


async def _attentive(senses: Senses | None, live: Live) -> Attention:
    """What hears the wake word, as the settings have it."""
    attention = Attention(senses)
    await attention.to(live.settings.wake)
    live.follow(attention.follow)
    return attention


def _gathered(settings: Settings, paths: Paths, telling: Telling) -> Ensemble:
    return gather(ModelRoom.of(settings, paths, build_shelf(paths.shelf)), telling)


def _with_cloud(models: Ensemble, settings: Settings, paths: Paths, telling: Telling) -> Ensemble:
    """The models with providers beside them where the user wants any, and somebody can tell what was spent."""
    if not settings.cloud.is_wanted:
        return models
    from companion.app.cloud import Office, with_cloud

    try:
        return with_cloud(models, Office.open(settings, paths, telling, clock=local_clock()))
    except StorageError as fault:
        telling.tell(Problem("cloud", str(fault), fault.mend))
        return models


async def _closed(answerer: ReadAhead, mind: Mind, models: Ensemble) -> None:
    try:
        await answerer.close()
        await mind.close()
    finally:
        await models.close()


def _memory(mind: Mind) -> Sequence[Step]:
    """What opens the memory, behind open ears."""
    room = mind.around.memory
    if room is None:
        return ()

    async def open_it() -> None:
        await room.opened()
        await _tend_farewells(mind)

    return (Step("memory", open_it),)


async def _tend_farewells(mind: Mind) -> None:
    """What was to be forgotten for good, and could not be or had no time to, is now."""
    if mind.around.farewells is not None:
        mind.around.farewells.tend()


def _beside(
    mind: Mind, live: Live, telling: Telling, idle: Idle
) -> Mapping[str, Callable[[], Coroutine[Any, Any, None]]]:
    """What goes on beside the conversation."""
    settings = live.settings
    going = {"inputs": mind.agent.scheduler.run, "knowledge": lambda: _know(mind, idle)}
    room, keeper = mind.around.memory, mind.around.keeper
    if room is not None and keeper is not None and settings.memory.consolidation:

        def may() -> bool:
            return may_run(live.settings, idle)

        consolidation = Consolidation(mind.agent, keeper, mind.clock, may, telling, can_judge=has_tools(settings))
        seconds = settings.memory.consolidation_minutes * 60
        more = [lambda _: _tend_farewells(mind), consolidation.beat]
        going["upkeep"] = Upkeep(room, idle, may, seconds=seconds, more=more).run
    return going


async def _mind(paths: Paths, models: Ensemble, telling: Telling, idle: Idle, live: Live) -> Mind:
    """The mind; what was wrong with it is told."""
    name = models.think_name
    mind = await build_mind(live.settings, paths, models.think, model=name, telling=telling, idle=idle, live=live)
    for topic, problem in mind.problems.items():
        telling.tell(Problem(topic, str(problem), problem.mend))
    return mind


def _afterwards(mind: Mind, settings: Settings, paths: Paths, thinker: Thinker | None) -> Sequence[Step]:
    """What takes a moment to come in, which no turn shall wait for: what reads facts out of words, and plugins."""
    plugins = Step("plugins", lambda: _let_in(mind, settings, paths))
    keeper, reader = mind.around.keeper, thinker if has_tools(settings) else None
    return (plugins,) if keeper is None else (Step("distiller", lambda: keeper.prepare(reader)), plugins)


async def _know(mind: Mind, idle: Idle) -> None:
    """Keep the index of the user's documents up to date."""
    await idle.wait()
    await mind.around.knowledge.watch()


async def _let_in(mind: Mind, settings: Settings, paths: Paths) -> None:
    if settings.plugins.others:
        await let_others_in(mind.around.host, paths.plugins)


def _speaking(
    models: Ensemble, agent: Agent, settings: Settings, paths: Paths, idle: Idle
) -> tuple[Transformer, Sequence[Step]]:
    """The voice, with a memory where its sound is worth keeping, and what fills that."""
    if not models.voice_name:
        return models.speak, ()
    cache = remembering(models.speak, paths.phrases, voice=models.voice_name)
    return cache, (phrase_step(cache, agent, settings.general.language, idle),)
