"""Random programs over every join and fork: writers push and end, readers read slowly, give up and close.

A program runs beside a model that says with plain lists what must come out. A *careful* program lets
everything settle after each step and compares each step; a *hasty* one does not, and compares what came
out in the end. Both demand that no task is left and that every source has been ended or closed.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from doubles.stream_kinds import KINDS, UNSTAGED, passed
from doubles.stream_models import End, Feed, Got, Model, Told, speaker_of
from doubles.stream_outputs import words_of

from companion.errors import OutputLimit, StreamClosed, StreamInterrupted
from companion.stream import GrowingStreamBuilder, Limit, MessageChunk, Status, StreamCtrl, Text

ROOMY = 10_000
TIGHT = 3
_TURNS = 100
"""Of the event loop, after which everything must have come to rest."""
_PATIENCE = 20.0
"""Seconds for a program that hangs."""
ENDINGS = (Status.DONE, Status.DONE, Status.DONE, Status.TRUNCATED, *Status)


@dataclass
class Report:
    programs: int = 0
    steps: int = 0
    chunks: int = 0
    """That came out."""


@dataclass
class Read:
    """What one output has given, and the read that is pending."""

    got: list[Got] = field(default_factory=list)
    task: asyncio.Task[Got] | None = None
    is_closed: bool = False
    is_cancelled: bool = False

    @property
    def is_cut(self) -> bool:
        """Not all of it came, and that was told: it was closed, or interrupted because a reader gave up."""
        return self.is_closed or (self.is_cancelled and self.end == End(Status.INTERRUPTED))

    @property
    def end(self) -> End | None:
        last = self.got[-1] if self.got else None
        return last if isinstance(last, End) else None

    def note(self, got: Got) -> None:
        assert self.end is None or got == self.end, f"after {self.end} came {got}"
        if self.end is None:
            self.got.append(got)


class Program:
    """One random program."""

    def __init__(self, kind: str, seed: int, *, careful: bool) -> None:
        self.name = f"{'careful' if careful else 'hasty'} program {seed} over {kind}"
        self.dice = random.Random(f"{kind} {seed}")
        self.careful = careful
        count, make = KINDS[kind]
        self.limit = self.dice.choice([TIGHT, ROOMY]) if careful else ROOMY
        self.writers = [GrowingStreamBuilder(Limit(items=self.limit)) for _ in range(count)]
        streams = [writer.stream for writer in self.writers]
        self.sources = [
            passed(stream) if kind not in UNSTAGED and self.dice.random() < 0.5 else stream for stream in streams
        ]
        self.outputs, self.make_model = make(self.sources, self.limit)
        self.feeds = [Feed() for _ in range(count)]
        self.sent = [Feed() for _ in range(count)]
        self.model = self.make_model(self.feeds)
        self.reads = [Read() for _ in self.outputs]
        self.log: list[str] = []
        self.number = 0

    async def run(self, steps: int) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._run(steps)
        except (AssertionError, TimeoutError) as error:
            raise AssertionError(f"{self.name}: {error!r} after {', '.join(self.log)}") from error

    async def _run(self, steps: int) -> None:
        weights = {self.push: 8, self.read: 12, self.cancel: 0.6, self.close: 0.2, self.end: 0.4, self.interrupt: 0.6}
        for step in self.dice.choices(list(weights), list(weights.values()), k=steps):
            await step()
            await self.settle()
        await self.finish()

    async def settle(self) -> None:
        for _ in range(_TURNS if self.careful else self.dice.randrange(3)):
            await asyncio.sleep(0)
            if self.careful and not asyncio.get_running_loop()._ready:  # type: ignore[attr-defined]
                break
        self.notice_new_outputs()
        for read in self.reads:
            if read.task is not None and read.task.done():
                read.note(read.task.result())
        if self.careful:
            self.compare()
        for read in self.reads:
            if read.task is not None and read.task.done():
                read.task = None

    def compare(self) -> None:
        """Each pending read has come to what the model says, and to no more."""
        self.model.settle()
        for output, read in enumerate(self.reads):
            if read.task is not None:
                expected = self.model.pull(output)
                got = read.got[-1] if read.task.done() else None
                assert got == expected, f"output {output} gave {got}, not {expected}"
        for number, (writer, feed) in enumerate(zip(self.writers, self.feeds, strict=True)):
            assert writer.is_open == feed.is_open, f"source {number} is {'' if writer.is_open else 'not '}open"

    async def push(self) -> None:
        number = self.dice.randrange(len(self.writers))
        for _ in range(self.dice.choice([1, 1, 2, 5])):
            self.number += 1
            self._send(number, str(self.number))

    def _send(self, number: int, words: str) -> None:
        chunk = MessageChunk(name=speaker_of(words), part=Text(words), ctrl=StreamCtrl(str(number)))
        self.log.append(f"push {words} to {number}")
        try:
            self.writers[number].add(chunk)
        except OutputLimit:
            assert len(self.feeds[number].items) == self.limit, "a writer was refused where there was room"
            self.feeds[number].ending = self.sent[number].ending = Status.ERROR
        except StreamClosed:
            assert not self.careful or not self.feeds[number].is_open, "an open source was closed"
        else:
            self.feeds[number].items.append(words)
            self.sent[number].items.append(words)

    async def end(self) -> None:
        self._end(self.dice.randrange(len(self.writers)), self.dice.choice(ENDINGS))

    def _end(self, number: int, status: Status) -> None:
        writer = self.writers[number]
        if not writer.is_open:
            return
        self.log.append(f"end {number}: {status}")
        self.feeds[number].ending = self.sent[number].ending = status
        match status:
            case Status.DONE:
                writer.done()
            case Status.TRUNCATED:
                writer.truncated()
            case Status.BLOCKED:
                writer.blocked("not that")
            case Status.INTERRUPTED:
                writer.abort(StreamInterrupted())
            case Status.ERROR:
                writer.abort(OSError("the writer broke"))

    async def interrupt(self) -> None:
        """A writer takes back what was not pulled: all of it, or every other chunk."""
        number, every = self.dice.randrange(len(self.writers)), self.dice.choice([1, 2])
        self.log.append(f"take back {'all' if every == 1 else 'what is even'} from {number}")
        taken = [
            words_of(chunk) for chunk in self.writers[number].discard(lambda chunk: int(words_of(chunk)) % every == 0)
        ]
        feed, sent = self.feeds[number], self.sent[number]
        if self.careful and not feed.is_closed:
            expected = [words for words in feed.items if int(words) % every == 0]
            assert taken == expected, f"{taken} were taken back, not {expected}"
        for each in (feed, sent):
            each.items = deque(words for words in each.items if words not in taken)

    async def read(self) -> None:
        self.start_reading(self.dice.randrange(len(self.reads)))

    def start_reading(self, output: int) -> None:
        if self.reads[output].task is None:
            self.log.append(f"read {output}")
            # Its owner is ``finish``, which waits for it.
            self.reads[output].task = asyncio.create_task(self.outputs[output].read(), name="reader")

    def notice_new_outputs(self) -> None:
        self.reads.extend(Read() for _ in self.outputs[len(self.reads) :])

    async def cancel(self) -> None:
        output = self.dice.randrange(len(self.reads))
        read = self.reads[output]
        if read.task is None:
            return
        self.log.append(f"cancel {output}")
        read.task.cancel()
        await asyncio.wait([read.task])
        if read.task.cancelled():
            read.is_cancelled = True
            read.task = None
            if self.careful:
                self.model.cancel(output)

    async def close(self) -> None:
        output, broken = self.dice.randrange(len(self.reads)), self.dice.random() < 0.3
        self.log.append(f"close {output}")
        closes_all = isinstance(self.model, Told) and output == 0
        for read in self.reads if closes_all else [self.reads[output]]:
            read.is_closed = True
        if self.careful:
            self.model.close(output, Status.ERROR if broken else Status.INTERRUPTED)
        await self.outputs[output].close(broken=broken)
        await self.outputs[output].close(broken=not broken)

    async def finish(self) -> None:
        """End what is open, read every output to its end, and look at what is left."""
        for number in range(len(self.writers)):
            self._end(number, self.dice.choice(ENDINGS))
        while unread := [output for output, read in enumerate(self.reads) if read.end is None or read.task]:
            for output in unread:
                self.start_reading(output)
                await self.settle()
        assert all(source.state is not None for source in self.sources), "a source was left open"
        assert not any(writer.is_open for writer in self.writers), "a writer was left open"
        left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not left, f"tasks were left: {left}"
        if not self.careful:
            self.compare_whole()

    def compare_whole(self) -> None:
        """What came out is what was sent, as the model orders it; of what was cut short, a beginning."""
        for feed in self.sent:
            # Closed by its readers: that is seen in what they were told, not here.
            feed.ending = feed.ending or Status.DONE
        model = self.make_model(self.sent)
        for output, read in enumerate(self.reads):
            whole = list(read_all(model, output))
            if read.is_cut:
                whole[len(read.got) - 1 :] = read.got[-1:]
            assert read.got == whole, f"output {output} gave {read.got} of {whole}"


def read_all(model: Model, output: int) -> Iterable[Got]:
    while True:
        got = model.pull(output)
        yield got
        if isinstance(got, End):
            return


def run_programs(
    count: int, *, seed: int = 0, kinds: Iterable[str] = KINDS, careful: bool | None = None, steps: int = 40
) -> Report:
    """Run ``count`` programs, spread over the kinds; the same ones for the same seed.

    careful: None for half of them.

    Raises AssertionError: naming the program and its steps.
    """
    report = Report()
    names = list(kinds)

    async def run() -> None:
        for number in range(count):
            kind = names[number % len(names)]
            turn = number // len(names) % 2 == 0
            program = Program(kind, seed + number, careful=turn if careful is None else careful)
            await program.run(steps)
            report.programs += 1
            report.steps += steps
            report.chunks += sum(not isinstance(got, End) for read in program.reads for got in read.got)

    asyncio.run(run())
    return report
