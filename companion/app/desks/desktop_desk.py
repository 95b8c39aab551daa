"""The desk of what the desktop does for us: starting with the session, and a key to talk."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.autostart import Autostart
from companion.app.minding.desks import Given, Row
from companion.app.talk_key.talk_key import TalkKey
from companion.stream.threads import finish_in_thread


class DesktopDesk:
    """Implements ``Desk``. talk_key: None where nobody listens; which keys it is, is a setting."""

    actions = ("show", "autostart")

    def __init__(self, autostart: Callable[[], Autostart], talk_key: TalkKey | None) -> None:
        self._autostart = autostart
        self._talk_key = talk_key

    async def perform(self, action: str, given: Given) -> Row:
        """``show``; ``autostart`` with ``on``, which answers as ``show``."""
        if action == "autostart":
            on = given.truth("on")
            await finish_in_thread(lambda: self._autostart().turn(on=on))
        return {"autostart": await finish_in_thread(self._started), "talk_key": self._key()}

    async def close(self) -> None:
        """Let the key go. May be called twice."""
        if self._talk_key is not None:
            await self._talk_key.close()

    def _started(self) -> Row:
        way = self._autostart()
        return {"on": way.is_on(), "place": way.place}

    def _key(self) -> Row:
        key = self._talk_key
        if key is None:
            return {"way": "", "bound": "", "problem": ""}
        return {"way": key.way, "bound": key.bound, "problem": key.problem}
