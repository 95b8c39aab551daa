"""The hub as a source, against one that behaves like a hub on a bad day."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from doubles.hub import Answer, Cut, HubDouble, Longer, OtherRange
from doubles.models import hub_file, hub_path, model, some_bytes

from companion.catalog.hub import LONGEST_ASKED_PAUSE, TRIES, Hub
from companion.catalog.progress import Phase, Progress
from companion.catalog.pull import pull
from companion.catalog.shelf import Shelf
from companion.errors import ChecksumMismatch, SourceUnreachable

CONTENT = some_bytes(3_000_000)
FILE = hub_file("model.bin", CONTENT)
PATH = hub_path("model.bin")


@dataclass
class Visit:
    """A shelf, a hub, and the pauses the source took (none of them real)."""

    shelf: Shelf
    double: HubDouble
    source: Hub
    pauses: list[float] = field(default_factory=list)
    told: list[Progress] = field(default_factory=list)

    async def pull(self) -> None:
        await pull(self.shelf, ["joe"], sources=[self.source], on_progress=self.told.append)
        assert (self.shelf.folder("joe") / "model.bin").read_bytes() == CONTENT
        assert not self.shelf.workplace("joe").exists()

    @property
    def part(self) -> Path:
        return self.shelf.workplace("joe") / "model.bin.part"

    def leave_part(self, content: bytes, etag: str = "") -> None:
        self.part.parent.mkdir(parents=True)
        self.part.write_bytes(content)
        if etag:
            self.part.with_name("model.bin.part.etag").write_text(etag)


@asynccontextmanager
async def visiting(root: Path, double: HubDouble) -> AsyncIterator[Visit]:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async with double:
        shelf = Shelf(root / "shelf", {"joe": model("joe", FILE)})
        yield Visit(shelf, double, Hub(double.endpoint, pause=pause), pauses)


def serving(*faults: Answer | Cut | Longer | OtherRange, content: bytes = CONTENT, **how: bool) -> HubDouble:
    return HubDouble({PATH: content}, list(faults), **how)


async def test_a_redirected_file_arrives_whole_and_tells_its_progress(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving()) as visit:
        await visit.pull()
    fetched = [step.done for step in visit.told if step.phase is Phase.FETCHING]
    assert fetched == sorted(fetched)
    assert fetched[-1] == len(CONTENT)
    assert len(fetched) >= 3
    assert visit.told[-1] == Progress("joe", "", len(CONTENT), len(CONTENT), Phase.READY)


@pytest.mark.parametrize("tenth", range(10))
async def test_a_cut_at_any_tenth_resumes_without_sending_it_twice(tmp_path: Path, tenth: int) -> None:
    async with visiting(tmp_path, serving(Cut(len(CONTENT) * tenth // 10))) as visit:
        await visit.pull()
    assert visit.double.sent == len(CONTENT)
    assert len(visit.pauses) == 1


async def test_a_connection_cut_at_every_tenth_gets_there(tmp_path: Path) -> None:
    cuts = [Cut(len(CONTENT) // 10)] * 9
    async with visiting(tmp_path, serving(*cuts)) as visit:
        await visit.pull()
    assert visit.double.sent == len(CONTENT)
    asked = [request.headers.get("range") for request in visit.double.asked_from_store]
    assert asked == [None, *(f"bytes={len(CONTENT) * tenth // 10}-" for tenth in range(1, 10))]


async def test_a_hub_without_ranges_is_read_from_the_start_again(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(Cut(1_000_000), ranges=False)) as visit:
        await visit.pull()
    assert visit.double.sent == len(CONTENT) + 1_000_000


async def test_a_hub_that_always_cuts_at_the_same_place_is_given_up(tmp_path: Path) -> None:
    double = serving(*[Cut(1_000_000)] * 50, ranges=False)
    async with visiting(tmp_path, double) as visit:
        with pytest.raises(SourceUnreachable, match=r"model\.bin \(3\.0 MB"):
            await visit.pull()
    assert len(double.asked_from_store) == 1 + TRIES
    assert not visit.shelf.has("joe")
    assert visit.part.stat().st_size == 1_000_000


async def test_the_next_pull_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving()) as visit:
        visit.leave_part(CONTENT[:2_000_000])
        await visit.pull()
    assert visit.double.sent == len(CONTENT) - 2_000_000


async def test_a_file_that_changed_on_the_hub_is_read_from_the_start(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving()) as visit:
        visit.leave_part(b"old" * 500_000, etag='"old"')
        await visit.pull()
    assert visit.double.asked_from_store[0].headers["if-range"] == '"old"'
    assert visit.double.sent == len(CONTENT)


async def test_a_wrong_beginning_without_an_etag_costs_one_more_try(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(etags=False)) as visit:
        visit.leave_part(b"old" * 500_000)
        await visit.pull()
    assert visit.double.sent == len(CONTENT) + 1_500_000


@pytest.mark.parametrize("left", [len(CONTENT), len(CONTENT) + 5])
async def test_a_part_that_is_long_enough_but_wrong_is_not_used(tmp_path: Path, left: int) -> None:
    async with visiting(tmp_path, serving()) as visit:
        visit.leave_part(b"x" * left)
        await visit.pull()


async def test_a_range_that_begins_elsewhere_is_not_joined(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(Cut(1_000_000), OtherRange())) as visit:
        await visit.pull()
    assert "range" not in visit.double.asked_from_store[2].headers


async def test_wrong_bytes_are_refused_and_thrown_away(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(content=some_bytes(len(CONTENT), seed=2))) as visit:
        with pytest.raises(ChecksumMismatch, match=r"wrong model\.bin.*not " + FILE.sha256[:12]):
            await visit.pull()
    assert not visit.shelf.has("joe")
    assert not visit.part.exists()


async def test_a_page_of_another_length_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(content=b"<html>Please log in</html>")) as visit:
        with pytest.raises(SourceUnreachable, match="sends 26 bytes where the manifest says 3000000"):
            await visit.pull()


async def test_a_body_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(Longer(by=10_000_000))) as visit:
        with pytest.raises(SourceUnreachable, match="sends more than 3000000 bytes"):
            await visit.pull()
    # The generators inside the HTTP library, left half read, close one turn of the loop after another.
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_what_will_not_change_is_not_asked_twice(tmp_path: Path, status: int) -> None:
    async with visiting(tmp_path, serving(Answer(status))) as visit:
        with pytest.raises(SourceUnreachable, match=f"answers {status}") as caught:
            await visit.pull()
    assert not caught.value.retryable
    assert len(visit.double.requests) == 2
    assert visit.pauses == []


async def test_a_file_the_hub_does_not_have_is_told(tmp_path: Path) -> None:
    async with visiting(tmp_path, HubDouble({})) as visit:
        with pytest.raises(SourceUnreachable, match="answers 404"):
            await visit.pull()


async def test_a_hub_that_asks_for_a_rest_gets_it(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(Answer(429, (("retry-after", "7"),)))) as visit:
        await visit.pull()
    assert visit.pauses == [7.0]


async def test_a_rest_may_be_asked_for_by_date(tmp_path: Path) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    async with visiting(tmp_path, serving(Answer(503, (("retry-after", later),)))) as visit:
        await visit.pull()
    assert 25 < visit.pauses[0] <= 30


async def test_a_hub_that_asks_for_a_long_rest_is_given_up(tmp_path: Path) -> None:
    asked = str(int(LONGEST_ASKED_PAUSE) + 1)
    async with visiting(tmp_path, serving(Answer(429, (("retry-after", asked),)))) as visit:
        with pytest.raises(SourceUnreachable, match=f"asks to wait {asked} seconds"):
            await visit.pull()
    assert visit.pauses == []


async def test_pauses_grow_and_end(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving(*[Answer(500)] * 50)) as visit:
        with pytest.raises(SourceUnreachable, match="answers 500"):
            await visit.pull()
    assert visit.pauses == [0.5, 1.0, 2.0, 4.0]


async def test_a_redirect_in_a_circle_ends(tmp_path: Path) -> None:
    circle = Answer(302, (("location", f"/store{PATH}"),))
    async with visiting(tmp_path, serving(*[circle] * 50)) as visit:
        with pytest.raises(SourceUnreachable):
            await visit.pull()
    assert len(visit.double.requests) < 20


async def test_without_a_network_the_second_file_is_not_waited_for(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving()) as visit:
        pass
    files = [hub_file(name, CONTENT) for name in ("one.bin", "two.bin")]
    shelf = Shelf(tmp_path / "shelf", {file.name: model(file.name, file) for file in files})
    with pytest.raises(SourceUnreachable) as caught:
        await pull(shelf, ["one.bin", "two.bin"], sources=[visit.source])
    assert len(visit.pauses) == 2
    for file in files:
        assert f"{file.name} (3.0 MB, sha256 {file.sha256[:12]})" in str(caught.value)
    assert "companion models pull one.bin two.bin`" in caught.value.mend
    assert "--from /media/stick" in caught.value.mend
    assert "\n" not in str(caught.value)


async def test_an_endpoint_that_is_no_address_is_told(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf", {"joe": model("joe", FILE)})
    with pytest.raises(SourceUnreachable, match="nowhere"):
        await pull(shelf, ["joe"], sources=[Hub("nowhere")])


async def test_a_cancelled_pull_keeps_what_it_has(tmp_path: Path) -> None:
    half = asyncio.Event()

    def told(step: Progress) -> None:
        if step.phase is Phase.FETCHING and step.done >= 1 << 20:
            half.set()

    async with visiting(tmp_path, serving()) as visit:
        task = asyncio.get_running_loop().create_task(
            pull(visit.shelf, ["joe"], sources=[visit.source], on_progress=told)
        )
        await half.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        kept = visit.part.read_bytes()
        assert kept
        assert CONTENT.startswith(kept)
        await visit.pull()


class SlowPool(ThreadPoolExecutor):
    """Threads that begin a write late, and tell when one was asked for."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked = asyncio.Event()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        if not isinstance(work, partial):
            return super().submit(work, *arguments, **named)
        self.asked.set()
        return super().submit(lambda: (time.sleep(0.1), work(*arguments, **named))[1])


async def test_a_pull_that_is_cancelled_while_it_writes_keeps_the_bytes_in_order(tmp_path: Path) -> None:
    async with visiting(tmp_path, serving()) as visit:
        pool = SlowPool()
        asyncio.get_running_loop().set_default_executor(pool)
        task = asyncio.get_running_loop().create_task(pull(visit.shelf, ["joe"], sources=[visit.source]))
        await pool.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        kept = visit.part.read_bytes()
        assert len(kept) >= 1 << 20
        assert CONTENT.startswith(kept)
        await visit.pull()
        pool.shutdown()
