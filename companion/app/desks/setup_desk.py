"""The desk of the first-run wizard: how far it has come, what works already, and what to begin with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.app.minding.desks import Given, Row
from companion.app.paths import Paths
from companion.app.setup_file import Setup, mark_of, read_setup, standing, step_of, write_setup
from companion.settings.store import SettingsStore
from companion.stream.threads import finish_in_thread

if TYPE_CHECKING:
    from companion.app.brains import Bundle


class SetupDesk:
    """Implements ``Desk``. can_talk: whether a conversation can go on here, as it needs a recogniser."""

    actions = ("standing", "mark", "finish", "again", "brains")

    def __init__(self, paths: Paths, store: SettingsStore, *, can_talk: bool = False) -> None:
        self._paths = paths
        self._store = store
        self._can_talk = can_talk
        self._one_at_a_time = asyncio.Lock()

    async def perform(self, action: str, given: Given) -> Row:
        """``standing``; ``mark`` of a ``step`` as done, skipped or open; ``finish``; ``again`` from the beginning;
        ``brains``: what to begin with.
        """
        match action:
            case "mark":
                step, mark = step_of(given.text("step")), mark_of(given.text("mark"))
                return await self._keep(lambda setup: setup.marking(step, mark))
            case "finish":
                return await self._keep(lambda setup: replace(setup, is_finished=True))
            case "again":
                return await self._keep(lambda setup: Setup())
            case "brains":
                return await asyncio.to_thread(self._brains)
            case _:
                setup = await asyncio.to_thread(read_setup, self._paths.setup)
                return await self._standing(setup)

    async def _keep(self, change: Callable[[Setup], Setup]) -> Row:
        def kept() -> Setup:
            setup = change(read_setup(self._paths.setup) or Setup())
            write_setup(self._paths.setup, setup)
            return setup

        async with self._one_at_a_time:  # else of two changes one is lost
            setup = await finish_in_thread(kept)
        return await self._standing(setup)

    async def _standing(self, setup: Setup | None) -> Row:
        return standing(setup) | {"can_talk": self._can_talk} | await asyncio.to_thread(self._works)

    def _works(self) -> Row:
        from companion.app.brains import is_cut_off, works
        from companion.app.shelf import build_shelf, this_machine

        language = self._language()
        return {
            "works": works(build_shelf(self._paths.shelf), this_machine(), language),
            "offline": is_cut_off(),
            "language": language,
        }

    def _brains(self) -> Row:
        from companion.app.brains import bundles, room_left
        from companion.app.shelf import build_shelf, this_machine

        shelf, machine = build_shelf(self._paths.shelf), this_machine()
        return {
            "bundles": [_row(bundle) for bundle in bundles(shelf, machine, self._language())],
            "free_bytes": room_left(shelf),
            "memory_gb": machine.memory_gb,
            "cores": machine.cores,
        } | self._works()

    def _language(self) -> str:
        return self._store.usable().general.language


def _row(bundle: Bundle) -> Row:
    return {
        "tier": bundle.tier,
        "title": bundle.model.title,
        "note": bundle.model.note,
        "names": list(bundle.names),
        "bytes": bundle.bytes,
        "missing": dict(bundle.missing),
        "seconds": bundle.seconds,
    }
