"""One event loop for all of these tests, so that they can share a sound server, a companion and voices."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from end_to_end.voices import Listener, Speech


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run ``async def`` tests on the shared loop; none may leave more tasks than it found."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    async def run() -> None:
        before = asyncio.all_tasks()
        stage = arguments.get("stage")
        with stage.companion.telling() if stage else nullcontext():
            await pyfuncitem.obj(**arguments)
        left = [task.get_name() for task in asyncio.all_tasks() - before if task is not asyncio.current_task()]
        assert not left, f"tasks left behind: {left}"

    pyfuncitem.funcargs["loop"].run(run())
    return True


@pytest.fixture(autouse=True)
def _on_the_shared_loop(loop: asyncio.Runner) -> None:
    """Every test here has the loop, even where it does not name it."""


@pytest.fixture(scope="session")
def speech(shelf_folder: Path) -> Speech:
    """Sentences in a voice, to be played into the microphone."""
    return Speech(shelf_folder / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx")


@pytest.fixture(scope="session")
def listener(shelf_folder: Path, loop: asyncio.Runner) -> Iterator[Listener]:
    """Ears that write down what came out of the loudspeaker."""
    ears = Listener(shelf_folder / "whisper-base")
    yield ears
    loop.run(ears.close())
