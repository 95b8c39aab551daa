"""The desk of the memory page: the graph as a picture and as a list, and changes by hand that can be taken back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from companion.app.desks.arranging import Arranging
from companion.app.minding.desks import Given, Row
from companion.app.minding.farewells import Farewells
from companion.app.minding.memory_desk import row_of
from companion.app.minding.memory_room import MemoryRoom, OpenMemory
from companion.errors import BadInput, MemoryFault
from companion.talents.memory_phrases import USER, facts_in_words, name_in_words, relation_in_words

if TYPE_CHECKING:
    from companion.memory.facts import Criteria, Fact, Triple
    from companion.memory.graph.edit import Correction

FEW = 300
"""Nodes of a picture, unless more are asked for."""
MOST_FACTS = 200
"""Of a card."""
MOST_PAIRS, LOOKED_AT = 10, 4
"""Pairs that may be the same; and so many times as many are looked at."""
_ROLE = re.compile(r"^(?:my|our) |['’]s |^我", re.IGNORECASE)
"""Names such as "my mother" and "Tom's wife", which are like others as words and mean somebody else."""
MOST_CORRECTIONS = 50
"""That can be taken back."""
UNDO_SECONDS = 10
"""For which taking back is offered."""

Action = Callable[["GraphDesk", OpenMemory, Given], Awaitable[Row]]


class GraphDesk:
    """Implements ``Desk``. room, farewells: None where memory is turned off."""

    def __init__(self, room: MemoryRoom | None, farewells: Farewells | None) -> None:
        self._room = room
        self._farewells = farewells
        self._arranging = Arranging()
        self._corrections: dict[int, Correction] = {}
        """By the fact that was corrected."""
        self._looking = asyncio.Lock()

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(self._actions)

    async def perform(self, action: str, given: Given) -> Row:
        if self._room is None or self._farewells is None:
            raise MemoryFault("memory is turned off", mend="Turn it on in the settings: memory.keep.")
        return await self._actions[action](self, await self._room.opened(), given)

    # -- looking

    async def _look(self, opened: OpenMemory, given: Given) -> Row:
        """``about`` (empty: whoever is mentioned most), ``limit``, ``language``: the picture, with places."""
        from companion.memory.graph.sight import look

        name, most = given.text("about", ""), given.number("limit", FEW)
        sight = await opened.store.read(lambda db: look(db, name, most))
        async with self._looking:
            return await self._arranging.arranged(sight, given.text("language", "en"))

    async def _place(self, opened: OpenMemory, given: Given) -> Row:
        """``id``, ``x``, ``y``: where somebody was put by hand."""
        self._arranging.put(given.number("id", 0), given.number("x", 0), given.number("y", 0))
        return {}

    async def _names(self, opened: OpenMemory, given: Given) -> Row:
        """``typed``: the names that begin so."""
        from companion.memory.graph.sight import names_beginning

        typed, most = given.text("typed", ""), given.number("limit", 10)
        return {"names": await opened.store.read(lambda db: names_beginning(db, typed, most))}

    async def _card(self, opened: OpenMemory, given: Given) -> Row:
        """``name``, ``language``: what is known of somebody, what holds first."""
        name, language = given.text("name"), given.text("language", "en")
        entity = await opened.graph.entity(name)
        if entity is None:
            raise MemoryFault("nothing is known under that name any more", mend="Look at the whole picture.")
        facts = await opened.graph.about(name, limit=MOST_FACTS, ended=True)
        held = sorted(facts, key=lambda fact: fact.status.value != "active")
        return {
            "id": entity.id,
            "name": entity.name,
            "type": entity.type,
            "mentions": entity.mentions,
            "aliases": list(entity.aliases),
            "label": name_in_words(entity.name, language),
            "facts": [_row(fact, language) for fact in held],
        }

    async def _list(self, opened: OpenMemory, given: Given) -> Row:
        """``typed``, ``offset``, ``limit``, ``ended``, ``language``: the same as a list."""
        from companion.memory.graph.sight import listed

        typed, offset, limit = given.text("typed", ""), given.number("offset", 0), given.number("limit", 100)
        ended, language = given.truth("ended"), given.text("language", "en")
        facts, total = await opened.store.read(lambda db: listed(db, typed, offset=offset, limit=limit, ended=ended))
        return {"facts": [_row(fact, language) for fact in facts], "total": total, "offset": offset}

    async def _months(self, opened: OpenMemory, given: Given) -> Row:
        from companion.memory.graph.sight import months

        found = await opened.store.read(months)
        return {"months": [one._asdict() for one in found]}

    async def _relations(self, opened: OpenMemory, given: Given) -> Row:
        """The relations there are words for, in ``language``."""
        from companion.memory.predicates import PREDICATES

        language = given.text("language", "en")
        return {"relations": [{"name": one, "words": relation_in_words(one, language)} for one in PREDICATES]}

    # -- changing

    async def _correct(self, opened: OpenMemory, given: Given) -> Row:
        """``id``, ``subject``, ``relation``, ``object``: what is right instead."""
        correction = await opened.graph.correct(given.number("id", 0), _triple(given), said_by=USER)
        self._corrections[correction.fact.id] = correction
        while len(self._corrections) > MOST_CORRECTIONS:
            self._corrections.pop(next(iter(self._corrections)))
        return {"fact": row_of(correction.fact), "seconds": UNDO_SECONDS}

    async def _uncorrect(self, opened: OpenMemory, given: Given) -> Row:
        """``id`` of what took its place."""
        number = given.number("id", 0)
        correction = self._corrections.get(number)
        if correction is None:
            raise MemoryFault("this cannot be taken back any more", mend="Correct it by hand.")
        fact = await opened.graph.take_back(correction)
        self._corrections.pop(number, None)
        return {"fact": row_of(fact)}

    async def _pin(self, opened: OpenMemory, given: Given) -> Row:
        """``id``, ``on``."""
        return {"fact": row_of(await opened.graph.pin(given.number("id", 0), pinned=given.truth("on")))}

    async def _rename(self, opened: OpenMemory, given: Given) -> Row:
        """``name``, ``fresh``."""
        entity = await opened.graph.rename(given.text("name"), given.text("fresh"))
        return {"id": entity.id, "name": entity.name, "aliases": list(entity.aliases)}

    async def _merge(self, opened: OpenMemory, given: Given) -> Row:
        """``source`` goes up in ``target``."""
        done = await opened.graph.merge(given.text("source"), given.text("target"))
        row: Row = {"id": done.id, "source": done.source, "target": done.target, "moved": done.redirected}
        return row | {"seconds": UNDO_SECONDS}

    async def _unmerge(self, opened: OpenMemory, given: Given) -> Row:
        """``id`` of the merge."""
        done = await opened.graph.undo(given.number("id", 0))
        return {"source": done.source, "target": done.target}

    async def _merges(self, opened: OpenMemory, given: Given) -> Row:
        """The newest merges that can be undone."""
        found = await opened.graph.merges()
        return {"merges": [{"id": number, "source": source, "target": target} for number, source, target in found]}

    async def _alike(self, opened: OpenMemory, given: Given) -> Row:
        """Pairs that may be the same."""
        most = max(1, min(given.number("limit", 3), MOST_PAIRS))
        found = [(one.source.name, one.target.name) for one in await opened.graph.candidates(LOOKED_AT * most)]
        pairs = [pair for pair in found if not any(_ROLE.search(name) for name in pair)]
        return {"pairs": [{"source": source, "target": target} for source, target in pairs[:most]]}

    async def _different(self, opened: OpenMemory, given: Given) -> Row:
        """``one`` and ``other`` are not the same."""
        from companion.memory.graph import Verdict

        await opened.graph.answer(given.text("one"), given.text("other"), Verdict.DIFFERENT)
        return {}

    async def _forget(self, opened: OpenMemory, given: Given) -> Row:
        """``ids`` of facts, or all ``about`` somebody: counts no more, and is gone for good in a moment."""
        assert self._farewells is not None
        farewell = await self._farewells.set_aside(_criteria(given))
        return {"id": farewell.id, "facts": len(farewell.facts), "seconds": UNDO_SECONDS}

    async def _put_back(self, opened: OpenMemory, given: Given) -> Row:
        """``id`` of what was forgotten a moment ago."""
        assert self._farewells is not None
        return {"facts": await self._farewells.put_back(given.number("id", 0))}

    _actions: dict[str, Action] = {  # noqa: RUF012 - never changed
        "look": _look,
        "place": _place,
        "names": _names,
        "card": _card,
        "list": _list,
        "months": _months,
        "relations": _relations,
        "correct": _correct,
        "uncorrect": _uncorrect,
        "pin": _pin,
        "rename": _rename,
        "merge": _merge,
        "unmerge": _unmerge,
        "merges": _merges,
        "alike": _alike,
        "different": _different,
        "forget": _forget,
        "put_back": _put_back,
    }


def _row(fact: Fact, language: str) -> Row:
    """A fact with its sentence, and where it is from."""
    return row_of(fact) | {"sentence": facts_in_words([fact], language), "session": fact.session, "turn": fact.turn}


def _triple(given: Given) -> Triple:
    from companion.memory.facts import Triple

    return Triple(given.text("subject"), given.text("relation"), given.text("object"))


def _criteria(given: Given) -> Criteria:
    from companion.memory.facts import Criteria

    about = given.text("about", "").strip()
    ids = given.numbers("ids")
    if bool(about) == bool(ids):
        raise BadInput("name either facts by number, or whom it is about", mend="Choose it in the picture.")
    return Criteria(entity=about) if about else Criteria(ids=ids)
