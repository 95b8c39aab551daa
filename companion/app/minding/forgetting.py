"""Forgets somebody in what was said: in the newest turns, and in the documents older ones were archived in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.talents.memory import USER

if TYPE_CHECKING:
    from companion.app.minding.memory_room import OpenMemory
    from companion.memory.distil import Forget
    from companion.memory.documents import Documents
    from companion.memory.passages import Kind

MOST_DOCUMENTS = 50
"""Looked through at a time."""
MOST_TURNS = 100
MOST_TIMES = 200


async def forget_all_about(opened: OpenMemory, name: str, session: str) -> int:
    """Forget somebody for good, or everything for an empty name; how many facts, turns and documents it was.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    from companion.memory.facts import Criteria

    criteria = Criteria(entity=name) if name else Criteria(everything=True)
    # What the user has said is not about the user in each case, so that only facts are.
    texts = await forget_texts(opened, name, session) if name != USER else 0
    facts = (await opened.graph.purge(criteria, hard=True)).facts
    if texts:
        # Words of deleted rows stay in the index until it is written anew, and in the file until that is.
        await opened.texts.wipe()
        await opened.store.wipe()
    return texts + facts


async def forget_facts(opened: OpenMemory, wanted: Sequence[Forget], *, hard: bool = False) -> int:
    """Forget what the user's words name: "forget my old address"; how many facts it was.

    Raises:
        StorageError: the disk refused.
    """
    from companion.memory.facts import Criteria

    gone = 0
    for one in wanted:
        criteria = Criteria(subject=one.subject, relation=one.relation, object=one.object)
        gone += (await opened.graph.purge(criteria, hard=hard)).facts
    return gone


async def forget_texts(opened: OpenMemory, name: str, session: str) -> int:
    """Take out every turn and every line of a document that names somebody; all of them for an empty name.

    How many turns and documents were changed.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    names = naming(name)
    gone = await opened.context.forget(lambda event: names(event.input) or names(event.response))
    if name:
        gone += await _forget_turns(opened, name, names)
    else:
        gone += await opened.texts.remove(_turns(), session)
    return gone + await _forget_in(opened.documents, name, names)


def naming(name: str) -> Callable[[str], bool]:
    """Whether a text names somebody, as a word of its own; any text does for an empty name."""
    if not name:
        return lambda text: True
    pattern = re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", re.IGNORECASE)
    return lambda text: pattern.search(text) is not None


async def _forget_turns(opened: OpenMemory, name: str, names: Callable[[str], bool]) -> int:
    """Take single turns out of the text memory, each with both its sides."""
    from companion.memory.text_search import Question

    gone = 0
    for _ in range(MOST_TIMES):
        found = await opened.texts.search(_turns(), Question(name, datetime.now(UTC)), MOST_TURNS)
        doomed = [hit.passage for hit in found if names(hit.passage.text)]
        if not doomed:
            break
        for passage in doomed:
            gone += await opened.texts.forget_turns(passage.source, [passage.turn])
    return gone


def _turns() -> Kind:
    from companion.memory.passages import Kind

    return Kind.TURN


async def _forget_in(documents: Documents, name: str, names: Callable[[str], bool]) -> int:
    changed = 0
    for _ in range(MOST_TIMES):
        found = [hit.document for hit in await documents.search(name, MOST_DOCUMENTS)] if name else []
        found = found or await documents.recent(MOST_DOCUMENTS)
        doomed = [one for one in found if names(one.content) or names(one.summary)]
        for document in doomed:
            left = "\n".join(line for line in document.content.splitlines() if not names(line))
            if left.strip():
                summary = "\n".join(line for line in document.summary.splitlines() if not names(line))
                entities = [one for one in document.entities if not names(one)]
                tags = [one for one in document.tags if not names(one)]
                await documents.insert(summary, left, source=document.source, tags=tags, entities=entities)
            await documents.remove(document.id)
        changed += len(doomed)
        if not doomed:
            break
    return changed
