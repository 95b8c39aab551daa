"""Scenes of the memory page: a household, somebody's card, the list, the past, thousands, nothing, and faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from PySide6.QtCore import QDate
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from companion.memory.graph.kinds import kind_of
from companion.memory.places import lay_out
from companion.ui.pages.memory.fact import facts_of
from companion.ui.pages.memory.page import MemoryPage
from companion.ui.scenes.scene import SMALL_SIZE, Answers, page_scene
from companion.ui.state import Fault
from companion.ui.window import Window

_BEGAN = datetime(2026, 3, 3, 18, tzinfo=UTC)
_NODES = ("id", "name", "kind", "mentions", "x", "y", "label")
_TIES = ("id", "source", "target", "relation", "confidence", "said_at", "valid_from", "valid_until", "pinned")

# subject, relation, object, its sentence, the day it was said after the first, and the day it ended
_TOLD: tuple[tuple[str, str, str, str, int, int | None], ...] = (
    ("user", "is_parent_of", "Emma", "You are a parent of Emma.", 0, None),
    ("user", "is_parent_of", "Paul", "You are a parent of Paul.", 0, None),
    ("user", "is_partner_of", "Lena", "You are the partner of Lena.", 0, None),
    ("user", "lives_in", "Freiburg", "You live in Freiburg.", 2, None),
    ("user", "likes", "Earl Grey", "You like Earl Grey.", 4, None),
    ("user", "plays", "cello", "You play cello.", 20, None),
    ("user", "dentist", "Dr Weber", "Your dentist is Dr Weber.", 33, None),
    ("user", "has_pet", "Miso", "You have a pet, Miso.", 1, None),
    ("Miso", "is_a", "cat", "Miso is a cat.", 1, None),
    ("Miso", "eats", "salmon", "Miso eats salmon.", 60, None),
    ("Emma", "lives_in", "Rome", "Emma lives in Rome.", 3, 150),
    ("Emma", "lives_in", "Lyon", "Emma lives in Lyon.", 150, None),
    ("Emma", "studies", "medicine", "Emma studies medicine.", 3, None),
    ("Emma", "born_on", "--05-09", "Emma was born on May 9.", 5, None),
    ("Emma", "is_allergic_to", "peanuts", "Emma is allergic to peanuts.", 61, None),
    ("Emma", "is_friend_of", "Noor", "Emma is a friend of Noor.", 90, None),
    ("Paul", "works_as", "carpenter", "Paul works as carpenter.", 12, None),
    ("Paul", "lives_in", "Freiburg", "Paul lives in Freiburg.", 12, None),
    ("Paul", "has_appointment", "8 December", "Paul has this to go to: 8 December.", 240, None),
    ("Lena", "works_at", "the library", "Lena works at the library.", 15, None),
    ("Lena", "likes", "hiking", "Lena likes hiking.", 15, None),
    ("Lena", "is_sibling_of", "Tomas", "Lena is a brother or sister of Tomas.", 70, None),
    ("Tomas", "lives_in", "Prague", "Tomas lives in Prague.", 70, None),
    ("the spare key", "is_kept_in", "the blue vase", "The spare key is kept in the blue vase.", 200, None),
    ("Noor", "speaks", "Arabic", "Noor speaks Arabic.", 91, None),
)


SETTLE_MS = 20_000


def _at(day: int) -> datetime:
    return _BEGAN + timedelta(days=day)


def _fact(number: int) -> dict[str, Any]:
    subject, relation, thing, sentence, day, ended = _TOLD[number - 1]
    return {
        "id": number,
        "subject": subject,
        "relation": relation,
        "object": thing,
        "sentence": sentence,
        "text": sentence,
        "said_by": "user",
        "session": "edit" if relation == "is_allergic_to" else "default",
        "at": _at(day).isoformat(),
        "valid_until": _at(ended).isoformat() if ended else None,
        "confidence": 0.4 if relation == "studies" else 1.0,
        "status": "superseded" if ended else "active",
        "pinned": relation == "is_allergic_to",
    }


FACTS = [_fact(number) for number in range(1, len(_TOLD) + 1)]


def picture(told: Sequence[tuple[str, str, str, str, int, int | None]], total: int = 0) -> dict[str, Any]:
    """What the desk would answer."""
    names = list(dict.fromkeys(name for one in told for name in (one[0], one[2])))
    number = {name: place for place, name in enumerate(names)}
    ends = np.array([(number[one[0]], number[one[2]]) for one in told], dtype=np.intp)
    places = lay_out(len(names), ends).round().tolist()
    nodes = []
    for place, name in enumerate(names):
        kind = kind_of("", [one[1] for one in told if one[2] == name] if total == 0 else (), name=name)
        label = "May 9" if name == "--05-09" else name
        mentions = int((ends == place).sum())
        nodes.append([place + 1, name, kind.value, mentions, *places[place], label])
    ties = []
    for place, (subject, relation, thing, _, day, ended) in enumerate(told, start=1):
        until = round(_at(ended).timestamp() * 1000) if ended else None
        said = round(_at(day).timestamp() * 1000)
        ties.append([place, number[subject] + 1, number[thing] + 1, relation, 1.0, said, None, until, False])
    return {
        "centre": 1,
        "total": total or len(names),
        "nodes": {"columns": _NODES, "rows": nodes},
        "ties": {"columns": _TIES, "rows": ties},
    }


def _card(name: str, aliases: Sequence[str] = ()) -> dict[str, Any]:
    facts = [fact for fact in FACTS if name in (fact["subject"], fact["object"])]
    facts.sort(key=lambda fact: (fact["status"] != "active", fact["at"]))
    return {"name": name, "label": name, "aliases": list(aliases), "facts": facts}


def _months() -> list[dict[str, object]]:
    counts: dict[str, int] = {}
    for fact in FACTS:
        counts[fact["at"][:7]] = counts.get(fact["at"][:7], 0) + 1
    return [{"month": month, "facts": count} for month, count in sorted(counts.items())]


ANSWERS: dict[str, Mapping[str, object] | Fault] = {
    "graph.look": picture(_TOLD),
    "graph.card": _card("Emma", ["my daughter", "Em"]),
    "graph.months": {"months": _months()},
    "graph.list": {"facts": FACTS[::-1], "total": len(FACTS), "offset": 0},
    "graph.alike": {"pairs": [{"source": "Tom", "target": "Tomas"}]},
    "graph.relations": {"relations": [{"name": "lives_in", "words": "lives in"}, {"name": "likes", "words": "likes"}]},
    "graph.merges": {"merges": [{"id": 1, "source": "Em", "target": "Emma"}]},
    "graph.names": {"names": ["Emma"]},
    "graph.forget": {"id": 1, "facts": 1, "seconds": 10},
    "memory.show": {"facts": len(FACTS), "entities": 27, "ended": 1, "problems": []},
    "memory.backup": {"file": "memory-20261130T140000000000Z.db"},
}
EMPTY: Answers = {"graph.look": {"total": 0}, "memory.show": {"facts": 0, "entities": 0, "problems": []}}
OFF: Answers = {"graph.look": Fault("memory is turned off", "Turn it on in the settings: memory.keep")}
DISK_FULL: Answers = {
    **ANSWERS,
    "memory.show": {**ANSWERS["memory.show"], "problems": ["memory.db could not be written: the disk is full."]},  # type: ignore[dict-item]
    "graph.pin": Fault("memory.db could not be written: the disk is full", "Free some space"),
}


def many(count: int) -> dict[str, Any]:
    """A picture of thousands."""
    chance = np.random.default_rng(2)
    parents = (np.arange(1, count) * chance.beta(1, 4, count - 1)).astype(int)
    told = [
        (f"Somebody {parent}", "knows", f"Somebody {place}", "", 0, None) for place, parent in enumerate(parents, 1)
    ]
    return picture(told, total=count + 812)


def memory_page(widget: QWidget) -> MemoryPage:
    """The page in a window that is at it."""
    assert isinstance(widget, Window)
    assert isinstance(widget.page, MemoryPage)
    return widget.page


def _then(does: Callable[[MemoryPage], object]) -> Callable[[Window], object]:
    return lambda window: does(memory_page(window))


def _choose(page: MemoryPage) -> None:
    page.choose("Emma")


def _settle(page: MemoryPage) -> None:
    for _ in range(SETTLE_MS // 20):
        if page.stage.view.picture.dots and page.stage.view.is_settled:
            return
        QTest.qWait(20)


def _correct(page: MemoryPage) -> None:
    page.choose("Emma")
    page.card.edit(facts_of(ANSWERS["graph.card"])[1])  # type: ignore[arg-type]


def _go_back(page: MemoryPage) -> None:
    page.choose("Emma")
    page.stage.strip.go_to(QDate(2026, 7, 1))


SCENES = (
    page_scene("memory", "full", answers=ANSWERS),
    page_scene("memory", "chosen", answers=ANSWERS, then=_then(_choose)),
    page_scene("memory", "past", answers=ANSWERS, then=_then(_go_back)),
    page_scene("memory", "correcting", answers=ANSWERS, then=_then(_correct)),
    page_scene(
        "memory",
        "forgotten",
        answers=ANSWERS,
        then=_then(lambda page: page.changing.forget(facts_of({"facts": FACTS})[8])),
    ),
    page_scene("memory", "around", answers=ANSWERS, then=_then(lambda page: page.go_to("Emma"))),
    page_scene("memory", "list", answers=ANSWERS, then=_then(lambda page: page.toolbar.list.setChecked(True))),
    page_scene("memory", "narrow", answers=ANSWERS, size=SMALL_SIZE, then=_then(_choose)),
    page_scene("memory", "many", answers={**ANSWERS, "graph.look": many(2_000)}, then=_then(_settle)),
    page_scene("memory", "empty", answers=EMPTY),
    page_scene("memory", "off", answers=OFF),
    page_scene("memory", "disk-full", answers=DISK_FULL),
)
