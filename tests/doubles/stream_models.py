"""What must come out of joins, forks and elements, said with plain lists: the measure of the random programs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.stream import Status

NORMAL = {Status.DONE, Status.TRUNCATED}


@dataclass(frozen=True)
class End:
    """An output is over."""

    status: Status


@dataclass(frozen=True)
class New:
    """An element that has bytes to read: another output."""

    key: str


Got = str | New | End | None
"""What a pull gives: a chunk, an element, the end, or nothing yet."""


@dataclass
class Feed:
    """What a writer has sent and nobody has pulled."""

    items: deque[str] = field(default_factory=deque)
    ending: Status | None = None
    is_closed: bool = False

    @property
    def is_open(self) -> bool:
        return self.ending is None and not self.is_closed

    def pull(self) -> Got:
        if self.items:
            return self.items.popleft()
        return End(self.ending) if self.ending else None


class Over(Exception):
    """A source ended in another way than normally."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


def read_one(feed: Feed) -> Iterator[str | None]:
    """What a feed gives until its end; None while there is nothing. Its last word is returned."""
    while not isinstance(got := feed.pull(), End):
        yield got
        if got is not None:
            return got
    if got.status not in NORMAL:
        raise Over(got.status)
    return None


def one_by_one(feeds: Sequence[Feed]) -> Iterator[str | None]:
    for feed in feeds:
        while (yield from read_one(feed)) is not None:
            pass


def in_turns(feeds: Sequence[Feed]) -> Iterator[str | None]:
    waiting = list(feeds)
    while waiting:
        feed = waiting.pop(0)
        if (yield from read_one(feed)) is not None:
            waiting.append(feed)


def in_sequence(feeds: Sequence[Feed]) -> Iterator[str | None]:
    for number, feed in enumerate(feeds):
        is_touched = False
        while (yield from read_one(feed)) is not None:
            is_touched = True
        if is_touched and number < len(feeds) - 1:
            yield f"end of {number}"


class Model:
    """Outputs of which each is read by one reader."""

    def settle(self) -> None:
        """Do whatever the pending reads make happen."""

    def pull(self, output: int) -> Got:
        raise AssertionError("each model has its own")

    def cancel(self, output: int) -> None:
        """A pending read was cancelled."""

    def close(self, output: int, status: Status) -> None:
        raise AssertionError("each model has its own")


class Joined(Model):
    """Several feeds, one output; ``order`` says what comes when."""

    def __init__(self, feeds: Sequence[Feed], order: Callable[[Sequence[Feed]], Iterator[str | None]]) -> None:
        self.feeds = feeds
        self.steps = order(feeds)
        self.end: End | None = None

    def pull(self, output: int) -> Got:
        if self.end is not None:
            return self.end
        try:
            return next(self.steps)
        except StopIteration:
            cut = any(feed.ending is Status.TRUNCATED for feed in self.feeds)
            return self._over(Status.TRUNCATED if cut else Status.DONE)
        except Over as over:
            return self._over(over.status)

    def _over(self, status: Status) -> End:
        if self.end is None:
            self.end = End(status)
            for feed in self.feeds:
                feed.is_closed = True
        return self.end

    def cancel(self, output: int) -> None:
        self._over(Status.INTERRUPTED)

    def close(self, output: int, status: Status) -> None:
        self._over(status)


class Direct(Model):
    """One feed, read as it is; a writer may take back what waits."""

    def __init__(self, feed: Feed) -> None:
        self.feeds = (feed,)
        self.feed = feed
        self.end: End | None = None

    def pull(self, output: int) -> Got:
        if self.end is None:
            got = self.feed.pull()
            if not isinstance(got, End):
                return got
            self.end = got
        return self.end

    def close(self, output: int, status: Status) -> None:
        self.end = self.end or End(status)
        self.feed.is_closed = True


@dataclass
class Kept:
    """What one of several outputs keeps until it is read."""

    items: deque[str | New] = field(default_factory=deque)
    end: End | None = None
    is_seen: bool = False
    is_waiting: bool = False

    @property
    def is_awaited(self) -> bool:
        return self.is_waiting and not self.items and self.end is None

    def pull(self) -> Got:
        got = self.items.popleft() if self.items else self.end
        self.is_seen = isinstance(got, End)
        self.is_waiting = got is None
        return got


