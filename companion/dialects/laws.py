"""The examination that every dialect must pass, ours or a plugin's; its laws are those of the contract."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.dialects.answer import AnswerReader
from companion.dialects.contract import Dialect, Framing
from companion.dialects.damage import damaged
from companion.errors import InvalidAnswer, LawBroken, ModelError, Unsupported, WireBroken, one_line
from companion.model.calls import CallAssembler, CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, Finish, Finished, TextDelta, ThoughtDelta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest
from companion.stream import Blob, FuncCall, Usage

BASE_URL = "https://provider.test"
SLOWEST = 1.0
"""Seconds of the processor that one answer may take."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one reading of an answer gave, in order, and how it ended."""

    deltas: tuple[Delta, ...]
    error: ModelError | None
    unknown: int

    @property
    def told(self) -> str:
        return "an answer" if self.error is None else f"{type(self.error).__name__}: {one_line(self.error)}"


@dataclass(frozen=True, slots=True)
class Said:
    """What an answer comes to, however many deltas it came in."""

    text: str
    thoughts: tuple[str, ...]
    """Text, signature and what only the provider can read, joined for each thought."""
    calls: tuple[FuncCall, ...]
    blobs: tuple[Blob, ...]
    usage: Usage
    finished: Finished | None


def outcome_of(dialect: Dialect, pieces: Iterable[bytes]) -> Outcome:
    """Read ``pieces`` as one streamed answer.

    Raises:
        LawBroken: something else than a ModelError came out of it, or it took longer than a second.
    """
    reader = AnswerReader(dialect)
    deltas: list[Delta] = []
    error: ModelError | None = None
    began = time.thread_time()
    try:
        for piece in pieces:
            deltas += reader.feed(piece)
        deltas += reader.end()
        error = reader.failure
    except ModelError as broken:
        error = broken
    except Exception as stranger:
        raise LawBroken(f"nothing but a ModelError: {dialect.name} raised {stranger!r}") from stranger
    _demand(time.thread_time() - began < SLOWEST, f"{dialect.name} read for more than {SLOWEST:g} s")
    return Outcome(tuple(deltas), error, reader.unknown)


def said_of(deltas: Iterable[Delta]) -> Said:
    """Put deltas together.

    Raises:
        InvalidAnswer: the tool calls do not go together.
    """
    text, thoughts, blobs, usage = "", [""], [], Usage()
    calls = CallAssembler()
    finished: Finished | None = None
    for delta in deltas:
        match delta:
            case TextDelta(more):
                text += more
            case ThoughtDelta(more, signature, redacted):
                thoughts[-1] += more + signature + redacted
                thoughts += [""] if signature or redacted else []
            case CallDelta():
                calls.add(delta)
            case BlobDelta(blob):
                blobs.append(blob)
            case Counted(counted):
                usage = usage.most(counted)
            case Finished():
                finished = finished or delta
    is_cut = finished is not None and finished.why is Finish.LENGTH
    called = tuple(call.func_call for call in calls.take(is_cut=is_cut))
    return Said(text, tuple(one for one in thoughts if one), called, tuple(blobs), usage, finished)


def check_dialect(
    dialect: Dialect,
    recording: bytes,
    *,
    whole: JsonValue = None,
    request: ChatRequest | None = None,
    uncarried: Sequence[ChatRequest] = (),
    mutations: int = 100,
    seed: int = 0,
) -> None:
    """Examine ``dialect``.

    recording: of a streamed answer that succeeds, its lines ended by LF.
    whole: the same answer as it comes in one piece; None to leave that out.
    request: one it can carry. uncarried: some that it cannot.
    mutations: how many damaged answers it reads; ``seed``: which ones.

    Raises:
        LawBroken: naming the law.
    """
    Recording(dialect, recording).check(mutations=mutations, seed=seed)
    if whole is not None:
        _same_in_one_piece(dialect, recording, whole)
    if request is not None:
        _encodes_alike(dialect, request)
    for one in uncarried:
        _refuses(dialect, one)


