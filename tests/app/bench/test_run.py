"""Benches run one after the other, and what one cannot do does not keep the others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.app.bench import run as run_bench
from companion.app.bench.figures import Amount, Missing, Section
from companion.app.bench.report import as_document, as_lines
from companion.app.bench.run import BENCHES, Bench, run
from companion.app.paths import Paths
from companion.cli.bench import bench
from companion.errors import BadInput, ModelMissing
from companion.settings.schema import Settings


async def good(setup) -> list[Section]:
    return [Section("Good", {"speed": Amount(1.0, "x")})]


async def broken(setup) -> list[Section]:
    raise ModelMissing("there is none", mend="Pull one.")


async def faulty(setup) -> list[Section]:
    raise ZeroDivisionError("a bench divided by nothing")


async def partial(setup) -> list[Section]:
    return [Section("Partial", {"speed": Amount(1.0, "x"), "memory": Missing("not measured: it took too long")})]


async def endless(setup) -> list[Section]:
    await asyncio.sleep(3600)
    return []


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    benches = {
        "broken": Bench(broken, 5.0),
        "faulty": Bench(faulty, 5.0),
        "endless": Bench(endless, 0.01),
        "with_voices": Bench(good, 5.0, needs_voices=True),
        "good": Bench(good, 5.0),
        "partial": Bench(partial, 5.0),
    }
    monkeypatch.setattr(run_bench, "BENCHES", benches)


async def outcome(*names: str, data: Path | None = None):
    told: list[Section] = []
    result = await run(names, Settings(), Paths.here(), data=data, quick=True, on_section=told.append)
    assert tuple(told) == result.sections
    return result


@pytest.mark.usefixtures("_few")
async def test_all_run_although_one_is_broken_and_one_hangs() -> None:
    result = await outcome()

    assert result.failed == ("broken", "faulty", "endless", "partial")
    notes = [section.figures.get("not measured") for section in result.sections]
    assert notes[0] == Missing("there is none. Pull one.")
    assert "ZeroDivisionError: a bench divided by nothing" in str(notes[1])
    assert "took too long" in str(notes[2])
    assert notes[3] == Missing("it needs recorded voices: --data")
    assert notes[4] is None


@pytest.mark.usefixtures("_few")
async def test_a_named_bench_that_needs_voices_asks_for_them() -> None:
    with pytest.raises(BadInput, match="recorded voices"):
        await outcome("with_voices")


async def test_an_unknown_bench_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="there is no bench 'speed'") as refused:
        await outcome("speed")
    assert "recogniser" in refused.value.mend


@pytest.mark.usefixtures("_few")
async def test_a_folder_without_voices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no recorded voices"):
        await outcome("good", data=tmp_path)


def test_figures_are_shown_to_people_and_to_scripts() -> None:
    section = Section("Good", {"speed": Amount(1.0, "x")})

    assert as_lines(section) == ["Good", "  speed: 1.000 x", ""]
    assert as_document([section])["figures"] == {"Good": {"speed": {"value": 1.0, "unit": "x"}}}


def test_every_bench_has_a_deadline_and_is_named_by_the_help() -> None:
    assert all(one.deadline > 0 for one in BENCHES.values())
    assert f"Sections: {', '.join(BENCHES)}." in (bench.__doc__ or "")
