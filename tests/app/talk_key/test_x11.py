"""The talk key where every program sees every key: all of them down is a press, one of them up the end of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.talk_key.combination import Combination
from companion.app.talk_key.x11 import watch_keys
from companion.errors import SetupError

DEADLINE = 10.0


@dataclass
class Keyboard:
    """As ``pynput.keyboard``: keys are texts, and "ctrl_l" is a "ctrl"."""

    listeners: list[Any] = field(default_factory=list)

    def load(self) -> Any:
        return SimpleNamespace(Listener=self._listener, HotKey=SimpleNamespace(parse=self._parse))

    def _parse(self, written: str) -> list[str]:
        return [part.strip("<>") for part in written.split("+")]

    def _listener(self, **hooks: Any) -> Any:
        listener = Listener(**hooks)
        self.listeners.append(listener)
        return listener


@dataclass
class Listener:
    on_press: Any
    on_release: Any
    is_running: bool = False

    def start(self) -> None:
        self.is_running = True

    def stop(self) -> None:
        self.is_running = False

    def join(self, timeout: float) -> None:
        assert timeout > 0

    def canonical(self, key: str) -> str:
        return key.removesuffix("_l").removesuffix("_r").lower()


@dataclass
class Fingers:
    moves: list[str] = field(default_factory=list)

    def press(self) -> None:
        self.moves.append("press")

    def let_go(self) -> None:
        self.moves.append("let go")


async def test_a_combination_is_pressed_when_its_last_key_goes_down_and_let_go_with_its_first_up() -> None:
    keyboard, hand, told = Keyboard(), Fingers(), asyncio.Queue[str]()
    keys = Combination.read("ctrl+alt+t")
    task = asyncio.create_task(watch_keys(keys, hand, told.put_nowait, load=keyboard.load))  # type: ignore[arg-type]
    async with asyncio.timeout(DEADLINE):
        assert await told.get() == "ctrl+alt+t"
    (listener,) = keyboard.listeners

    for key in ("T", "ctrl_r", "x", "alt_l", "alt_l"):
        listener.on_press(key)
    for key in ("x", "ctrl_r", "T", "alt_l"):
        listener.on_release(key)
    listener.on_press("t")
    await asyncio.sleep(0)

    assert hand.moves == ["press", "let go"]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not listener.is_running


@pytest.mark.parametrize("failure", [ModuleNotFoundError("pynput"), ImportError("this platform is not supported")])
async def test_a_machine_where_keys_cannot_be_watched_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def fail(name: str) -> Any:
        raise failure

    monkeypatch.setattr("companion.app.talk_key.x11.importlib", SimpleNamespace(import_module=fail))
    with pytest.raises(SetupError) as fault:
        await watch_keys(Combination.read("f9"), Fingers(), print)  # type: ignore[arg-type]

    assert "companion toggle" in fault.value.mend
