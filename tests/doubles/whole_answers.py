"""Answers that come whole, damaged in every way that leaves them JSON: nothing but a ModelError may come of it."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.errors import ModelError

MUTATIONS = int(os.environ.get("COMPANION_TEST_MUTATIONS", "500"))
RECORDINGS = Path(__file__).parents[1] / "dialects" / "recordings"
_STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10**400, 1.5, 1e308, float("nan"), float("inf"), "", "x", "0", "\ud800", "=", [], {},
    [[]], [{}], [None], {"message": 3}, {"error": {}}, [True], "AAAA", "\0",
)  # fmt: skip


def recorded(*names: str) -> Any:
    """The answer of ``recordings/<names>.json``."""
    return json.loads(RECORDINGS.joinpath(*names).with_suffix(".json").read_text(encoding="utf-8"))


def check_damage(answer: Any, read: Callable[[Any], object]) -> None:
    """Read ``answer``, damaged ``MUTATIONS`` times with a value in another's place and as often in its text."""
    chance = random.Random(4)
    for damaged in (*_strange_values(answer, chance), *_strange_text(answer, chance)):
        try:
            read(damaged)
        except ModelError as error:
            if not str(error):
                raise AssertionError(f"an error without words: {damaged!r:.200}") from error
        except Exception as error:
            raise AssertionError(f"{type(error).__name__} of {damaged!r:.300}") from error


def _strange_values(answer: Any, chance: random.Random) -> Iterator[Any]:
    yield from _STRANGE
    for _ in range(MUTATIONS):
        damaged = copy.deepcopy(answer)
        for _ in range(chance.randint(1, 3)):
            places = list(_places(damaged))
            if not places:
                break
            holder, key = chance.choice(places)
            if chance.random() < 0.2:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(chance.choice(_STRANGE))
        yield damaged


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _strange_text(answer: Any, chance: random.Random) -> Iterator[Any]:
    text = json.dumps(answer)
    for _ in range(MUTATIONS):
        letters = list(text)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(letters))
            match chance.randrange(3):
                case 0:
                    letters[place] = chance.choice('0123456789-.eE"[]{},:tfn \\')
                case 1:
                    letters.insert(place, chance.choice('09-"[]{},'))
                case _:
                    del letters[place]
        try:
            yield json.loads("".join(letters))
        except ValueError:
            continue
