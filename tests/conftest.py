"""Fixtures and rules for every test: coroutine tests run here, and none may leave a task behind."""

from __future__ import annotations

import asyncio
import inspect
import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long one example takes says more about what else the machine is doing than about us.
settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run ``async def`` tests on a loop of their own and fail one that leaves tasks running."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    async def run() -> None:
        await pyfuncitem.obj(**arguments)
        left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not left, f"tasks left behind: {left}"

    asyncio.run(run())
    return True


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may see or touch the data of whoever runs it."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="session")
def shelf_folder() -> Path:
    """The folder of real models, pulled by ``./check``."""
    folder = os.environ.get("COMPANION_TEST_SHELF")
    if not folder:
        pytest.fail("COMPANION_TEST_SHELF is not set: run the tests through ./check, which pulls the models")
    return Path(folder)
