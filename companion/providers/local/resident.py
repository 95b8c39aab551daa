"""One model that lives in memory while it is wanted: loaded on first use, unloaded when idle, reported on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

import psutil

from companion.errors import CompanionError, ModelBroken, ModelDied, SetupError, one_line
from companion.model import ModelReport
from companion.providers.local.worker import Flow, Stop, Worker
from companion.stream.tasks import Tasks

M = TypeVar("M")
T = TypeVar("T")

logger = logging.getLogger(__name__)

# OpenMP's threads spin while they wait for each other. Where two models work at once, as the language model and
# the voice do in every reply, the spinning takes the processor from those waited for: tokens then come ten times
# slower. Read by the native libraries when they load, which is later than this.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "5000")


class Alarm(Protocol):
    """A call that is due later."""

    def cancel(self) -> None: ...


class Later(Protocol):
    """Calls ``callback`` on the event loop after ``delay`` seconds."""

    def __call__(self, delay: float, callback: Callable[[], None]) -> Alarm: ...


class Resident(Generic[M]):
    """Owns a model of a native library, its worker and the timer that unloads it.

    name: for people and logs.
    load: makes the model; runs on the worker's thread, as everything does that touches the model.
    unload: frees what it holds.
    idle_unload: seconds without a job after which it leaves memory; 0 keeps it.
    """

    def __init__(
        self,
        name: str,
        *,
        load: Callable[[], M],
        unload: Callable[[M], None],
        idle_unload: float = 0.0,
        speed_unit: str = "",
        later: Later | None = None,
    ) -> None:
        self.name = name
        self.report = ModelReport(name, loaded=False, speed_unit=speed_unit)
        self._load = load
        self._unload = unload
        self._idle_unload = idle_unload
        self._later = later
        self._alarm: Alarm | None = None
        self._users = 0
        self._model: M | None = None
        self._worker = Worker(name)
        self._tasks = Tasks()

    async def load(self) -> None:
        """Bring it into memory, if it is not there.

        Raises:
            ModelBroken: the library cannot load it.
            SetupError: the library is missing.
        """
        await self.run(lambda model, stop: None)

    async def unload(self) -> None:
        """Free its memory, after the job that runs now. The next job loads it again."""
        await self._worker.run(lambda stop: self._drop())

    async def close(self) -> None:
        """Free its memory and end its thread; jobs that wait or run get ModelDied."""
        self._cancel_alarm()
        await self._tasks.close()
        await self._worker.close()
        # The thread has ended, so nobody else touches the model.
        self._drop()

    async def run(self, work: Callable[[M, Stop], T], *, deadline: float | None = None) -> T:
        """Run ``work`` on the model's thread, loading it first if need be.

        Raises:
            TimeoutError: ``deadline`` seconds have passed, waiting included.
            ModelBroken: it does not load.
            SetupError: its library is missing.
            ModelDied: its library failed in the middle; the next job loads it afresh.
        """

        def job(stop: Stop) -> T:
            with self._guarded():
                model = self.model()
                stop.check()
                return work(model, stop)

        with self.in_use():
            return await self._worker.run(job, deadline=deadline)

    def stream(self, work: Callable[[Stop], Generator[T, None, None]], *, ahead: int) -> Flow[T]:
        """A flow made on the model's thread. After each yield ``work`` asks for ``model()`` again: it may have left."""

        def job(stop: Stop) -> Generator[T, None, None]:
            with self._guarded():
                yield from work(stop)

        return self._worker.stream(job, ahead=ahead)

    def model(self) -> M:
        """The model, loaded if it was not. On the worker's thread only."""
        if self._model is None:
            before, began = _resident_bytes(), time.perf_counter()
            with self._loading():
                self._model = self._load()
            seconds, grown = time.perf_counter() - began, max(_resident_bytes() - before, 0)
            self.report = replace(self.report, loaded=True, load_seconds=seconds, memory_bytes=grown)
            logger.info("loaded %s in %.2f s, %d MB", self.name, seconds, grown >> 20)
        return self._model

    def note_speed(self, speed: float) -> None:
        """Keep the speed of the last job for the report."""
        self.report = replace(self.report, speed=speed)

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep it from being unloaded as idle; the time of idleness begins when the last user leaves."""
        self._cancel_alarm()
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if self._users == 0 and self._idle_unload > 0:
                later = self._later or asyncio.get_running_loop().call_later
                self._alarm = later(self._idle_unload, self._fall_idle)

    def _fall_idle(self) -> None:
        self._alarm = None
        self._tasks.start(self.unload(), name=f"unload {self.name}")

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _drop(self) -> None:
        model, self._model = self._model, None
        if model is not None:
            self.report = replace(self.report, loaded=False, memory_bytes=0)
            self._unload(model)
            logger.info("unloaded %s", self.name)

    @contextlib.contextmanager
    def _loading(self) -> Iterator[None]:
        try:
            yield
        except CompanionError:
            raise
        except ImportError as error:
            raise SetupError(
                f"{self.name} needs a library that is not installed: {error.name or error}",
                mend="install the companion again, with all it needs",
            ) from error
        except Exception as error:
            raise ModelBroken(
                f"{self.name} does not load: {one_line(error)}",
                mend="check its files with: companion models verify",
            ) from error

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except CompanionError:
            raise
        except Exception as error:
            self._drop()
            raise ModelDied(f"{self.name} failed: {one_line(error)}", mend="try again", retryable=True) from error


def _resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)
