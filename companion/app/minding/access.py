"""What tools of the model and plugins reach of the memory and the knowledge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from companion.agent.stages import About, Recalled
from companion.agent.tools import Note, Stated
from companion.app.minding.keeper import Keeper
from companion.app.minding.knowledge_room import KnowledgeRoom
from companion.app.minding.memory_room import MemoryRoom
from companion.app.minding.source import Source
from companion.app.minding.wording import line_of, words_of
from companion.model import JsonValue
from companion.talents.memory_phrases import USER

if TYPE_CHECKING:
    from companion.memory.document import Document
    from companion.memory.facts import Committed

MOST_FOUND = 10
_SELF = frozenset({"i", "me", "user", "myself", "我"})


class GraphTools:
    """Implements ``agent.tools.GraphAccess``."""

    def __init__(self, room: MemoryRoom, keeper: Keeper) -> None:
        self._room = room
        self._keeper = keeper

    async def recall(self, query: str) -> Sequence[Note]:
        graph = (await self._room.opened()).graph
        found = await graph.recall(words_of(query), (USER,), limit=MOST_FOUND)
        return [Note(line_of(hit.fact), "memory", f"{hit.fact.at:%Y-%m-%d}") for hit in found.facts]

    async def commit(self, facts: Sequence[Stated], about: About) -> str:
        from companion.memory.facts import Triple

        triples = [Triple(_name(fact.subject), fact.relation, _name(fact.object)) for fact in facts]
        source = Source("", about.now, about.language)
        return _word_on(await self._keeper.commit(triples, source))

    async def introspect(self) -> Mapping[str, JsonValue]:
        seen = await (await self._room.opened()).graph.introspect()
        return {
            "entities": seen.entities,
            "facts": seen.facts,
            "ended": seen.superseded,
            "most_mentioned": [one.name for one in seen.most_mentioned[:MOST_FOUND]],
            "newest": [line_of(fact) for fact in seen.newest[:MOST_FOUND]],
        }

    async def merge(self, source: str, target: str) -> str:
        merged = await (await self._room.opened()).graph.merge(source, target)
        return f"merged; {merged.redirected} facts moved"


class DocumentTools:
    """Implements ``agent.tools.DocumentAccess``."""

    def __init__(self, room: MemoryRoom) -> None:
        self._room = room

    async def query(self, query: str) -> Sequence[Note]:
        hits = await (await self._room.opened()).documents.query(query)
        return [Note(hit.passage or hit.document.summary, hit.document.id, _day(hit.document)) for hit in hits]

    async def commit(self, title: str, content: str, about: About) -> str:
        await (await self._room.opened()).documents.insert(title, content)
        return "kept"


class KnowledgeTools:
    """Implements ``agent.tools.KnowledgeAccess``."""

    def __init__(self, room: KnowledgeRoom) -> None:
        self._room = room

    async def search(self, query: str) -> Sequence[Note]:
        return [Note(one.text, one.source) for one in await self._room.search(query)]

    async def create(self, name: str, content: str) -> str:
        piece = await (await self._room.opened()).create(name, content)
        return piece.problem or "kept"

    async def list(self) -> Sequence[str]:
        return [piece.name for piece in await (await self._room.opened()).list()]


class PluginMemory:
    """Implements ``agent.plugin.Memory``: what plugins that may see the memory reach of it."""

    def __init__(
        self, room: MemoryRoom | None, keeper: Keeper | None, knowledge: KnowledgeRoom, now: Callable[[], datetime]
    ) -> None:
        self._room = room
        self._keeper = keeper
        self._knowledge = knowledge
        self._now = now

    async def recall(self, query: str) -> Sequence[Recalled]:
        if self._room is None:
            return ()
        graph = (await self._room.opened()).graph
        found = await graph.recall(words_of(query), (), limit=MOST_FOUND)
        return [Recalled(line_of(hit.fact), "memory", hit.score, hit.reason) for hit in found.facts]

    async def search(self, query: str) -> Sequence[Recalled]:
        return await self._knowledge.search(query)

    async def remember(self, triples: Sequence[tuple[str, str, str]], *, said_by: str = "") -> str:
        """Keep facts as said by the plugin, never as the user's own words."""
        from companion.memory.facts import Triple

        if self._keeper is None:
            return "memory is turned off"
        now = self._now()
        source = Source("", now, "en", f"plugin-{said_by}-{now.isoformat()}", said_by=f"plugin {said_by}")
        return _word_on(await self._keeper.commit([Triple(*triple) for triple in triples], source))


def _day(document: Document) -> str:
    return f"{document.created_at:%Y-%m-%d}"


def _name(said: str) -> str:
    return USER if said.strip().casefold() in _SELF else said


def _word_on(done: Committed) -> str:
    if done.refused and not done.relations:
        return f"refused: {done.refused[0].reason}"
    return "kept" if done.relations else "known already"
