"""How long the matcher without a model takes: 500 rules, 1,000 utterances.

``python tests/bench/match_speed.py`` prints a table, with ``--json`` the same for a script; ``--quick`` shows that it
works. Three books of 500 rules:

* household: what a person would write; a third of the utterances is understood, a third is nearly, a third is talk
* alike: every rule shares all of its words with all others, and every utterance has them, in another order
* open: every rule begins with an open variable, so that its first word says nothing

Every call counts, none is left out; the utterances take turns, so that what else the machine does falls on all alike.
Compiling is told apart: it happens once.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles

from companion.insight.match import Matcher

RULES = 500
UTTERANCES = 1_000
ROUNDS = 5

VERBS = (
    "turn on, turn off, dim, brighten, open, close, lock, unlock, start, stop, check, clean, fill, empty, heat".split(
        ", "
    )
)
THINGS = (
    "lamp, ceiling light, fan, heater, oven, kettle, radio, television, blind, curtain, window, door, garage, gate, "
    "pump, sprinkler, camera, alarm, printer, router, speaker, projector, fridge, freezer, washer, dryer, vacuum, "
    "mirror, bath, shower, aquarium, feeder, fountain, hood"
).split(", ")
ROOMS = "kitchen, hall, living room, bedroom, bathroom, study, cellar, attic, garden, nursery".split(", ")
TALK = (
    "i think we should visit my sister in the spring because the garden is lovely then and she likes to have us, "
    "what do you know about the history of the lamp and the people who made it, tell me something nice, "
    "how do bees find their way home in the evening when the light is low"
).split(" ")


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds as they pass for a call; seconds of the processor for compiling."""

    rules: int
    utterances: int
    understood: float
    median_ms: float
    p95_ms: float
    most_ms: float
    compile_s: float


@dataclass(frozen=True, slots=True)
class Book:
    """rules: as JSON has them. utterances: what is said."""

    rules: list[dict[str, object]]
    utterances: list[str]


def household(count: int, said: int) -> Book:
    """Orders to a house: optional words, alternatives, closed and open variables, numbers."""
    dice = random.Random(1)
    pairs = [(verb, thing) for verb in VERBS for thing in THINGS][:count]
    rules = [_order(verb, thing) for verb, thing in pairs]
    return Book(rules, [_utterance(dice, *dice.choice(pairs)) for _ in range(said)])


def _order(verb: str, thing: str) -> dict[str, object]:
    rooms = "|".join(ROOMS)
    return {
        "name": f"{verb} {thing}",
        "vars": {
            "room": {"label": "which room", "words": f"({rooms})"},
            "level": {"label": "how much", "type": "int"},
            "when": {"label": "when"},
        },
        "patterns": [
            f"(please|) {verb} (the|my|) {thing} (in the [room]|)",
            f"{verb} (the|my|) {thing} to [level] (percent|degrees|)",
            f"(can|could) you {verb} the [room] {thing} (at|in|after) [when]",
        ],
    }


def _utterance(dice: random.Random, verb: str, thing: str) -> str:
    room, level = dice.choice(ROOMS), dice.randint(1, 100)
    understood = [
        f"Please {verb} the {thing} in the {room}.",
        f"{verb} my {thing} to {level} percent",
        f"Could you {verb} the {room} {thing} after the news tonight?",
    ]
    nearly = [f"{verb} the {thing} of my neighbour", f"{thing} {verb} the", f"Could you {verb} {room} and {thing}?"]
    talk = " ".join(dice.choices(TALK, k=dice.randint(3, 20)))
    return dice.choice([dice.choice(understood), dice.choice(nearly), talk])


def alike(count: int, said: int) -> Book:
    """The same words in every rule and every utterance."""
    dice = random.Random(2)
    words = "turn on the light in that room now please".split()
    orders = sorted({" ".join(dice.sample(words, len(words))) for _ in range(count * 2)})
    known, others = orders[:count], orders[count:]
    rules: list[dict[str, object]] = [{"name": order, "patterns": [order]} for order in known]
    return Book(rules, [dice.choice(dice.choice((known, others))) for _ in range(said)])


def open_ended(count: int, said: int) -> Book:
    """An open variable first."""
    dice = random.Random(3)
    pairs = [(verb, thing) for verb in VERBS for thing in THINGS][:count]
    rules: list[dict[str, object]] = [
        {"name": f"{verb} {thing}", "vars": {"a": {}, "b": {}}, "patterns": [f"[a] {verb} the {thing} [b]"]}
        for verb, thing in pairs
    ]
    return Book(rules, [f"my dear {_utterance(dice, *dice.choice(pairs))} soon" for _ in range(said)])


BOOKS: dict[str, Callable[[int, int], Book]] = {"household": household, "alike": alike, "open": open_ended}


def measure(book: Book, *, rounds: int = ROUNDS) -> Speed:
    """Compile a book and match its utterances so many times."""
    text = json.dumps(book.rules)
    began = time.process_time()
    matcher = Matcher.parse(text, file="rules.json")
    compiling = time.process_time() - began
    seconds, understood = _timed(matcher, book.utterances * rounds)
    return Speed(
        rules=len(matcher.rules),
        utterances=len(book.utterances),
        understood=understood / len(seconds),
        median_ms=median(seconds) * 1000,
        p95_ms=quantiles(seconds, n=20)[-1] * 1000,
        most_ms=max(seconds) * 1000,
        compile_s=compiling,
    )


def _timed(matcher: Matcher, utterances: Sequence[str]) -> tuple[list[float], int]:
    """Seconds of each call, and how many were understood."""
    seconds: list[float] = []
    understood = 0
    gc.collect()
    for utterance in utterances:
        began = time.perf_counter()
        match = matcher.match(utterance)
        seconds.append(time.perf_counter() - began)
        understood += match is not None
    return seconds, understood


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="once, with fewer utterances")
    chosen = parser.parse_args()
    said, rounds = (100, 1) if chosen.quick else (UTTERANCES, ROUNDS)
    speeds = {name: measure(book(RULES, said), rounds=rounds) for name, book in BOOKS.items()}
    if chosen.json:
        print(json.dumps({name: asdict(speed) for name, speed in speeds.items()}, indent=2))
        return
    for name, speed in speeds.items():
        print(
            f"{name:10} {speed.rules} rules, {speed.utterances} utterances, {speed.understood:.0%} understood: "
            f"median {speed.median_ms:.3f} ms, p95 {speed.p95_ms:.3f} ms, most {speed.most_ms:.2f} ms; "
            f"compiled in {speed.compile_s:.2f} s"
        )


if __name__ == "__main__":
    main()
