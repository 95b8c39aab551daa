"""The one table of desks. A new desk is a file in this folder and a line here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app.autostart import autostart
from companion.app.desks.cloud_desk import CloudDesk
from companion.app.desks.desktop_desk import DesktopDesk
from companion.app.desks.graph_desk import GraphDesk
from companion.app.desks.health_desk import HealthDesk
from companion.app.desks.home_desk import HomeDesk
from companion.app.desks.house import Going, House
from companion.app.desks.models_desk import ModelsDesk
from companion.app.desks.notes_desk import NotesDesk
from companion.app.desks.personality_desk import PersonalityDesk
from companion.app.desks.settings_desk import SettingsDesk
from companion.app.desks.setup_desk import SetupDesk
from companion.app.desks.sound_desk import SoundDesk
from companion.app.desks.talk_desk import TalkDesk
from companion.app.desks.voices_desk import VoicesDesk
from companion.app.doctor import Check
from companion.app.minding.desks import Desk
from companion.app.minding.knowledge_desk import KnowledgeDesk
from companion.app.minding.memory_desk import MemoryDesk
from companion.app.minding.plugin_desk import PluginDesk
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.app.talk_key.hand import Hand
from companion.app.talk_key.talk_key import TalkKey, way_of
from companion.compose.session import session_file
from companion.errors import SessionError, SettingsError
from companion.settings.language import or_english
from companion.settings.secrets import Secrets
from companion.settings.store import SettingsStore


def desks_of(house: House) -> dict[str, Desk]:
    """Desks that work even where no conversation goes on, as for a single command or before there are models.

    They are made at every start: nothing is opened or imported here that takes a moment.
    """
    settings, paths, around = house.settings, house.paths, house.around
    others = paths.plugins if settings.plugins.others else None
    store = SettingsStore(paths.settings_file)
    return {
        "memory": MemoryDesk(around.memory, around.keeper, language=or_english(settings.general.language)),
        "graph": GraphDesk(around.memory, around.farewells),
        "knowledge": KnowledgeDesk(around.knowledge, store),
        "notes": NotesDesk(around.knowledge, house.telling),
        "plugins": PluginDesk(around.host, around.choices, others),
        "settings": SettingsDesk(store, house.live),
        "personality": PersonalityDesk(paths.personal, house.live, house.generator, house.clock),
        "voices": VoicesDesk(_room(house), house.telling),
        "models": ModelsDesk(_room(house), house.telling),
        "cloud": CloudDesk(store, Secrets(paths.secrets_file), paths, house.telling, house.clock),
        "sound": SoundDesk(store, house.telling),
        "setup": SetupDesk(paths, store),
        "desktop": DesktopDesk(autostart, None),
        "talk": TalkDesk(_conversation(house), paths.turn_notes, house.turns, house.telling, kept=house.kept_turns),
        "health": HealthDesk(house, lambda: _checkup(paths)),
        "home": HomeDesk(house.timers, paths, house.clock, language=settings.general.language),
    }


def desks_beside(house: House, going: Going) -> dict[str, Desk]:
    """Desks that need the running companion. One of the same name as above takes its place."""
    store = SettingsStore(house.paths.settings_file)
    return {
        "setup": SetupDesk(house.paths, store, can_talk=True),
        "voices": VoicesDesk(_room(house), house.telling, borrow=going.lent),
        "models": _models(house),
        "sound": SoundDesk(store, house.telling, borrow=going.lent, conversation=lambda: going.loop),
        "desktop": _desktop(house, going),
    }


def _models(house: House) -> ModelsDesk:
    """One that goes on with what was on its way."""
    desk = ModelsDesk(_room(house), house.telling)
    desk.resume()
    return desk


def _room(house: House) -> Callable[[], ModelRoom]:
    """The shelf, and the models that the settings name now; of broken settings, those of the start."""
    paths = house.paths

    def looked_at() -> ModelRoom:
        try:
            settings = SettingsStore(paths.settings_file).check()
        except SettingsError:
            settings = house.live.settings
        return ModelRoom.of(settings, paths, build_shelf(paths.shelf))

    return looked_at


def _checkup(paths: Paths) -> Sequence[Check]:
    """All but the sound, which the conversation has, and whether a companion runs here: it is this one."""
    from companion.app.checkup import checkup

    return [check for check in checkup(paths, with_sound=False) if check.topic != "running"]


def _conversation(house: House) -> Path | None:
    """The file of the conversation; None where none is kept."""
    history = house.settings.history
    try:
        return session_file(house.paths.sessions, history.session) if history.keep else None
    except SessionError:  # the mind has told of it, and goes on in memory
        return None


def _desktop(house: House, going: Going) -> DesktopDesk:
    talk_key = TalkKey(way_of(), Hand(lambda: going.loop, time.monotonic), house.telling)
    talk_key.begin(house.settings.desktop.talk_key)
    house.live.follow(talk_key.follow)
    return DesktopDesk(autostart, talk_key)
