"""Runs benches, one after the other, each within a deadline; what one cannot do does not keep the others."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.app.bench import barge_in, echo, idle, kills, loop, parts, window
from companion.app.bench.clips import Clips
from companion.app.bench.figures import Missing, Section
from companion.app.bench.setup import Setup
from companion.app.paths import Paths
from companion.errors import BadInput, CompanionError
from companion.settings.schema import Settings

logger = logging.getLogger(__name__)

Measure = Callable[[Setup], Awaitable[Sequence[Section]]]


@dataclass(frozen=True, slots=True)
class Bench:
    """One thing to measure.

    deadline: seconds after which it is given up. needs_voices: whether it is nothing without recorded voices.
    """

    measure: Measure
    deadline: float
    needs_voices: bool = False


BENCHES: Mapping[str, Bench] = {
    "recogniser": Bench(parts.recogniser, 3600.0, needs_voices=True),
    "model": Bench(parts.model, 900.0),
    "voice": Bench(parts.voice, 900.0),
    "wake": Bench(parts.wake, 3 * 3600.0, needs_voices=True),
    "turn_end": Bench(parts.turn_end, 3600.0, needs_voices=True),
    "loop": Bench(loop.measure, 3600.0),
    "barge_in": Bench(barge_in.measure, 1800.0),
    "echo": Bench(echo.measure, 1800.0),
    "idle": Bench(idle.measure, 1800.0),
    "kills": Bench(kills.measure, 3600.0),
    "ui": Bench(window.measure, 1800.0),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was measured. ``failed``: the names of those that could not be."""

    sections: tuple[Section, ...]
    failed: tuple[str, ...]


async def run(
    names: Sequence[str],
    settings: Settings,
    paths: Paths,
    *,
    data: Path | None,
    quick: bool,
    on_section: Callable[[Section], None] = lambda section: None,
) -> Outcome:
    """Measure ``names``, or everything. ``data``: recorded voices. ``on_section``: told of each as soon as it is there.

    Raises:
        BadInput: there is no bench of a name, ``data`` holds no voices, or a named bench needs some.
    """
    _refuse_unknown(names)
    clips = Clips(data) if data is not None else None
    setup = Setup(settings, paths, clips, quick, _tell)
    sections: list[Section] = []
    failed: list[str] = []
    for name in names or BENCHES:
        bench = BENCHES[name]
        if bench.needs_voices and clips is None:
            if names:
                setup.voices  # noqa: B018 - raises what is to be said
            measured: Sequence[Section] = [_not_measured(name, "it needs recorded voices: --data")]
        else:
            measured, is_whole = await _measured(name, bench, setup)
            failed += [] if is_whole else [name]
        for section in measured:
            on_section(section)
        sections += measured
    return Outcome(tuple(sections), tuple(failed))


def _refuse_unknown(names: Sequence[str]) -> None:
    for name in names:
        if name not in BENCHES:
            raise BadInput(f"there is no bench {name!r}", mend=f"Choose from {', '.join(BENCHES)}.")


async def _measured(name: str, bench: Bench, setup: Setup) -> tuple[Sequence[Section], bool]:
    setup.tell(f"{name} ...")
    began = time.monotonic()
    try:
        async with asyncio.timeout(bench.deadline):
            measured = await bench.measure(setup)
    except BadInput:
        raise
    except CompanionError as error:
        return [_not_measured(name, f"{error}. {error.mend}".strip())], False
    except Exception as error:
        logger.warning("the bench of %s failed: %s", name, type(error).__name__, exc_info=error)
        return [_not_measured(name, f"given up after {time.monotonic() - began:.0f} s ({_words(error)})")], False
    finally:
        setup.tell(f"{name}: {time.monotonic() - began:.0f} s")
    figures = [figure for section in measured for figure in section.figures.values()]
    return measured, not any(isinstance(figure, Missing) for figure in figures)


def _words(error: Exception) -> str:
    return "it took too long" if isinstance(error, TimeoutError) else f"{type(error).__name__}: {error}"


def _not_measured(name: str, why: str) -> Section:
    return Section(name, {"not measured": Missing(why)})


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)  # noqa: T201 - progress goes past the figures
