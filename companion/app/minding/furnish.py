"""Puts memory, knowledge and plugins around an agent. Nothing is opened here; each opens when it is first used."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.agent.choices import Choice, ChoiceFile
from companion.agent.door import Rooms
from companion.agent.finding import TalentPlugin, built_in
from companion.agent.handlers import Handler
from companion.agent.host import PluginHost
from companion.agent.output import LOG, SCREEN, Delivery, TextChannel
from companion.agent.plugin import Talent
from companion.agent.registry import Registry
from companion.agent.scheduler import Input
from companion.agent.stages import Stage
from companion.agent.yes import BEFORE_COMMANDS, YesInWords
from companion.app.events import Shown, Telling
from companion.app.idle import Idle
from companion.app.log import private
from companion.app.minding.access import PluginMemory
from companion.app.minding.farewells import Farewells
from companion.app.minding.index_progress import IndexProgress
from companion.app.minding.keeper import Keeper
from companion.app.minding.knowledge_room import KnowledgeRoom, at_once
from companion.app.minding.memory_room import MemoryRoom, Tell
from companion.app.minding.plugin_network import PluginNetworks
from companion.app.minding.reminders import OfferingRemembrance, ReminderOffers, Reminders, ToldAppointments
from companion.app.minding.stored_later import StoredLater
from companion.app.paths import Paths
from companion.errors import CompanionError
from companion.settings.schema import Settings
from companion.stream.threads import finish_in_thread
from companion.talents.knowledge import Knowledge
from companion.talents.memory import Memory, Remembrance

logger = logging.getLogger(__name__)

FORGET_SECONDS = 60.0
"""How long forgetting for good may take."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """What stands around an agent. keeper, memory, farewells: None where nothing is to be remembered."""

    registry: Registry
    host: PluginHost
    consent: YesInWords
    memory: MemoryRoom | None
    keeper: Keeper | None
    knowledge: KnowledgeRoom
    networks: PluginNetworks
    choices: ChoiceFile
    later: StoredLater
    problem: CompanionError | None = None
    """What was wrong with what the user has decided about plugins."""
    farewells: Farewells | None = None

    async def close(self) -> None:
        """Give back what was opened."""
        await self.host.close()
        for part in (self.farewells, self.keeper, self.later, self.memory, self.knowledge, self.networks):
            if part is not None:
                await part.close()


async def furnish(
    settings: Settings,
    paths: Paths,
    clock: Callable[[], datetime],
    telling: Telling,
    *,
    submit: Callable[[Input], bool],
    idle: Idle | None = None,
) -> Furniture:
    """Everything but the agent itself.

    submit: takes what plugins put in. idle: knows when nobody talks; None where nobody ever does.
    """
    registry = Registry()
    consent = YesInWords(registry)
    consent.attach()
    _add_channels(registry, telling)
    later = StoredLater(telling)
    later.room = memory = MemoryRoom(paths.memory, clock, later) if settings.memory.keep else None
    keeper = _keeper(memory, settings, later) if memory else None
    knowledge = KnowledgeRoom(
        paths.knowledge,
        settings.knowledge.folders,
        paths.cache,
        before_each=idle.wait if idle else at_once,
        on_progress=IndexProgress(telling),
    )
    choices = ChoiceFile(paths.plugin_choices)
    chosen, problem = await _chosen(choices)
    reached = PluginMemory(memory, keeper, knowledge, clock)
    networks = PluginNetworks(settings.cloud, telling)
    rooms = Rooms(memory=reached, network=networks.of, folders=paths.plugin_folders, submit=submit)
    host = PluginHost(registry, rooms, chosen)
    farewells = Farewells(memory, keeper) if memory and keeper else None
    return Furniture(registry, host, consent, memory, keeper, knowledge, networks, choices, later, problem, farewells)


def reminder_offers(furniture: Furniture, reminders: Reminders | None, settings: Settings) -> ReminderOffers | None:
    """Who asks whether to remind of an appointment; None where nobody does."""
    if furniture.memory is None or furniture.keeper is None or reminders is None or not settings.memory.offer_reminders:
        return None
    return ReminderOffers(furniture.consent, reminders, ToldAppointments(furniture.memory))


async def move_in(
    furniture: Furniture, talents: Sequence[Talent], *, called: str, offers: ReminderOffers | None = None
) -> None:
    """Let our talents in, by the door that plugins come through.

    offers: asks whether to remind of what was to be remembered.
    """
    own = [*talents, Knowledge(furniture.knowledge.search)]
    if furniture.keeper is not None:
        kept = furniture.keeper if offers is None else OfferingRemembrance(furniture.keeper, offers)
        own.append(_memory(furniture.registry, kept, called))
    furniture.host.take_in([built_in(TalentPlugin(talent)) for talent in own])
    await furniture.host.start()


async def let_others_in(host: PluginHost, folder: Path) -> None:
    """Load the plugins of packages and of the user's folder that the user has turned on."""
    await host.find(folder=folder)
    await host.start()


def _keeper(memory: MemoryRoom, settings: Settings, tell: Tell) -> Keeper:
    history = settings.history
    return Keeper(memory, session=history.session, keeps_turns=history.keep, tell=tell)


def _memory(registry: Registry, remembrance: Remembrance, called: str) -> Memory:
    """The talent, and its ear for the yes that it waits for."""
    talent = Memory(remembrance, called=called)
    ear = Handler(Stage.ON_INPUT, talent.hear, talent.name, BEFORE_COMMANDS, seconds=FORGET_SECONDS, is_own=True)
    registry.handlers.add(ear)
    registry.add_command(talent.understands)
    return talent


def _add_channels(registry: Registry, telling: Telling) -> None:
    async def show(delivery: Delivery) -> None:
        telling.tell(Shown(str(delivery.content)))

    async def log(delivery: Delivery) -> None:
        private(logger, "put into the log: %s", str(delivery.content))

    registry.outputs.add(TextChannel(SCREEN, show))
    registry.outputs.add(TextChannel(LOG, log))


async def _chosen(choices: ChoiceFile) -> tuple[dict[str, Choice], CompanionError | None]:
    try:
        return dict(await finish_in_thread(choices.load)), None
    except CompanionError as problem:
        return {}, problem
