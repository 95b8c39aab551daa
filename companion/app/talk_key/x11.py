"""The talk key where every program sees every key: X11, macOS and Windows, through pynput.

pynput is not installed with the companion (``pip install 'companion[talk-key]'``). It listens on a thread of its own,
which only passes the news on to the loop. Proven by a double of pynput, not on a desktop.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Iterable
from typing import Any

from companion.app.talk_key.combination import Combination
from companion.app.talk_key.hand import Hand
from companion.errors import SetupError

END_PATIENCE = 0.2
"""Seconds for its thread, which ends with the next key, and with the process."""


async def watch_keys(
    keys: Combination, hand: Hand, on_bound: Callable[[str], None], *, load: Callable[[], Any] | None = None
) -> None:
    """Watch the key until cancelled.

    on_bound: told of the keys once they work. load: imports ``pynput.keyboard``.

    Raises:
        SetupError: pynput is not there, or cannot listen here.
    """
    keyboard = await asyncio.to_thread(load or _pynput)
    loop = asyncio.get_running_loop()

    def soon(act: Callable[[], None]) -> Callable[[], None]:
        def call() -> None:
            loop.call_soon_threadsafe(act)

        return call

    listener = None

    def canonical(key: Any) -> Any:
        """The left and the right one of a modifier are one key, and a letter is the same with shift."""
        return listener.canonical(key) if listener is not None else key

    held = Held(keyboard.HotKey.parse(keys.hotkey), canonical, press=soon(hand.press), let_go=soon(hand.let_go))
    listener = keyboard.Listener(on_press=held.down, on_release=held.up)
    listener.start()
    on_bound(str(keys))
    try:
        await asyncio.Event().wait()
    finally:
        listener.stop()
        await asyncio.to_thread(listener.join, END_PATIENCE)


class Held:
    """Knows from single keys when all of a combination are down. On pynput's thread."""

    def __init__(
        self,
        wanted: Iterable[Any],
        canonical: Callable[[Any], Any],
        *,
        press: Callable[[], None],
        let_go: Callable[[], None],
    ) -> None:
        self._wanted = frozenset(wanted)
        self._canonical = canonical
        self._down: set[Any] = set()
        self._press = press
        self._let_go = let_go

    def down(self, key: Any) -> None:
        key = self._canonical(key)
        if key not in self._wanted or key in self._down:
            return
        self._down.add(key)
        if self._down == self._wanted:
            self._press()

    def up(self, key: Any) -> None:
        key = self._canonical(key)
        if key not in self._down:
            return
        if self._down == self._wanted:
            self._let_go()
        self._down.discard(key)


def _pynput() -> Any:
    try:
        return importlib.import_module("pynput.keyboard")
    except Exception as error:  # it asks for the display while it is imported, and fails in its own ways
        why = "pynput is not installed" if isinstance(error, ModuleNotFoundError) else "the keyboard cannot be watched"
        raise SetupError(
            why, mend="Run pip install 'companion[talk-key]', or bind `companion toggle` to a key."
        ) from error
