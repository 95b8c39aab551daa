"""The desk of ``companion plugins``: lists, enables, disables and checks."""

from __future__ import annotations

from pathlib import Path

from companion.agent.choices import Choice, ChoiceFile
from companion.agent.finding import Home
from companion.agent.host import PluginHost, PluginRecord, PluginStatus
from companion.agent.plugin import Permission
from companion.app.minding.desks import Given, Row
from companion.app.minding.furnish import let_others_in
from companion.errors import BadInput, PluginError
from companion.stream.threads import finish_in_thread


class PluginDesk:
    """Implements ``Desk``. folder: the user's plugins; None where only our own are to be loaded."""

    actions = ("list", "enable", "disable", "check")

    def __init__(self, host: PluginHost, choices: ChoiceFile, folder: Path | None) -> None:
        self._host = host
        self._choices = choices
        self._folder = folder

    async def perform(self, action: str, given: Given) -> Row:
        if self._folder is not None:
            await let_others_in(self._host, self._folder)
        match action:
            case "enable":
                return self._row(await self._enable(given.text("name"), given.texts("allow")))
            case "disable":
                return self._row(await self._disable(given.text("name")))
            case "check":
                return {"plugins": [self._row(await self._host.check(name)) for name in self._named(given)]}
            case _:
                return {"plugins": [self._row(record) for record in self._host.records]}

    async def _enable(self, name: str, allow: tuple[str, ...]) -> PluginRecord:
        record = self._host.record(name)
        permissions = [_permission(one) for one in allow]
        await finish_in_thread(lambda: self._choices.enable(name, permissions))
        choices = await finish_in_thread(self._choices.load)
        record = await self._host.enable(name, choices.get(name, Choice(enabled=True)))
        too_much = set(permissions) - record.wanted if record.manifest is not None else set()
        if too_much:
            # What it asks for is known once it is loaded. A later version must not find allowed what nobody saw.
            await finish_in_thread(lambda: self._choices.withdraw(name, too_much))
            raise PluginError(f"{name} does not ask for {', '.join(sorted(too_much))}", plugin=name)
        return record

    async def _disable(self, name: str) -> PluginRecord:
        self._host.record(name)
        await finish_in_thread(lambda: self._choices.disable(name))
        return await self._host.disable(name)

    def _named(self, given: Given) -> list[str]:
        """Those to check: the one that is named, else all that are to be enabled."""
        name = given.text("name", "")
        if name:
            return [self._host.record(name).name]
        return [record.name for record in self._host.records if record.status is not PluginStatus.OFF]

    def _row(self, record: PluginRecord) -> Row:
        manifest = record.manifest
        return {
            "name": record.name,
            "home": record.home.value,
            "status": record.status.value,
            "reason": record.reason,
            "is_ours": record.home is Home.BUILT_IN,
            "version": manifest.version if manifest else "",
            "description": manifest.description if manifest else "",
            "asks_for": sorted(record.wanted),
            "may": sorted(record.granted),
            "left_alone": self._host.is_left_alone(record.name),
            "failures": [f"{one.where}: {one.reason}" for one in record.failures],
        }


def _permission(word: str) -> Permission:
    try:
        return Permission(word)
    except ValueError as error:
        raise BadInput(f"there is no permission {word[:40]!r}", mend=f"There are: {', '.join(Permission)}.") from error