class Recording:
    """One streamed answer, read in every way that must come to the same, or to an error."""

    def __init__(self, dialect: Dialect, data: bytes) -> None:
        self.dialect = dialect
        self.data = data
        self.separator = b"\n\n" if dialect.framing is Framing.SSE else b"\n"
        self.events = [event + self.separator for event in data.split(self.separator) if event.strip()]
        self.outcome = outcome_of(dialect, [data])
        _demand(self.outcome.error is None, f"the recording must succeed, but gave {self.outcome.told}")
        self.said = said_of(self.outcome.deltas)
        is_answer = any(_contents(self.outcome.deltas)) or (self.said.finished and self.said.finished.refusal)
        _demand(bool(is_answer), "nothing is read of the recording but that it ends")

    def check(self, *, mutations: int, seed: int) -> None:
        """All of the following, and so many damaged answers.

        Raises:
            LawBroken: naming the law.
        """
        self.check_cuts(range(1, 18))
        self.check_endings()
        self.check_pace()
        self.check_stranger()
        self.check_malformed()
        self.check_mutations(mutations, seed)

    def check_cuts(self, sizes: Iterable[int]) -> None:
        """Cut into pieces of so many bytes, it is the same."""
        for size in sizes:
            pieces = (self.data[at : at + size] for at in range(0, len(self.data), size))
            self.same(pieces, f"in pieces of {size} bytes")

    def check_endings(self) -> None:
        """Ended before its finish signal it is an error, behind what came before."""
        reader, came = AnswerReader(self.dialect), list[Delta]()
        for count in range(self.finishing()):
            outcome = outcome_of(self.dialect, [b"".join(self.events[:count])])
            _demand(isinstance(outcome.error, WireBroken), f"it ends after {count} events, and gives {outcome.told}")
            is_all = outcome.deltas == tuple(came)
            _demand(is_all, f"it ends after {count} events, and not all that came before is given")
            came += reader.feed(self.events[count])

    def check_pace(self) -> None:
        """What is said comes as it is said: nothing waits for the finish signal but what the signal itself says."""
        at = self.finishing()
        before, last = (outcome_of(self.dialect, part).deltas for part in (self.events[:at], self.events[at:]))
        for whole, begun, ended in zip(*map(_contents, (self.outcome.deltas, before, last)), strict=True):
            _demand(whole in (begun + ended, ended), "what is said is held back until the finish signal")

    def check_stranger(self) -> None:
        """An unknown event is counted, and everything else is the same."""
        body = '{"type": "of_tomorrow", "event_type": "of.tomorrow", "of_tomorrow": 1}'
        stranger = f"event: of_tomorrow\ndata: {body}" if self.dialect.framing is Framing.SSE else body
        for at in range(self.finishing() + 1):
            outcome = outcome_of(
                self.dialect, [*self.events[:at], stranger.encode() + self.separator, *self.events[at:]]
            )
            _demand(outcome.error is None, f"an unknown event gives {outcome.told}")
            _demand(outcome.unknown == self.outcome.unknown + 1, "an unknown event is not counted")
            _demand(said_of(outcome.deltas) == self.said, "an unknown event changes the answer")

    def check_malformed(self) -> None:
        """An event that is no JSON is an error, behind what came before."""
        for at, event in enumerate(self.events[: self.finishing()]):
            broken = event[: len(event.rstrip()) * 2 // 3] + self.separator
            outcome = outcome_of(self.dialect, [*self.events[:at], broken, *self.events[at + 1 :]])
            _demand(
                isinstance(outcome.error, ModelError) or not event.endswith(b"}" + self.separator),
                f"event {at} is cut in the middle, and gives {outcome.told}",
            )

    def check_mutations(self, count: int, seed: int) -> None:
        """Damaged at random, it is an answer that finishes, or an error, and soon."""
        dice = random.Random(seed)  # noqa: S311 - nobody shall guess, everybody shall repeat it
        for number in range(count):
            answer = damaged(self.data, dice)
            try:
                outcome = outcome_of(self.dialect, [answer])
                is_whole = outcome.error is not None or said_of(outcome.deltas).finished is not None
                _demand(is_whole, "it ends without a finish signal and without an error")
            except InvalidAnswer:
                continue
            except LawBroken as broken:
                raise LawBroken(f"{broken} (damage {number} of seed {seed}: {answer[:400]!r})") from broken

    def same(self, pieces: Iterable[bytes], how: str) -> None:
        """Demand that ``pieces`` come to the same deltas."""
        outcome = outcome_of(self.dialect, pieces)
        _demand(outcome.error is None, f"{how}, the answer gives {outcome.told}")
        _demand(outcome.deltas == self.outcome.deltas, f"{how}, the answer is another")

    def finishing(self) -> int:
        """The place of the event that is the finish signal."""
        reader = AnswerReader(self.dialect)
        for at, event in enumerate(self.events):
            reader.feed(event)
            if reader.is_finished:
                return at
        return len(self.events)


def _contents(deltas: Iterable[Delta]) -> tuple[str, str, str, str]:
    """The words, the thoughts, the calls, and the pictures and sounds, each put together."""
    words = thoughts = calls = blobs = ""
    for delta in deltas:
        match delta:
            case TextDelta(more):
                words += more
            case ThoughtDelta(more, signature, redacted):
                thoughts += more + signature + redacted
            case CallDelta():
                calls += delta.name + delta.arguments
            case BlobDelta(blob):
                blobs += blob.data.hex()
    return words, thoughts, calls, blobs


def _same_in_one_piece(dialect: Dialect, recording: bytes, whole: JsonValue) -> None:
    deltas = dialect.read(whole)
    _demand(bool(deltas) and isinstance(deltas[-1], Finished), "the finish signal of a whole answer comes last")
    streamed, read = said_of(outcome_of(dialect, [recording]).deltas), said_of(deltas)
    _demand(streamed == read, f"the answer in one piece is another: {read} for {streamed}")


def _encodes_alike(dialect: Dialect, request: ChatRequest) -> None:
    first, again = dialect.encode(request, BASE_URL), dialect.encode(request, BASE_URL)
    _demand(first == again, "the same request is encoded in two ways")
    try:
        json.dumps(first.body, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise LawBroken(f"the body of a request is no JSON: {error}") from error


def _refuses(dialect: Dialect, request: ChatRequest) -> None:
    try:
        dialect.encode(request, BASE_URL)
    except Unsupported as refused:
        _demand(bool(refused.mend), f"a refusal does not say what would be carried: {refused}")
        return
    raise LawBroken(f"{dialect.name} cannot carry a part of a request, and leaves it out")


def _demand(holds: bool, law: str) -> None:
    if not holds:
        raise LawBroken(law)
