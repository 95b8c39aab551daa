"""What pass-through processors of pipecat-ai cost, and what an interruption of them takes.

``stream_cost.py`` runs this with the Python of pipecat's own environment: ``pipecat_cost.py CHUNKS ROUNDS``.
It prints JSON, in the same shape and units as ``stream_cost.py`` does of our own streams.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from loguru import logger
from pipecat.frames.frames import EndFrame, Frame, InputAudioRawFrame, InterruptionFrame, OutputAudioRawFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.filters.identity_filter import IdentityFilter
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.workers.runner import WorkerRunner

T = TypeVar("T")
SOUND = bytes(640)
STAGES = (0, 1, 4, 8)
QUEUED = 1000
IN_FLIGHT = 64
"""Frames on their way at once; ours are bounded by the same number."""
TRIALS = 20


class Reader(FrameProcessor):
    """The end of the pipeline: hears every frame of sound, and lets the next one in."""

    def __init__(self, *, seconds_a_frame: float = 0.0) -> None:
        super().__init__()
        self.heard: list[Frame] = []
        self.room = asyncio.Semaphore(IN_FLIGHT)
        self.awaited = -1
        self.has_come = asyncio.Event()
        self.interrupted = asyncio.get_running_loop().create_future()
        self._seconds_a_frame = seconds_a_frame

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, InputAudioRawFrame | OutputAudioRawFrame):
            await self._hear(frame)
        elif isinstance(frame, InterruptionFrame):
            self.interrupted.set_result(time.perf_counter())
        await self.push_frame(frame, direction)

    async def _hear(self, frame: Frame) -> None:
        self.heard.append(frame)
        self.room.release()
        if len(self.heard) == self.awaited:
            self.has_come.set()
        if self._seconds_a_frame:
            await asyncio.sleep(self._seconds_a_frame)


def default_worker(pipeline: Pipeline) -> PipelineWorker:
    return PipelineWorker(pipeline, idle_timeout_secs=None)


def lean_worker(pipeline: Pipeline) -> PipelineWorker:
    """Without what only watches: turn tracking, the frontend protocol, the idle timer."""
    return PipelineWorker(
        pipeline, idle_timeout_secs=None, enable_turn_tracking=False, enable_rtvi=False, check_dangling_tasks=False
    )


async def run(worker: PipelineWorker, drive: Callable[[], Awaitable[T]]) -> T:
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    async with asyncio.TaskGroup() as group:
        group.create_task(runner.run())
        measured = await drive()
        await worker.queue_frame(EndFrame())
    return measured


def frames_of(kind: type[Frame], count: int) -> list[Frame]:
    return [kind(audio=SOUND, sample_rate=16_000, num_channels=1) for _ in range(count)]  # type: ignore[call-arg]


async def cost(make: Callable[[Pipeline], PipelineWorker], stages: int, frames: Sequence[Frame]) -> float:
    """Seconds of CPU for all frames through ``stages`` pass-through processors."""
    reader = Reader()
    worker = make(Pipeline([*[IdentityFilter() for _ in range(stages)], reader]))

    async def drive() -> float:
        await feed(worker, reader, frames[:IN_FLIGHT])
        began = time.process_time()
        await feed(worker, reader, frames[IN_FLIGHT:])
        return time.process_time() - began

    took = await run(worker, drive)
    assert reader.heard == list(frames), "pipecat lost or reordered frames"
    return took


async def feed(worker: PipelineWorker, reader: Reader, frames: Sequence[Frame]) -> None:
    reader.awaited = len(reader.heard) + len(frames)
    reader.has_come.clear()
    for frame in frames:
        await reader.room.acquire()
        await worker.queue_frame(frame)
    await reader.has_come.wait()


async def interruption(stages: int, *, entering: bool) -> tuple[float, int]:
    """Seconds from an interruption to the reader hearing of it, and how many frames it heard since it was asked for.

    entering: the thousand are given to the pipeline just before the interruption; else they wait at a busy reader.
    """
    reader = Reader(seconds_a_frame=0.0 if entering else 0.02)
    worker = lean_worker(Pipeline([*[IdentityFilter() for _ in range(stages)], reader]))
    frames = frames_of(OutputAudioRawFrame, QUEUED + 1)

    async def drive() -> tuple[float, int]:
        await feed(worker, reader, frames[:1])
        await worker.queue_frames(frames[1:])
        if not entering:
            await asyncio.sleep(0.2 + 0.02 * stages)
        heard = len(reader.heard)
        began = time.perf_counter()
        await worker.queue_frame(InterruptionFrame())
        ended = await asyncio.wait_for(reader.interrupted, 10)
        await asyncio.sleep(0.1)
        return ended - began, len(reader.heard) - heard

    return await run(worker, drive)


def costs(chunks: int, rounds: int) -> dict[str, dict[str, float]]:
    kinds = {
        "pipecat, lean worker, heard sound": partial(cost, lean_worker, frames=frames_of(InputAudioRawFrame, chunks)),
        "pipecat, lean worker, sound to say": partial(cost, lean_worker, frames=frames_of(OutputAudioRawFrame, chunks)),
        "pipecat, default worker": partial(cost, default_worker, frames=frames_of(OutputAudioRawFrame, chunks)),
    }
    best = {kind: dict.fromkeys(STAGES, float("inf")) for kind in kinds}
    for _ in range(rounds):
        for kind, measure in kinds.items():
            for stages in STAGES:
                gc.collect()
                best[kind][stages] = min(best[kind][stages], asyncio.run(measure(stages=stages)))
    return {
        kind: {str(n): 1e6 * (seconds[n] - seconds[0]) / n / chunks for n in STAGES if n}
        for kind, seconds in best.items()
    }


def interruptions() -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, entering in (("pipecat, waiting at the reader", False), ("pipecat, entering", True)):
        found[name] = {}
        for stages in (1, 8):
            trials = [asyncio.run(interruption(stages, entering=entering)) for _ in range(TRIALS)]
            milliseconds = [1000 * seconds for seconds, _ in trials]
            found[name][str(stages)] = {
                "median_ms": statistics.median(milliseconds),
                "p95_ms": statistics.quantiles(milliseconds, n=20)[-1],
                "stale": max(stale for _, stale in trials),
            }
    return found


if __name__ == "__main__":
    logger.remove()
    print(json.dumps({"cost": costs(int(sys.argv[1]), int(sys.argv[2])), "interrupt": interruptions()}))
