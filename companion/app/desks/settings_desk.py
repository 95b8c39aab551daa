"""The desk of the settings: all of them with what they mean, changed one at a time, and changed back."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.live import Change, Live
from companion.app.minding.desks import Given, Row
from companion.errors import BadInput, SettingsError
from companion.settings.applies import AT_ONCE
from companion.settings.describe import Described, Value, described, find, value_of, written
from companion.settings.schema import Settings
from companion.settings.store import SettingsStore
from companion.stream.threads import finish_in_thread


class SettingsDesk:
    """Implements ``Desk``."""

    actions = ("list", "set", "reset", "undo", "adopt")

    def __init__(self, store: SettingsStore, live: Live) -> None:
        self._store = store
        self._live = live

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``set`` of ``name`` to ``value``, as a person would type it; ``reset`` of ``name`` to its default;
        ``undo`` of the newest change; ``adopt`` of what was written into the file by hand.
        """
        match action:
            case "set":
                name, value = given.text("name"), given.text("value")
                return await self._change(name, lambda: self._store.set(name, value))
            case "reset":
                name = given.text("name")
                return await self._change(name, lambda: self._store.reset(name))
            case "undo":
                return await self._undo()
            case "adopt":
                fresh = await finish_in_thread(self._store.check)
                await self._live.adopt(fresh)
                return self._standing(fresh)
            case _:
                return await self._list()

    async def _list(self) -> Row:
        try:
            fresh, problem, mend = await finish_in_thread(self._store.check), "", ""
        except SettingsError as fault:
            # The file was broken while it ran: what it goes by is still whole.
            fresh, problem, mend = self._live.settings, str(fault), fault.mend
        rows = [self._row(setting, fresh) for setting in described().values()]
        told: Row = {"settings": rows, "file": str(self._store.file), "problem": problem, "mend": mend}
        return told | self._standing(fresh)

    async def _change(self, name: str, change: Callable[[], Value]) -> Row:
        setting = find(name)

        def made() -> Change:
            before = self._held(setting)
            change()
            return Change(name, before, self._held(setting))

        self._live.changes.append(await finish_in_thread(made))
        return await self._changed(setting)

    async def _undo(self) -> Row:
        if not self._live.changes:
            raise BadInput("there is nothing to take back", mend="Only changes since the start can be taken back.")
        last = self._live.changes.pop()
        try:
            is_taken_back = await finish_in_thread(lambda: self._take_back(last))
        except BaseException:
            self._live.changes.append(last)
            raise
        if not is_taken_back:
            raise BadInput(
                f"{last.name} was changed elsewhere meanwhile, so it stays as it is", mend="Set it to what you want."
            )
        return await self._changed(find(last.name))

    def _take_back(self, last: Change) -> bool:
        """Whether the setting was still what it had been changed to. Blocking."""
        if self._held(find(last.name)) != last.after:
            return False
        if last.before is None:
            self._store.reset(last.name)
        else:
            self._store.set(last.name, written(last.before))
        return True

    def _held(self, setting: Described) -> Value | None:
        return value_of(self._store.check(), setting) if self._store.holds(setting.name) else None

    async def _changed(self, setting: Described) -> Row:
        fresh = await finish_in_thread(self._store.check)
        await self._live.adopt(fresh)
        return self._row(setting, fresh) | self._standing(fresh)

    def _standing(self, fresh: Settings) -> Row:
        return {"waiting": list(self._live.waiting(fresh)), "undoable": len(self._live.changes)}

    def _row(self, setting: Described, fresh: Settings) -> Row:
        value = value_of(fresh, setting)
        return {
            "name": setting.name,
            "meaning": setting.meaning,
            "form": setting.form.value,
            "choices": list(setting.choices),
            "low": setting.low,
            "high": setting.high,
            "allowed": setting.allowed,
            "default": written(setting.default),
            "value": written(value),
            "is_changed": value != setting.default,
            "at_once": setting.name in AT_ONCE,
        }
