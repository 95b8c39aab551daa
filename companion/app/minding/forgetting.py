"""Forgets for good: facts, the turns they were said in, and whatever names somebody, wherever it is kept.

What was said goes from the conversation that goes on, its file, the newest turns, the texts, documents and backups.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.app.minding.doomed import Doomed, Elsewhere, SaidTurn, doomed_by, turn_of_entries, turn_of_event
from companion.app.minding.said_files import blank, blank_notes, find
from companion.app.minding.source import ANSWER, name_of_answer
from companion.compose.session import Session
from companion.stream.threads import finish_in_thread
from companion.talents.memory_phrases import USER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.app.minding.memory_room import OpenMemory
    from companion.compose.entry import Entry
    from companion.memory.context import Event
    from companion.memory.facts import Criteria, Fact
    from companion.memory.graph.leaving import Farewell

SESSIONS = "sessions"
"""The folder of the conversations' files, beside ``memory.db``."""
NOTES = "turn-notes.ndjson"
"""What the user thinks of answers, beside ``memory.db``."""
FROM_DOCUMENTS = ("contains", "mentions", "tagged")
"""The relations of what is left in the graph of documents nobody asks for."""


class Gone(NamedTuple):
    """What was forgotten."""

    facts: int
    texts: int
    """Turns, documents and notes that were changed."""


async def forget_all_about(opened: OpenMemory, name: str) -> Gone:
    """Forget somebody for good, or everything for an empty name. Of the user: the facts, and the turns they are from.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    from companion.memory.facts import Criteria

    criteria = Criteria(naming=name) if name else Criteria(everything=True)
    async with opened.changing:
        if name == USER:
            return await _forget(opened, Criteria(entity=USER), None)
        return await _forget(opened, criteria, name)


async def count_naming(opened: OpenMemory, name: str) -> int:
    """How many turns and documents name somebody; all there are for an empty name.

    Raises:
        StorageError: they cannot be read.
    """
    doomed = doomed_by((), name)
    folder = opened.store.file.parent / SESSIONS
    turns = await finish_in_thread(lambda: find(folder, doomed))
    turns += [turn for turn in map(turn_of_event, opened.context.events) if doomed.has(turn)]
    return _count(turns) + await opened.documents.count_naming(name)


async def forget_facts(opened: OpenMemory, criteria: Criteria) -> Gone:
    """Forget facts for good, and the turns they were said in.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    async with opened.changing:
        return await _forget(opened, criteria, None)


async def let_go(opened: OpenMemory, farewell: Farewell) -> None:
    """Forget for good what was set aside; where it was all about somebody, whatever names them too.

    Raises:
        StorageError: the disk refused; some of it may still be there.
    """
    name = farewell.name if farewell.name not in ("", USER) else None
    async with opened.changing:
        facts = await opened.graph.going(*by_number(farewell.facts))
        if await _forget_said(opened, facts, name):
            await opened.texts.wipe()
        await opened.graph.let_go(farewell)


async def _forget(opened: OpenMemory, criteria: Criteria, name: str | None) -> Gone:
    # Of everything there is nothing to be looked up.
    facts = () if name == "" else await opened.graph.going(criteria)
    texts = await _forget_said(opened, facts, name)
    gone = (await opened.graph.purge(criteria, hard=True)).facts
    if texts:
        # Words of deleted rows stay in the index until it is written anew, and copies of files in the backups.
        await opened.texts.wipe()
    return Gone(gone, texts)


async def _forget_said(opened: OpenMemory, facts: Sequence[Fact], name: str | None) -> int:
    """What was said goes, with whatever names somebody; how many turns, documents and notes were changed."""
    folder = opened.store.file.parent
    doomed = doomed_by(facts, name)
    gone = await _elsewhere(opened, doomed)
    gone += await finish_in_thread(lambda: blank(folder / SESSIONS, doomed))
    gone += await _of_context(opened, doomed.with_turns(gone))
    doomed = doomed.with_turns(gone)
    await _elsewhere(opened, doomed)
    count = _count(gone)
    count += await finish_in_thread(lambda: blank_notes(folder / NOTES, doomed))
    if name is not None:
        count += await opened.texts.forget_about(name, answers=ANSWER)
        count += await opened.documents.forget_about(name)
    for session in {session for session, _ in doomed.turns}:
        turns = [turn for one, turn in doomed.turns if one == session]
        count += await opened.texts.drop_turns(session, [*turns, *map(name_of_answer, turns)])
    count += await opened.documents.forget_said(lambda event: doomed.has(turn_of_event(event)), _is_line_of(facts))
    return count + await _of_old_documents(opened, doomed)


def _count(turns: Sequence[SaidTurn]) -> int:
    return len({(one.session, one.name or one.asked) for one in turns})


async def _elsewhere(opened: OpenMemory, doomed: Doomed) -> list[SaidTurn]:
    return [turn for forget in opened.elsewhere for turn in await forget(doomed)]


async def _of_context(opened: OpenMemory, doomed: Doomed) -> list[SaidTurn]:
    gone: list[SaidTurn] = []

    def is_doomed(event: Event) -> bool:
        turn = turn_of_event(event)
        if is_gone := doomed.has(turn):
            gone.append(turn)
        return is_gone

    await opened.context.forget(is_doomed)
    return gone


async def _of_old_documents(opened: OpenMemory, doomed: Doomed) -> int:
    """What is left in the graph of documents that held these turns."""
    from companion.memory.facts import Criteria

    if not doomed.told:
        return 0
    left = await opened.graph.going(*(Criteria(relation=relation) for relation in FROM_DOCUMENTS))
    meant = [fact.id for fact in left if any(names(fact.object) for names in doomed.told)]
    for criteria in by_number(meant):
        await opened.graph.purge(criteria, hard=True)
    return len(meant)


def by_number(facts: Sequence[int]) -> list[Criteria]:
    """These facts, so many at once as may be named."""
    from companion.memory.facts import Criteria
    from companion.memory.graph.purge import MOST_IDS

    return [Criteria(ids=tuple(facts[start : start + MOST_IDS])) for start in range(0, len(facts), MOST_IDS)]


def _is_line_of(facts: Sequence[Fact]) -> Callable[[str], bool]:
    """Tells of the lines that say these facts in what was written down of all that is known."""
    from companion.memory.consolidate import spoken

    said = {spoken(fact) for fact in facts}
    return lambda line: line in said


def of_conversation(session: Session, name: str) -> Elsewhere:
    """A conversation that goes on, which forgets what its model was shown."""

    async def forget(doomed: Doomed) -> list[SaidTurn]:
        gone: list[SaidTurn] = []

        def is_doomed(entries: Sequence[Entry]) -> bool:
            turn = turn_of_entries(name, entries)
            if is_gone := doomed.has(turn):
                gone.append(turn)
            return is_gone

        await session.forget(is_doomed)
        return gone

    return forget
