"""The one table of desks. A new desk is a file in this folder and a line here."""

from __future__ import annotations

from companion.app.desks.home_desk import HomeDesk
from companion.app.desks.house import Going, House
from companion.app.desks.settings_desk import SettingsDesk
from companion.app.minding.desks import Desk
from companion.app.minding.knowledge_desk import KnowledgeDesk
from companion.app.minding.memory_desk import MemoryDesk
from companion.app.minding.plugin_desk import PluginDesk
from companion.settings.language import or_english
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
        "knowledge": KnowledgeDesk(around.knowledge, store),
        "plugins": PluginDesk(around.host, around.choices, others),
        "settings": SettingsDesk(store, house.live),
        "home": HomeDesk(house.timers, paths, house.clock, language=settings.general.language),
    }


def desks_beside(house: House, going: Going) -> dict[str, Desk]:
    """Desks that need the running companion. One of the same name as above takes its place."""
    return {}
