"""Loads plugins, and keeps each in its place: whatever one does wrong, the companion goes on and says what it was.

A plugin of the program is on unless the user turned it off; any other is off until the user turns it on, because to
load it is to run it. None has a permission that was not granted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from companion.agent.choices import Choice
from companion.agent.door import Door, Rooms
from companion.agent.finding import Found, Home, built_in, in_folder, in_packages
from companion.agent.guests import Failure, GuestFailed
from companion.agent.plugin import Manifest, Permission, Plugin, Section
from companion.agent.registry import Rank, Registry
from companion.errors import CompanionError, PluginError
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

LOAD_SECONDS = 10.0
START_SECONDS = 5.0
CHECK_SECONDS = 5.0
STOP_SECONDS = 2.0


class PluginStatus(StrEnum):
    """How it stands with a plugin."""

    ENABLED = "enabled"
    OFF = "off"
    FAILED_TO_LOAD = "failed to load"
    BAD_SETTINGS = "bad settings"
    FAILED_CHECK = "failed self-check"


@dataclass(slots=True)
class PluginRecord:
    """One plugin that was found.

    reason: why it is not enabled, for people. wanted: the permissions it asks for. failures: the newest ones.
    """

    found: Found
    status: PluginStatus = PluginStatus.OFF
    reason: str = ""
    manifest: Manifest | None = None
    granted: frozenset[Permission] = frozenset()
    failures: list[Failure] = field(default_factory=list)
    plugin: Plugin | None = None
    door: Door | None = None

    @property
    def name(self) -> str:
        return self.found.name

    @property
    def home(self) -> Home:
        return self.found.home

    @property
    def wanted(self) -> frozenset[Permission]:
        return self.manifest.permissions if self.manifest is not None else frozenset()


class _Fault(Exception):
    """A plugin cannot be enabled."""

    def __init__(self, status: PluginStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class PluginHost:
    """All plugins of one companion. choices: what the user has decided, by name."""

    def __init__(self, registry: Registry, rooms: Rooms, choices: Mapping[str, Choice]) -> None:
        self._registry = registry
        self._rooms = rooms
        self._choices = dict(choices)
        self._changing = asyncio.Lock()
        self._records: dict[str, PluginRecord] = {}
        registry.guests.watch(self._note)

    @property
    def records(self) -> Sequence[PluginRecord]:
        """By their names."""
        return sorted(self._records.values(), key=lambda record: record.name)

    def record(self, name: str) -> PluginRecord:
        """One plugin.

        Raises:
            PluginError: there is none of this name.
        """
        if name not in self._records:
            raise PluginError(
                f"there is no plugin {name[:40]!r}",
                plugin=name,
                mend=f"There are: {', '.join(self._records) or 'none'}.",
            )
        return self._records[name]

    def is_left_alone(self, name: str) -> bool:
        """Whether it has failed so often that it is passed over for a while."""
        return self._registry.guests.is_left_alone(name)

    async def find(self, own: Iterable[Plugin] = (), folder: Path | None = None) -> None:
        """Look what there is; the first of a name counts: the program's own, then packages', then the folder's."""
        found = [built_in(plugin) for plugin in own]
        try:
            found += await finish_in_thread(in_packages)
            found += await finish_in_thread(lambda: in_folder(folder)) if folder is not None else []
        except OSError as error:
            logger.warning("the plugin folder cannot be read: %s", error)
        self.take_in(found)

    def take_in(self, found: Iterable[Found]) -> None:
        """Know of these plugins; the first of a name counts."""
        for one in found:
            self._records.setdefault(one.name, PluginRecord(one, manifest=one.manifest))

    async def start(self) -> None:
        """Enable all that are to be and were not tried yet.

        They are loaded side by side, so that one which hangs costs the others no more than its own time, and started
        in order.
        """
        async with self._changing:
            await self._start()

    async def _start(self) -> None:
        for record in self._records.values():
            if record.found.problem is not None and not self._is_wanted(record):
                record.status, record.reason = PluginStatus.FAILED_TO_LOAD, str(record.found.problem)
        untried = [record for record in self._records.values() if record.status is PluginStatus.OFF]
        waiting = [record for record in untried if self._is_wanted(record)]
        async with asyncio.TaskGroup() as group:
            loading = [group.create_task(self._loaded(record)) for record in waiting]
        for record, task in zip(waiting, loading, strict=True):
            await self._enabled(record, self._choices.get(record.name, Choice()), task.result())

    async def enable(self, name: str, choice: Choice | None = None) -> PluginRecord:
        """Load and start a plugin; its record says what came of it.

        choice: what the user says now, in place of what was read.

        Raises:
            PluginError: there is none of this name.
        """
        record = self.record(name)
        async with self._changing:
            if choice is not None:
                self._choices[name] = choice
            return await self._enable(record)

    async def _enable(self, record: PluginRecord) -> PluginRecord:
        if record.status is PluginStatus.ENABLED:
            await self._disable(record)
        choice = self._choices.get(record.name, Choice())
        return await self._enabled(record, choice, await self._loaded(record))

    async def _enabled(self, record: PluginRecord, choice: Choice, fault: _Fault | None) -> PluginRecord:
        """Start a plugin that was loaded, unless that has failed."""
        try:
            if fault is not None:
                raise fault
            settings = await self._settings(record, choice)
            await self._open(record, choice, settings)
        except _Fault as failed:
            record.status, record.reason = failed.status, str(failed)
            await self._drop(record)
            logger.warning("the plugin %s: %s", record.name, failed.status)
        else:
            record.status, record.reason = PluginStatus.ENABLED, ""
        return record

    async def disable(self, name: str) -> PluginRecord:
        """Stop a plugin, and take out all that it has brought.

        Raises:
            PluginError: there is none of this name.
        """
        record = self.record(name)
        async with self._changing:
            self._choices[name] = Choice(enabled=False)
            return await self._disable(record)

    async def _disable(self, record: PluginRecord) -> PluginRecord:
        await self._drop(record)
        record.status, record.reason = PluginStatus.OFF, ""
        return record

    async def check(self, name: str) -> PluginRecord:
        """Have a plugin look whether it can work; one that cannot is stopped. One that is off is tried, and off again.

        Raises:
            PluginError: there is none of this name.
        """
        record = self.record(name)
        async with self._changing:
            return await self._check(record)

    async def _check(self, record: PluginRecord) -> PluginRecord:
        if record.plugin is None:
            was_off = record.status is PluginStatus.OFF
            await self._enable(record)
            if was_off and record.status is PluginStatus.ENABLED:
                await self._disable(record)
            return record
        try:
            await self._asked(record, "check", CHECK_SECONDS)
        except _Fault as fault:
            record.status, record.reason = fault.status, str(fault)
            await self._drop(record)
        return record

    async def close(self) -> None:
        """Stop them all, the newest first."""
        async with self._changing:
            for record in reversed(list(self._records.values())):
                await self._drop(record)

    # -- one of them

    def _is_wanted(self, record: PluginRecord) -> bool:
        enabled = self._choices.get(record.name, Choice()).enabled
        return record.home is Home.BUILT_IN if enabled is None else enabled

    async def _loaded(self, record: PluginRecord) -> _Fault | None:
        """Load a plugin; why it could not be."""
        try:
            await self._load(record)
        except _Fault as fault:
            return fault
        return None

    async def _load(self, record: PluginRecord) -> None:
        found, name = record.found, record.name
        if found.problem is not None:
            raise _Fault(PluginStatus.FAILED_TO_LOAD, str(found.problem))
        guests = self._registry.guests
        guests.forget(name)
        try:
            plugin, manifest = await guests.ask(name, "load", lambda: _made(found), seconds=LOAD_SECONDS)
        except GuestFailed as error:
            raise _Fault(PluginStatus.FAILED_TO_LOAD, str(error)) from error
        if manifest.name != name:
            raise _Fault(PluginStatus.FAILED_TO_LOAD, f"{name} calls itself {manifest.name!r}")
        if found.manifest is not None and not manifest.permissions <= found.manifest.permissions:
            raise _Fault(PluginStatus.FAILED_TO_LOAD, f"{name} wants more than its plugin.toml says")
        record.plugin, record.manifest = plugin, manifest

    async def _settings(self, record: PluginRecord, choice: Choice) -> Section | None:
        assert record.manifest is not None
        kind = record.manifest.settings
        if kind is None:
            return None
        try:
            guests = self._registry.guests
            return await guests.ask(
                record.name, "settings", lambda: _checked(kind, choice, record.name), seconds=CHECK_SECONDS
            )
        except GuestFailed as error:
            raise _Fault(PluginStatus.BAD_SETTINGS, str(error)) from error

    async def _open(self, record: PluginRecord, choice: Choice, settings: Section | None) -> None:
        assert record.manifest is not None
        is_own = record.home is Home.BUILT_IN
        granted = record.manifest.permissions if is_own else choice.permissions & record.manifest.permissions
        rank = Rank.BUILT_IN if is_own else Rank.PLUGIN
        record.granted = granted
        record.door = Door(record.manifest, self._registry, granted, self._rooms, settings=settings, rank=rank)
        await self._asked(record, "start", START_SECONDS)
        await self._asked(record, "check", CHECK_SECONDS)

    async def _asked(self, record: PluginRecord, what: str, seconds: float) -> None:
        plugin, door = record.plugin, record.door
        assert plugin is not None
        assert door is not None
        status = PluginStatus.FAILED_CHECK if what == "check" else PluginStatus.FAILED_TO_LOAD

        async def ask() -> bool:
            await (plugin.check() if what == "check" else plugin.start(door))
            return True

        try:
            await self._registry.guests.ask(record.name, what, ask, seconds=seconds)
        except GuestFailed as error:
            raise _Fault(status, str(error)) from error

    async def _drop(self, record: PluginRecord) -> None:
        plugin, record.plugin = record.plugin, None
        if record.door is not None:
            record.door.close()
            record.door = None
        record.granted = frozenset()
        if plugin is None:
            return

        async def stop() -> bool:
            await plugin.stop()
            return True

        try:
            await self._registry.guests.ask(record.name, "stop", stop, seconds=STOP_SECONDS)
        except CompanionError as error:
            logger.warning("the plugin %s did not stop well: %s", record.name, type(error).__name__)

    def _note(self, failure: Failure) -> None:
        record = self._records.get(failure.owner)
        if record is not None:
            record.failures[:] = [*record.failures[-9:], failure]


def _made(found: Found) -> tuple[Plugin, Manifest]:
    """The plugin, and what it says of itself, read once. On a thread of the plugin's: all of it is its own code.

    Raises:
        PluginError: it is none, or its manifest cannot be.
    """
    plugin = found.make()
    if not isinstance(plugin, Plugin):
        raise PluginError(f"{found.name} makes no plugin", plugin=found.name)
    said = plugin.manifest
    if not isinstance(said, Manifest):
        raise PluginError(f"{found.name} makes no plugin: it has no manifest", plugin=found.name)
    return plugin, Manifest(said.name, said.version, said.description, said.permissions, said.settings)


def _checked(kind: type[Section], choice: Choice, name: str) -> Section:
    from pydantic import ValidationError

    try:
        return kind.model_validate(choice.settings)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "settings"
        raise PluginError(f"{place}: {first['msg']}", plugin=name) from error
