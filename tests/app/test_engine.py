"""The engine ends when it is told to, in time, and leaves no process behind."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time

import pytest
from doubles.hangup import on_hangup

from companion.app.engine import Engine, complete

PROGRAM = """
import asyncio, logging, sys, time
from companion.app.engine import Engine
from companion.app.leave import leave

class Life:
    async def run(self):
        print("alive", flush=True)
        {run}
    async def close(self):
        {close}
        print("closed", flush=True)

logging.getLogger().addHandler(logging.NullHandler())
Engine(orderly=0.3, at_last=0.8).run(Life)
leave(0)
"""

WAITS = "await asyncio.sleep(60)"


def begun(run: str = WAITS, close: str = "pass", *, hang_up: signal.Handlers = signal.SIG_DFL) -> subprocess.Popen[str]:
    with on_hangup(hang_up):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(run=run, close=close)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.stdout is not None
    assert process.stdout.readline() == "alive\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_order(number: signal.Signals) -> None:
    process = begun()
    process.send_signal(number)
    out, err = process.communicate(timeout=3)
    assert (out, err, process.returncode) == ("closed\n", "", 0)


def test_a_program_that_shall_outlive_its_terminal_does() -> None:
    process = begun(hang_up=signal.SIG_IGN)  # as nohup has it
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(3) == 0
    process.communicate()


@pytest.mark.parametrize(
    ("run", "close"),
    [
        (WAITS, "await asyncio.sleep(60)"),
        (WAITS, "time.sleep(60)"),
        ("asyncio.get_running_loop().run_in_executor(None, time.sleep, 60); " + WAITS, "pass"),
    ],
    ids=["closing waits", "closing blocks the loop", "a thread does not come back"],
)
def test_what_hangs_does_not_keep_the_process(run: str, close: str) -> None:
    process = begun(run, close)
    before = time.monotonic()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=10)
    assert time.monotonic() - before < 3
    assert err == ""


def test_a_library_that_hangs_at_the_very_end_does_not_keep_the_process() -> None:
    process = begun(run="import atexit; atexit.register(time.sleep, 60); " + WAITS)
    before = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)
    assert time.monotonic() - before < 3


def test_a_task_that_will_not_be_cancelled_does_not_keep_the_process() -> None:
    stubborn = "\n        while True:\n            try: await asyncio.sleep(60)\n            except BaseException: pass"
    process = begun(stubborn)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)


class Short:
    """A life that ends by itself, or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.closed = 0

    async def run(self) -> None:
        if self.failure is not None:
            raise self.failure

    async def close(self) -> None:
        self.closed += 1


def test_a_life_that_ends_by_itself_is_closed_once() -> None:
    life = Short()
    Engine().run(lambda: life)
    assert life.closed == 1


def test_a_life_that_fails_is_closed_and_its_failure_told() -> None:
    life = Short(ValueError("a fault"))
    with pytest.raises(ValueError, match="a fault"):
        Engine().run(lambda: life)
    assert life.closed == 1


def test_stop_from_inside_ends_it() -> None:
    engine = Engine()

    class Tired(Short):
        async def run(self) -> None:
            engine.stop()

    life = Tired()
    engine.run(lambda: life)
    assert life.closed == 1
    engine.stop()


def test_one_piece_of_work_gives_its_result_or_its_failure() -> None:
    async def seven() -> int:
        return 7

    async def fails() -> int:
        raise ValueError("a fault")

    assert complete(seven) == 7
    with pytest.raises(ValueError, match="a fault"):
        complete(fails)


def test_work_that_a_signal_ends_is_interrupted() -> None:
    async def waits() -> None:
        signal.raise_signal(signal.SIGTERM)
        await asyncio.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        complete(waits)


def test_a_thread_that_does_not_come_back_does_not_keep_the_result() -> None:
    program = (
        "import asyncio, time\n"
        "from companion.app.engine import complete\n"
        "from companion.app.leave import leave\n"
        "async def work():\n"
        "    asyncio.get_running_loop().run_in_executor(None, time.sleep, 60)\n"
        "    await asyncio.sleep(0.1)\n"
        "    return 7\n"
        "print(complete(work))\n"
        "leave(0)"
    )
    before = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout == "7\n"
    assert time.monotonic() - before < 10
