"""What the stream contract costs: processor time for each chunk and stage, and the time an interrupt takes.

``python tests/bench/stream_cost.py`` prints a table, with ``--json`` the same for a script; ``--quick`` shows that it
works. Nothing but pip touches the network. Pipecat's figures come from the same run, in an environment of its own that
is made once in the cache folder; ``--no-pipecat`` leaves them out.

Processor time is the best of several rounds, which take turns, so that what else the machine does falls on all alike.
A stage's cost is what a chain of them takes longer than none, divided by their number.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import time
import venv
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from stages import Buffering, Measure, Stage, looping, pulling, through, through_bare_generators, through_queues

from companion.app.paths import Paths
from companion.errors import StreamInterrupted
from companion.stream import MessageChunk, Role, Stream, StreamBuilder, StreamCtrl, pcm

PIPECAT = "pipecat-ai==1.14.0"
STAGES = (0, 1, 4, 8)
QUEUED = 1000
TRIALS = 100
SOUND = pcm(bytes(640), 16_000)

Costs = dict[str, dict[str, float]]
Interrupts = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class Found:
    """cost: microseconds of processor time for a chunk and stage, by kind and number of stages.
    interrupt: milliseconds until the reader saw it, and how many chunks it still got, by kind and number of stages.
    """

    chunks: int
    rounds: int
    cost: Costs = field(default_factory=dict)
    interrupt: Interrupts = field(default_factory=dict)
    not_measured: dict[str, str] = field(default_factory=dict)


KINDS: dict[str, Measure] = {
    "pass-through stage, async for": partial(through, looping),
    "pass-through stage, next": partial(through, pulling),
    "stage with a buffer of 64": partial(through, Buffering),
    "bare async generator, no laws": through_bare_generators,
    "asyncio.Queue of 64, no laws": through_queues,
}


def costs(count: int, rounds: int) -> Costs:
    chunks = [MessageChunk(Role.USER, part=SOUND, ctrl=StreamCtrl("s", timestamp=20 * n)) for n in range(count)]
    best = {kind: dict.fromkeys(STAGES, float("inf")) for kind in KINDS}
    for _ in range(rounds):
        for kind, measure in KINDS.items():
            for stages in STAGES:
                gc.collect()
                best[kind][stages] = min(best[kind][stages], asyncio.run(measure(stages, chunks)))
    return {
        kind: {str(n): 1e6 * (seconds[n] - seconds[0]) / n / count for n in STAGES if n}
        for kind, seconds in best.items()
    }


# Interrupts: a thousand chunks wait, the reader has had one.


async def interruption(stage: Stage, stages: int, *, at_source: bool) -> tuple[float, int]:
    """Seconds from the interrupt to its reader seeing the end, and how many chunks it got meanwhile.

    at_source: what makes the chunks is interrupted, and the reader learns of it through the stages; else it is the
        reader's own stream.
    """
    source = StreamBuilder(QUEUED)
    for _ in range(QUEUED):
        source.add_nowait(MessageChunk(Role.MODEL, part=SOUND))
    stream: Stream = source.stream
    for _ in range(stages):
        stream = stage(stream)
    reading, interrupted = asyncio.Event(), asyncio.Event()
    seen: asyncio.Future[tuple[float, int]] = asyncio.get_running_loop().create_future()

    async def read() -> None:
        await stream.next()
        reading.set()
        await interrupted.wait()
        late = 0
        try:
            while True:
                await stream.next()
                late += 1
        except StreamInterrupted:
            seen.set_result((time.perf_counter(), late))

    async with asyncio.TaskGroup() as group:
        group.create_task(read())
        await reading.wait()
        began = time.perf_counter()
        interrupted.set()
        await (source.stream if at_source else stream).close()
        ended, late = await asyncio.wait_for(seen, 5)
    assert not source.is_open, "the interrupt did not reach the source"
    return ended - began, late


def interrupts(trials: int) -> Interrupts:
    found: Interrupts = {}
    kinds = {"pass-through stages": looping, "stages with buffers": Buffering}
    for name, stage in kinds.items():
        for at_source in (False, True):
            if at_source and stage is Buffering:
                continue  # what a stage has buffered already is the reader's: interrupt the reader's stream
            by_stages = found.setdefault(f"{name}, {'the source' if at_source else 'its own stream'} interrupted", {})
            for stages in (1, 8):
                measured = [asyncio.run(interruption(stage, stages, at_source=at_source)) for _ in range(trials)]
                milliseconds = [1000 * seconds for seconds, _ in measured]
                by_stages[str(stages)] = {
                    "median_ms": median(milliseconds),
                    "p95_ms": quantiles(milliseconds, n=20)[-1],
                    "stale": max(late for _, late in measured),
                }
    return found


# Pipecat, in an environment of its own.


def pipecat_python() -> Path:
    """The Python of an environment that holds pipecat, made where it is not there yet.

    Raises:
        subprocess.SubprocessError: pip cannot install it.
    """
    place = Paths.here().cache / "bench" / PIPECAT.replace("==", "-")
    python = place / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    finished = place / "finished"
    if not finished.exists():
        print(f"installing {PIPECAT} into {place}", file=sys.stderr)
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", PIPECAT], check=True, stdout=sys.stderr, timeout=900)
        finished.touch()
    return python


def measure_pipecat(found: Found) -> None:
    script = Path(__file__).with_name("pipecat_cost.py")
    try:
        command = [str(pipecat_python()), str(script), str(found.chunks), "1"]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=1800)
    except (OSError, subprocess.SubprocessError) as error:
        found.not_measured["pipecat"] = str(error)
        return
    # What pipecat prints of itself may come before.
    theirs = json.loads(answer.stdout.splitlines()[-1])
    found.cost.update(theirs["cost"])
    found.interrupt.update(theirs["interrupt"])


def as_text(found: Found) -> str:
    lines = [f"CPU microseconds a chunk and stage ({found.chunks} chunks of 20 ms)", f"{'':42}{1:>8}{4:>8}{8:>8}"]
    for kind, by_stages in found.cost.items():
        lines.append(f"{kind:42}" + "".join(f"{figure:8.2f}" for figure in by_stages.values()))
    lines += ["", f"Interrupt with {QUEUED} chunks queued, until the reader sees it (1 and 8 stages)"]
    for kind, each in found.interrupt.items():
        for stages, figures in each.items():
            milliseconds = f"median {figures['median_ms']:.3f} ms, 95 % {figures['p95_ms']:.3f} ms"
            lines.append(f"{kind:52}{stages:>3}  {milliseconds}, {figures['stale']:.0f} stale")
    lines += [f"{name} not measured: {why}" for name, why in found.not_measured.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for a script")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of it, to see that it works")
    parser.add_argument("--no-pipecat", action="store_true", help="only our own streams")
    asked = parser.parse_args()
    found = Found(2000, 2) if asked.quick else Found(100_000, 5)
    found.cost.update(costs(found.chunks, found.rounds))
    found.interrupt.update(interrupts(TRIALS // 10 if asked.quick else TRIALS))
    if not asked.no_pipecat:
        measure_pipecat(found)
    whole = {name: getattr(found, name) for name in Found.__slots__}
    print(json.dumps(whole, indent=2) if asked.json else as_text(found))


if __name__ == "__main__":
    main()