class Shared(Model):
    """One feed, several outputs that keep what the others pull for them, ``limit`` chunks at most."""

    def __init__(self, feed: Feed, limit: int, outputs: int) -> None:
        self.feeds = (feed,)
        self.feed = feed
        self.limit = limit
        self.kept = [Kept() for _ in range(outputs)]
        self.is_reading = False

    def take(self, chunk: str) -> None:
        raise AssertionError("each model has its own")

    def pulling(self) -> Sequence[Kept]:
        return self.kept

    def put(self, output: int, item: str | New) -> None:
        kept = self.kept[output]
        if kept.end is None and len(kept.items) < self.limit:
            kept.items.append(item)
        elif kept.end is None:
            kept.end = End(Status.ERROR)

    def settle(self) -> None:
        while self.is_reading or any(kept.is_awaited for kept in self.pulling()):
            self.is_reading = True
            got = self.feed.pull()
            if got is None:
                return
            self.is_reading = False
            if isinstance(got, End):
                for kept in self.kept:
                    kept.end = kept.end or got
            elif isinstance(got, str):
                self.take(got)
            self.leave()

    def pull(self, output: int) -> Got:
        self.kept[output].is_waiting = True
        self.settle()
        return self.kept[output].pull()

    def cancel(self, output: int) -> None:
        self.kept[output].is_waiting = False

    def close(self, output: int, status: Status) -> None:
        kept = self.kept[output]
        if not kept.is_seen:
            kept.end, kept.is_seen = End(status), True
        kept.items.clear()
        kept.is_waiting = False
        self.leave()

    def leave(self) -> None:
        if all(kept.end for kept in self.kept):
            self.feed.is_closed = True
            self.is_reading = False


class Split(Shared):
    """Even numbers here, odd numbers there."""

    def __init__(self, feed: Feed, limit: int) -> None:
        super().__init__(feed, limit, 2)

    def take(self, chunk: str) -> None:
        self.put(int(chunk) % 2, chunk)


class Teed(Split):
    """All of it in both; the first leads while it is open."""

    def take(self, chunk: str) -> None:
        self.put(0, chunk)
        self.put(1, chunk)

    def pulling(self) -> Sequence[Kept]:
        return self.kept[:1] if self.kept[0].end is None else self.kept


class Told(Shared):
    """First the list of elements, then an output for each of three speakers who has said something."""

    def __init__(self, feed: Feed, limit: int) -> None:
        super().__init__(feed, limit, 1)
        self.speakers: dict[str, int] = {}

    def take(self, chunk: str) -> None:
        speaker = speaker_of(chunk)
        if speaker not in self.speakers:
            self.speakers[speaker] = len(self.kept)
            self.kept.append(Kept())
            self.put(0, New(speaker))
        self.put(self.speakers[speaker], chunk)

    def pull(self, output: int) -> Got:
        """Elements have no state: that a limit cut them short is not told."""
        got = super().pull(output)
        return End(Status.DONE) if got == End(Status.TRUNCATED) else got

    def close(self, output: int, status: Status) -> None:
        """The list closes everything. A writer's end stays what it was."""
        for kept in self.kept if output == 0 else [self.kept[output]]:
            kept.end = kept.end or End(Status.INTERRUPTED)
            kept.items.clear()
            kept.is_waiting = False
        self.leave()


class Through:
    """An output of one model as the feed of another."""

    def __init__(self, model: Model, output: int = 0) -> None:
        self.model = model
        self.output = output
        self.ending: Status | None = None

    def pull(self) -> Got:
        got = self.model.pull(self.output)
        if isinstance(got, End):
            self.ending = got.status
        return got

    @property
    def is_closed(self) -> bool:
        return self.ending is not None

    @is_closed.setter
    def is_closed(self, _: bool) -> None:
        self.model.close(self.output, Status.INTERRUPTED)


def speaker_of(chunk: str) -> str:
    return f"speaker {int(chunk) % 3}"
