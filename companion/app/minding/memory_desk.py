"""The desk of ``companion memory``: shows, searches, adds, forgets, exports, brings in, backs up and draws."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.minding.desks import Given, Row
from companion.app.minding.forgetting import count_naming
from companion.app.minding.keeper import Keeper
from companion.app.minding.memory_room import MemoryRoom, OpenMemory
from companion.app.minding.source import Source
from companion.app.minding.wording import line_of, words_of
from companion.errors import BadInput, MemoryFault
from companion.settings.atomic import write_atomically
from companion.stream.threads import finish_in_thread
from companion.talents.memory_phrases import USER

if TYPE_CHECKING:
    from companion.memory.facts import Criteria, Fact

MOST_SHOWN = 500
MOST_TOLD = 20
"""Facts that are shown before they are forgotten."""
LONGEST = 2000
"""Characters of what is added."""
GRAPHML = ".graphml"
SVG = ".svg"


class MemoryDesk:
    """Implements ``Desk``. room, keeper: None where memory is turned off."""

    actions = (
        *("show", "search", "add", "matching", "forget"),
        *("export", "import", "backup", "backups", "restore", "graph"),
    )

    def __init__(self, room: MemoryRoom | None, keeper: Keeper | None, *, language: str) -> None:
        self._room = room
        self._keeper = keeper
        self._language = language

    async def perform(self, action: str, given: Given) -> Row:
        if self._room is None or self._keeper is None:
            raise MemoryFault("memory is turned off", mend="Turn it on: companion settings set memory.keep true")
        opened = await self._room.opened()
        match action:
            case "add":
                return await self._add(self._keeper, self._room, given)
            case "forget":
                return await self._forget(self._keeper, given)
            case _:
                return await self._readers[action](self, opened, given)

    async def _show(self, opened: OpenMemory, given: Given) -> Row:
        seen = await opened.graph.introspect()
        about, limit = given.text("about", ""), _limit(given)
        counted: Row = {"entities": seen.entities, "facts": seen.facts, "ended": seen.superseded}
        counted |= {"waiting": seen.waiting, "problems": list(seen.problems)}
        if about:
            found: Sequence[Fact] = await opened.graph.about(about, limit=limit, ended=given.truth("ended"))
        else:
            found = await _newest(opened, limit)
        return counted | {"shown": [row_of(fact) for fact in found]}

    async def _search(self, opened: OpenMemory, given: Given) -> Row:
        query = _filled(given.text("query"), "query")
        hits = (await opened.graph.recall(words_of(query) or [query], limit=_limit(given, 10))).facts
        return {"found": [row_of(hit.fact) | {"score": round(hit.score, 3), "reason": hit.reason} for hit in hits]}

    async def _add(self, keeper: Keeper, room: MemoryRoom, given: Given) -> Row:
        text = _filled(given.text("text"), "text")
        if len(text) > LONGEST:
            raise BadInput(f"the text is longer than {LONGEST} characters", mend="Shorten it, or keep it as knowledge.")
        told = await keeper.keep(Source(text, room.now(), self._language))
        if told.is_secret:
            raise MemoryFault("this looks like a password, a code or a card number", mend="Those are never kept.")
        return {"added": [row_of(fact) for fact in told.facts]}

    async def _matching(self, opened: OpenMemory, given: Given) -> Row:
        criteria = _criteria(given)
        found = await opened.graph.facts(criteria)
        is_named = bool(criteria.naming or criteria.everything)
        texts = await count_naming(opened, criteria.naming) if is_named else 0
        shown = [row_of(fact) for fact in found[:MOST_TOLD]]
        return {"count": await opened.graph.count(criteria), "texts": texts, "facts": shown}

    async def _forget(self, keeper: Keeper, given: Given) -> Row:
        criteria = _criteria(given)
        if criteria.ids:
            return {"forgotten": await keeper.forget_by_number(criteria.ids), "texts": 0}
        gone = await keeper.forget_named(criteria.naming or criteria.entity)
        return {"forgotten": gone.facts, "texts": gone.texts}

    async def _export(self, opened: OpenMemory, given: Given) -> Row:
        from companion.memory.graph.export import Form

        file = _file(given)
        form = Form.GRAPHML if file.suffix.lower() == GRAPHML else Form.JSON
        return {"file": str(file), "form": form.value, "facts": await opened.graph.export(file, form)}

    async def _import(self, opened: OpenMemory, given: Given) -> Row:
        brought = await opened.graph.bring_in(_file(given))
        return {"facts": brought.facts, "known": brought.known, "refused": brought.refused}

    async def _backup(self, opened: OpenMemory, given: Given) -> Row:
        return {"file": str(await opened.store.backup())}

    async def _backups(self, opened: OpenMemory, given: Given) -> Row:
        return {"files": [str(file) for file in await opened.store.backups()]}

    async def _restore(self, opened: OpenMemory, given: Given) -> Row:
        found = await opened.store.backups()
        if not found:
            raise MemoryFault("there is no backup", mend="Make one: companion memory backup")
        taken = await opened.store.restore()
        await opened.documents.reindex()
        return {"restored": str(taken)}

    async def _graph(self, opened: OpenMemory, given: Given) -> Row:
        file = _file(given)
        if file.suffix.lower() != SVG:
            raise BadInput(f"{file.name} is no picture", mend="Name a file that ends in .svg.")
        picture = await opened.graph.picture(given.text("about", ""))
        await finish_in_thread(lambda: write_atomically(file, picture))
        return {"file": str(file)}

    _readers: dict[str, Callable[[MemoryDesk, OpenMemory, Given], Awaitable[Row]]] = {  # noqa: RUF012 - never changed
        "show": _show,
        "search": _search,
        "matching": _matching,
        "export": _export,
        "import": _import,
        "backup": _backup,
        "backups": _backups,
        "restore": _restore,
        "graph": _graph,
    }


def row_of(fact: Fact) -> Row:
    """A fact as JSON has it."""
    return {
        "id": fact.id,
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "said_by": fact.said_by,
        "at": fact.at.isoformat(),
        "confidence": fact.confidence,
        "valid_from": fact.valid_from.isoformat() if fact.valid_from else None,
        "valid_until": fact.valid_until.isoformat() if fact.valid_until else None,
        "status": fact.status.value,
        "pinned": fact.pinned,
        "text": line_of(fact),
    }


async def _newest(opened: OpenMemory, limit: int) -> Sequence[Fact]:
    from companion.memory.graph.rows import FACT, fact

    sql = f"{FACT} WHERE r.status = 'active' ORDER BY r.id DESC LIMIT ?"
    return await opened.store.read(lambda db: [fact(row) for row in db.execute(sql, (limit,))])


def _criteria(given: Given) -> Criteria:
    """Which facts: a name, or numbers of facts, or all of them."""
    from companion.memory.facts import Criteria

    what = given.texts("what")
    if given.truth("everything"):
        return Criteria(everything=True)
    if what and all(one.isdecimal() for one in what):
        return Criteria(ids=given.numbers("what"))
    name = _filled(" ".join(what), "what to forget")
    return Criteria(entity=name) if name == USER else Criteria(naming=name)


def _limit(given: Given, default: int = 50) -> int:
    return max(1, min(given.number("limit", default), MOST_SHOWN))


def _filled(text: str, what: str) -> str:
    if not text.strip():
        raise BadInput(f"{what} is empty", mend="Say it in quotes.")
    return text.strip()


def _file(given: Given) -> Path:
    file = Path(given.text("file"))
    if not file.is_absolute():
        raise BadInput(f"{file} is no whole path", mend="Name the file from the root on.")
    if file.name in ("", ".."):
        raise BadInput(f"{file} is no file", mend="Name a file in that folder.")
    return file
