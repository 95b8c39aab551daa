"""A model in memory: loaded on first use, unloaded when idle, loaded afresh after it died."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator

import pytest

from companion.errors import ModelBroken, ModelDied, SetupError
from companion.providers.local.resident import Resident
from companion.providers.local.worker import Stop


class StepClock:
    """Calls what is due when the test moves the time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, Callable[[], None], _Alarm]] = []

    def later(self, delay: float, callback: Callable[[], None]) -> _Alarm:
        alarm = _Alarm()
        self._due.append((self.now + delay, callback, alarm))
        return alarm

    def step(self, seconds: float) -> None:
        self.now += seconds
        ripe = [entry for entry in self._due if entry[0] <= self.now]
        self._due = [entry for entry in self._due if entry[0] > self.now]
        for _, callback, alarm in ripe:
            if not alarm.is_cancelled:
                callback()


class _Alarm:
    is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Library:
    """A native library whose models are lists."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.loads = 0
        self.freed: list[list[str]] = []

    def load(self) -> list[str]:
        self.loads += 1
        if self.failure is not None:
            raise self.failure
        return []

    def free(self, model: list[str]) -> None:
        self.freed.append(model)


def resident(library: Library, clock: StepClock | None = None, idle: float = 0.0) -> Resident[list[str]]:
    return Resident(
        "a model",
        load=library.load,
        unload=library.free,
        idle_unload=idle,
        later=clock.later if clock else None,
    )


async def test_it_loads_on_first_use_and_once() -> None:
    library = Library()
    model = resident(library)
    assert not model.report.loaded

    await model.run(lambda words, stop: words.append("one"))
    assert await model.run(lambda words, stop: list(words)) == ["one"]

    assert library.loads == 1
    assert model.report.loaded
    await model.close()
    assert library.freed == [["one"]]
    assert not model.report.loaded


async def test_it_leaves_memory_when_idle_and_returns_when_wanted() -> None:
    library, clock = Library(), StepClock()
    model = resident(library, clock, idle=60)
    await model.load()
    clock.step(59)
    await model.load()
    clock.step(59)
    assert model.report.loaded

    clock.step(1)
    await asyncio.sleep(0)
    await model.run(lambda words, stop: None)
    assert len(library.freed) == 1
    assert library.loads == 2
    await model.close()


async def test_it_is_not_idle_while_somebody_uses_it() -> None:
    library, clock = Library(), StepClock()
    model = resident(library, clock, idle=60)
    with model.in_use():
        await model.load()
        clock.step(1000)
    await model.run(lambda words, stop: None)
    assert library.freed == []
    await model.close()


async def test_unloading_while_a_flow_is_read_only_costs_a_second_load() -> None:
    library = Library()
    model = resident(library)

    def growing(stop: Stop) -> Generator[int, None, None]:
        for number in range(3):
            model.model().append(str(number))
            yield number

    flow = model.stream(growing, ahead=1)
    assert await flow.next() == 0
    await model.unload()
    assert [number async for number in flow] == [1, 2]
    assert library.loads == 2
    await model.close()


async def test_what_the_library_cannot_load_is_broken_and_says_how_to_mend_it() -> None:
    model = resident(Library(RuntimeError("bad magic\nand more")))
    with pytest.raises(ModelBroken, match=r"a model does not load: bad magic and more$") as caught:
        await model.load()
    assert "models verify" in caught.value.mend
    await model.close()


async def test_a_missing_library_is_a_matter_of_set_up() -> None:
    model = resident(Library(ModuleNotFoundError("No module named 'x'", name="x")))
    with pytest.raises(SetupError, match="not installed: x"):
        await model.load()
    await model.close()


async def test_a_library_that_fails_in_the_middle_is_loaded_afresh() -> None:
    library = Library()
    model = resident(library)

    def fail(words: list[str], stop: Stop) -> None:
        raise MemoryError

    with pytest.raises(ModelDied, match="a model failed: MemoryError") as caught:
        await model.run(fail)
    assert caught.value.retryable

    await model.run(lambda words, stop: None)
    assert library.loads == 2
    await model.close()


async def test_a_flow_that_fails_in_the_middle_is_a_dead_model_too() -> None:
    library = Library()
    model = resident(library)

    def failing(stop: Stop) -> Generator[str, None, None]:
        model.model()
        yield "word"
        raise RuntimeError("llama_decode returned 1")

    flow = model.stream(failing, ahead=4)
    assert await flow.next() == "word"
    with pytest.raises(ModelDied, match="llama_decode"):
        await flow.next()
    assert not model.report.loaded
    await model.close()


async def test_a_job_cancelled_while_the_model_loads_does_no_work() -> None:
    library, worked = Library(), list[str]()
    model = resident(library)
    async with asyncio.TaskGroup() as tasks:
        job = tasks.create_task(model.run(lambda words, stop: worked.append("yes")))
        await asyncio.sleep(0)
        job.cancel()
    await model.load()
    assert worked == []
    await model.close()
