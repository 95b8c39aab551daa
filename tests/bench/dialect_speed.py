"""How fast streamed answers are read: each dialect, and the official SDK's own parser on the same bytes.

``python tests/bench/dialect_speed.py`` prints a table, with ``--json`` the same for a script; ``--quick`` shows that it
works. Nothing touches the network: both sides read from an httpx transport in memory, in pieces of 4 KiB.

Processor time is the best of several rounds, which take turns, so that what else the machine does falls on all alike.
``--mutations 10000`` reads so many damaged answers of each dialect instead, one law for all: an answer that finishes,
or an error, within a second.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from long_answers import LONG, words
from sdk_readers import PIECE, SDKS, Read, pieces, transport

from companion.dialects import AnswerReader, Dialect, choose_dialect, dialects
from companion.dialects.laws import Recording
from companion.model.deltas import Delta, TextDelta

TOP = Path(__file__).resolve().parents[2]
EVENTS = 3000
SLOW = {"google-interactions": 10}
"""Whose SDK reads so many times fewer events, for it takes a second for some hundred."""
OPEN = 200
"""Streams that are open at once."""
FIRSTS = 300


@dataclass(frozen=True, slots=True)
class Speed:
    """events_s, mb_s: a second of processor time, of bytes in memory. over_http, sdk: microseconds an event.

    times: the SDK's time is so many times ours over httpx. times_alone: ours from memory; what the SDK's httpx takes
        cannot be told apart. first_us: microseconds from the bytes of the first words to the words, median.
    open_kb: KiB of one open stream. sdk and times are 0 where there is nothing to compare with.
    """

    events_s: float
    mb_s: float
    over_http: float
    sdk: float
    times: float
    times_alone: float
    first_us: float
    open_kb: float


@dataclass(frozen=True, slots=True)
class Found:
    """import_s: seconds of processor time until ``companion.model`` and ``companion.dialects`` are there."""

    events: int
    speeds: dict[str, Speed] = field(default_factory=dict)
    import_s: float = 0.0
    not_measured: dict[str, str] = field(default_factory=dict)


def read(dialect: Dialect, answer: Iterable[bytes]) -> str:
    """The text of an answer; its pieces are let go as they come, as by the SDKs."""
    reader = AnswerReader(dialect)
    said: list[str] = []
    for piece in answer:
        said += _text(reader.feed(piece))
    return "".join(said + _text(reader.end()))


def _text(deltas: list[Delta]) -> list[str]:
    return [delta.text for delta in deltas if type(delta) is TextDelta]


def over_http(dialect: Dialect, data: bytes) -> Read:
    """A reader of an answer that comes by httpx, as the SDKs have it."""
    import httpx

    client = httpx.Client(transport=transport(httpx, data))

    def through() -> str:
        with client.stream("POST", "https://provider.test") as response:
            return read(dialect, response.iter_bytes())

    return through


def fastest(readers: dict[str, Callable[[], str]], text: str, rounds: int) -> dict[str, float]:
    """Seconds of processor time of each; all have to read the same text."""
    best = dict.fromkeys(readers, float("inf"))
    for _ in range(rounds):
        for name, reader in readers.items():
            gc.collect()
            began = time.process_time()
            found = reader()
            best[name] = min(best[name], time.process_time() - began)
            assert found.strip() == text.strip(), f"{name} did not read all"
    return best


def measure(name: str, events: int, rounds: int, found: Found) -> Speed:
    dialect = choose_dialect(name)
    said = words(events)
    data, text = LONG[name](said), "".join(said)
    ours = fastest({"memory": lambda: read(dialect, pieces(data)), "http": over_http(dialect, data)}, text, rounds)
    sdk = sdk_seconds(name, said[: max(events // SLOW.get(name, 1), 20)], rounds, found)
    over = ours["http"] / events
    return Speed(
        events_s=events / ours["memory"],
        mb_s=len(data) / ours["memory"] / 1e6,
        over_http=1e6 * over,
        sdk=1e6 * sdk,
        times=sdk / over,
        times_alone=sdk * events / ours["memory"],
        first_us=first_words(dialect, data),
        open_kb=open_stream(dialect, data),
    )


def sdk_seconds(name: str, said: list[str], rounds: int, found: Found) -> float:
    """Seconds for an event; 0 where its SDK cannot be driven from bytes."""
    if name not in SDKS:
        found.not_measured[name] = "its SDK opens its own sockets"
        return 0.0
    reader = SDKS[name](LONG[name](said))
    reader()
    return fastest({"sdk": reader}, "".join(said), rounds)["sdk"] / len(said)


def first_words(dialect: Dialect, data: bytes) -> float:
    """Microseconds that we add between the bytes of the first words and the words."""
    size = next(size for size in range(1, len(data)) if _has_words(AnswerReader(dialect), data[:size]))
    took = []
    for _ in range(FIRSTS):
        began = time.perf_counter()
        _has_words(AnswerReader(dialect), data[:size])
        took.append(1e6 * (time.perf_counter() - began))
    return median(took)


def _has_words(reader: AnswerReader, data: bytes) -> bool:
    return any(isinstance(delta, TextDelta) for delta in reader.feed(data))


def open_stream(dialect: Dialect, data: bytes) -> float:
    """KiB that a stream takes in the middle of its answer, its last event half there."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    readers = [AnswerReader(dialect) for _ in range(OPEN)]
    for reader in readers:
        reader.feed(data[:PIECE])
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / OPEN / 1024


