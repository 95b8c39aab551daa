"""Commands about memory, knowledge and plugins from a second process: the running companion carries them out, so that
there is one writer; where none runs, a mind is put together for the one command.
"""

from __future__ import annotations

from contextlib import suppress

from companion.app.lock import Lock
from companion.app.minding.desks import Row
from companion.app.orders import Tend
from companion.app.paths import Paths
from companion.errors import ControlError, NotRunning
from companion.settings.applies import AT_ONCE
from companion.settings.describe import written
from companion.settings.schema import Settings
from companion.settings.store import SettingsStore


def tended(settings: Settings, paths: Paths, order: Tend) -> Row:
    """The answer of the running companion; where none runs, of a mind that is put together here. Blocking.

    Raises:
        AlreadyRunning: one is just starting.
        CompanionError: it cannot be done.
    """
    from companion.app.control import ask

    with suppress(NotRunning):
        return ask(paths.control_socket, order)
    from companion.app.engine import complete

    return complete(lambda: _tended_here(settings, paths, order))


def set_one(paths: Paths, name: str, value: str) -> Row:
    """Change one setting: by the running companion, so that it counts there; where none answers, in the file. Blocking.

    Answers with ``name``, ``value``, ``at_once`` and ``is_running``.

    Raises:
        CompanionError: no such setting, a value it does not allow, or a broken file.
    """
    from companion.app.control import ask

    with suppress(NotRunning, ControlError):
        return ask(paths.control_socket, Tend("settings", "set", {"name": name, "value": value})) | {"is_running": True}
    held = SettingsStore(paths.settings_file).set(name, value)
    return {"name": name, "value": written(held), "at_once": name in AT_ONCE, "is_running": False}


async def _tended_here(settings: Settings, paths: Paths, order: Tend) -> Row:
    from companion.app.mind import build_mind

    lock = Lock.take(paths.lock_file)
    try:
        mind = await build_mind(settings, paths, None)
        try:
            return await mind.desks.perform(order)
        finally:
            await mind.close()
    finally:
        lock.release()
