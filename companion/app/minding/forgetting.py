"""Forgets somebody for good: in facts, in the newest turns, in documents and in the conversations' files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.app.minding.said_files import blank
from companion.stream.threads import finish_in_thread
from companion.talents.memory_phrases import USER

if TYPE_CHECKING:
    from companion.app.minding.memory_room import OpenMemory
    from companion.memory.distil import Forget

ANSWER = "-answer"
"""Ends the name of a turn, for what was answered in it."""
SESSIONS = "sessions"
"""The folder of the conversations' files, beside ``memory.db``."""


class Gone(NamedTuple):
    """What was forgotten."""

    facts: int
    texts: int
    """Turns, documents and lines of conversations that were changed."""


async def forget_all_about(opened: OpenMemory, name: str) -> Gone:
    """Forget somebody for good, or everything for an empty name.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    from companion.memory.facts import Criteria

    async with opened.changing:
        # What the user has said is not about the user in each case, so that only facts are.
        if name == USER:
            return Gone((await opened.graph.purge(Criteria(entity=USER), hard=True)).facts, 0)
        texts = await forget_texts(opened, name)
        criteria = Criteria(naming=name) if name else Criteria(everything=True)
        facts = (await opened.graph.purge(criteria, hard=True)).facts
        if texts:
            # Words of deleted rows stay in the index until it is written anew, and copies of files in the backups.
            await opened.texts.wipe()
        return Gone(facts, texts)


async def forget_facts(opened: OpenMemory, wanted: Sequence[Forget], *, hard: bool = False) -> int:
    """Forget what the user's words name: "forget my old address"; how many facts it was.

    All about the user is never meant by that: it is asked for in its own words, and confirmed.

    Raises:
        StorageError: the disk refused.
    """
    from companion.memory.facts import Criteria

    gone = 0
    for one in wanted:
        if one.subject in ("", USER) and not (one.relation or one.object):
            continue
        criteria = Criteria(subject=one.subject, relation=one.relation, object=one.object)
        gone += (await opened.graph.purge(criteria, hard=hard)).facts
    return gone


async def forget_texts(opened: OpenMemory, name: str) -> int:
    """Take out every turn and every part of a document that names somebody; all of them for an empty name.

    How many turns and documents were changed.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    from companion.memory.naming import naming

    names = naming(name)
    gone = await opened.context.forget(lambda event: any(map(names, event.texts)))
    gone += await opened.texts.forget_about(name, answers=ANSWER)
    gone += await opened.documents.forget_about(name)
    return gone + await finish_in_thread(lambda: blank(opened.store.file.parent / SESSIONS, names))
