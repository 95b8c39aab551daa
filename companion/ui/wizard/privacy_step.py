"""Privacy: everything stays here; and whether the companion starts with the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.ui.bridge import Bridge
from companion.ui.widgets import Body, Card, Quiet, Row, Subheading, Switch
from companion.ui.wizard.step import WizardStep


class PrivacyStep(WizardStep):
    """Kept at once."""

    name = "privacy"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            bridge,
            self.tr("What you say stays here."),
            self.tr("I listen, think and speak on this computer. No sound is ever written to the disk."),
        )
        cloud = Card()
        cloud.add(Subheading(self.tr("The cloud is off")))
        self.cloud = Body(self.tr("Nothing leaves this computer."))
        cloud.add(self.cloud)
        cloud.add(
            Quiet(
                self.tr(
                    "If you turn a provider on in the settings, what you say to me, and what I remember of it, goes "
                    "to that provider, and it is shown each time."
                )
            )
        )
        self.memory, self.autostart = Switch(), Switch()
        self.memory.toggled.connect(self._keep_memory)
        self.autostart.toggled.connect(self._keep_autostart)
        mine = Card()
        mine.add(
            Row(
                self.tr("Remember what I tell you"),
                self.memory,
                self.tr("Facts such as names and birthdays, kept here. You can look at them and remove any."),
            )
        )
        self.start_row = Row(
            self.tr("Start with the session"),
            self.autostart,
            self.tr("I am there when you log in, in the corner of the screen."),
        )
        mine.add(self.start_row)
        self.add(cloud)
        self.add(mine)

    def entered(self) -> None:
        self.fetch("settings", "list", self._fill)
        self.fetch("desktop", "show", self._fill_desktop)

    def _fill(self, answer: Mapping[str, Any]) -> None:
        values = {row["name"]: row["value"] for row in answer.get("settings", ())}
        self.memory.set_quietly(on=values.get("memory.keep") == "true")
        asked = [values.get(f"cloud.{step}") for step in ("recogniser", "language_model", "voice")]
        is_off = all(one in (None, "local") for one in asked)
        self.cloud.say(
            self.tr("Nothing leaves this computer.") if is_off else self.tr("You have turned a provider on.")
        )

    def _fill_desktop(self, answer: Mapping[str, Any]) -> None:
        self.autostart.set_quietly(on=bool(answer["autostart"]["on"]))

    def _keep_memory(self, is_on: bool) -> None:
        self.keep("memory.keep", "true" if is_on else "false")

    def _keep_autostart(self, is_on: bool) -> None:
        self.bridge.tend(
            "desktop", "autostart", {"on": is_on}, then=self._fill_desktop, failed=self.notice.say, owner=self
        )