def import_seconds(rounds: int) -> float:
    """Seconds of the processor, the best of some new processes."""
    script = (
        "import time; began = time.process_time(); import companion.model, companion.dialects;"
        "print(time.process_time() - began)"
    )
    command = [sys.executable, "-c", script]
    return min(
        float(subprocess.run(command, cwd=TOP, check=True, capture_output=True, timeout=60).stdout)
        for _ in range(rounds)
    )


def damage(count: int, seed: int) -> None:
    """Read so many damaged answers of each dialect, spread over its recordings.

    Raises:
        LawBroken: one of them ended in silence, in a stranger's error, or took longer than a second.
    """
    for name in dialects():
        dialect = choose_dialect(name)
        place = TOP / "tests/dialects/recordings" / name
        recordings = sorted(place.glob(f"*.{dialect.framing.value}"))
        began = time.perf_counter()
        for path in recordings:
            Recording(dialect, path.read_bytes()).check_mutations(count // len(recordings) + 1, seed)
        print(f"{name:20} {count:7} damaged answers, {time.perf_counter() - began:6.1f} s")


def as_text(found: Found) -> str:
    names = f"{'events/s':>10}{'MB/s':>7}{'over http':>11}{'SDK':>9}{'times':>7}{'alone':>7}{'first':>8}{'open':>8}"
    lines = [" " * 20 + names, f"{'':37}{'us/event':>11}{'us/event':>9}{'':14}{'us':>8}{'KiB':>8}"]
    lines += [
        f"{name:20}{one.events_s:10.0f}{one.mb_s:7.1f}{one.over_http:11.2f}{one.sdk:9.2f}{one.times:7.1f}"
        f"{one.times_alone:7.1f}{one.first_us:8.1f}{one.open_kb:8.1f}"
        for name, one in found.speeds.items()
    ]
    lines += ["", f"import of companion.model and companion.dialects: {found.import_s:.3f} s of the processor"]
    lines += [f"{name}: no SDK measured, {why}" for name, why in found.not_measured.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for a script")
    parser.add_argument("--quick", action="store_true", help="a tenth of it, to see that it works")
    parser.add_argument("--mutations", type=int, default=0, metavar="COUNT", help="read damaged answers instead")
    parser.add_argument("--seed", type=int, default=4, help="which ones")
    asked = parser.parse_args()
    if asked.mutations:
        damage(asked.mutations, asked.seed)
        return
    events, rounds = (EVENTS // 10, 2) if asked.quick else (EVENTS, 5)
    measured = Found(events)
    for name in dialects():
        measured.speeds[name] = measure(name, events, rounds, measured)
    found = Found(events, measured.speeds, import_seconds(rounds), measured.not_measured)
    print(json.dumps(asdict(found), indent=2) if asked.json else as_text(found))


if __name__ == "__main__":
    main()
