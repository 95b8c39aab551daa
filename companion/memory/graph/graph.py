"""The graph of what is known: entities, and facts between them.

Laws:

1. A commit is whole on the disk when it returns. What the disk refuses waits in memory, bounded, and is stored before
   anything newer; until then nobody is told that it is stored.
2. A newer fact supersedes, it does not erase. Forgetting is the user's; forgetting for good leaves no byte of it in
   the file, its log and its backups.
3. Every fact says who said it, when, and in which turn. A turn adds nothing twice.
4. A merge can be undone exactly.
5. Recall looks at no more than a bounded number of facts, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import apsw

from companion.errors import StorageError
from companion.memory.facts import (
    Committed,
    Criteria,
    Entity,
    Fact,
    Found,
    Merged,
    Overview,
    Provenance,
    Purged,
    Triple,
)
from companion.memory.graph import commit as committing
from companion.memory.graph import edit, leaving, merge, purge
from companion.memory.graph.bring_in import Imported, bring_in, read_export
from companion.memory.graph.candidates import Candidate, Nearness, Verdict, answer, candidates
from companion.memory.graph.edit import Correction
from companion.memory.graph.export import Form, export
from companion.memory.graph.names import find, number_of
from companion.memory.graph.outbox import Letter, Outbox
from companion.memory.graph.recall import about, newest, recall
from companion.memory.graph.rows import entity, facts_by_id, stamp
from companion.memory.graph.survey import contradictions, survey
from companion.memory.store import LONG_DEADLINE, Store

MOST_LISTED = 500
EDITED = "edit"
"""The session of facts that were corrected by hand."""


class Graph:
    """store: where it is kept. clock: the local time with its zone.

    nearness: how near names are in meaning, for candidates; None where nobody can tell.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime], *, nearness: Nearness | None = None) -> None:
        self._store = store
        self._clock = clock
        self._nearness = nearness
        self._outbox = Outbox(self._write)

    @property
    def waiting(self) -> int:
        """Commits that could not be stored yet."""
        return len(self._outbox)

    async def commit(self, triples: Sequence[Triple], provenance: Provenance) -> Committed:
        """Store facts; what is empty is passed over, what is a secret or too long is in ``refused``.

        Raises:
            FactRefused: too many at once, or it is not said where they are from; nothing is stored.
            KeptForLater: the disk refused; they are stored when it does not.
            StorageError: the disk refused, and no more can be kept.
            MemoryBusy: too much waits already.
        """
        committing.check(triples, provenance)
        return await self._outbox.send(Letter(tuple(triples), provenance))

    async def store_waiting(self) -> int:
        """Store what could not be stored before; how many commits were.

        Raises:
            StorageError: the disk still does not let us.
        """
        return await self._outbox.flush()

    async def close(self) -> int:
        """Store what waits, one last time; how many commits are lost with the program. The store stays open."""
        await self._settle()
        return self.waiting

    async def recall(
        self, keywords: Sequence[str] = (), seeds: Sequence[str] = (), *, depth: int = 2, limit: int = 10
    ) -> Found:
        """What is known about words of a question and about names; with neither what is mentioned most and newest.

        depth: levels of facts that are followed, 1 to 4.

        Raises:
            StorageError: it cannot be read.
        """
        now = self._clock()
        return await self._store.read(
            lambda db: recall(db, keywords=keywords, seeds=seeds, depth=depth, limit=limit, now=now)
        )

    async def entity(self, name: str) -> Entity | None:
        """Whoever or whatever has that name or alias; None where nobody has.

        Raises:
            StorageError: it cannot be read.
        """
        return await self._store.read(lambda db: _entity(db, name))

    async def about(self, name: str, *, limit: int = 50, ended: bool = False) -> tuple[Fact, ...]:
        """The facts of an entity, newest first; with ``ended`` those too that hold no more. Nothing for the unknown.

        Raises:
            StorageError: it cannot be read.
        """
        now, most = self._clock(), max(1, min(limit, MOST_LISTED))

        def work(db: apsw.Connection) -> tuple[Fact, ...]:
            number = find(db, name)
            return () if number is None else tuple(about(db, number, limit=most, now=now, ended=ended))

        return await self._store.read(work)

    async def facts(self, criteria: Criteria, *, limit: int = MOST_LISTED) -> tuple[Fact, ...]:
        """The facts a purge by ``criteria`` would forget, oldest first.

        Raises:
            PurgeRefused: it does not say which.
            StorageError: they cannot be read.
        """
        purge.check(criteria)
        most = max(1, min(limit, MOST_LISTED))
        return await self._store.read(
            lambda db: tuple(facts_by_id(db, purge.matching(db, criteria, deleted=False)[:most]))
        )

    async def going(self, *criteria: Criteria) -> tuple[Fact, ...]:
        """All facts that hard purges would remove, those among them that count no more. Raises as ``facts`` does."""
        for one in criteria:
            purge.check(one)

        def work(db: apsw.Connection) -> tuple[Fact, ...]:
            ids = dict.fromkeys(fact for one in criteria for fact in purge.matching(db, one, deleted=True))
            return tuple(facts_by_id(db, ids))

        return await self._store.read(work, deadline=LONG_DEADLINE)

    async def count(self, criteria: Criteria) -> int:
        """How many facts a purge by ``criteria`` would forget; raises as ``facts`` does."""
        purge.check(criteria)
        return await self._store.read(lambda db: len(purge.matching(db, criteria, deleted=False)))

    async def newest(self, limit: int = 50) -> tuple[Fact, ...]:
        """The facts that were stored last and count, newest first.

        Raises:
            StorageError: they cannot be read.
        """
        now, most = self._clock(), max(1, min(limit, MOST_LISTED))
        return await self._store.read(lambda db: tuple(newest(db, limit=most, now=now)))

    async def purge(self, criteria: Criteria, *, hard: bool = False) -> Purged:
        """Forget what fits: softly, so that it counts no more, or for good (``hard``), backups included.

        Raises:
            PurgeRefused: it does not say what; nothing is forgotten.
            StorageError: the disk refused; after a hard purge some copy may still hold it.
        """
        purge.check(criteria)
        await self._settle()
        self._outbox.drop(lambda triple, source: purge.fits(criteria, triple, source))
        if not hard:
            return await self._store.write(lambda db: purge.forget(db, criteria, self._now()))
        done = await self._store.write(lambda db: purge.remove(db, criteria), deadline=LONG_DEADLINE)
        if done.facts or done.entities:
            await self._store.wipe()
        else:
            await self._store.wipe_if_owed()
        return done

    async def merge(self, source: str, target: str) -> Merged:
        """Let ``source`` go up in ``target``; its name stays as an alias.

        Raises:
            UnknownEntity: one of them is not known.
            MergeRefused: they are the same, or too much would have to be moved.
            StorageError: the disk refused.
        """
        await self._settle()
        return await self._store.write(lambda db: merge.merge(db, source, target, self._now()))

    async def undo(self, merge_id: int) -> Merged:
        """Part what a merge has joined.

        Raises:
            MergeRefused: there is no such merge, or a later one has to be undone first.
            StorageError: the disk refused.
        """
        return await self._store.write(lambda db: merge.undo(db, merge_id))

    async def merges(self, limit: int = 20) -> list[tuple[int, str, str]]:
        """The newest merges that can be undone: id, what went up, in what.

        Raises:
            StorageError: they cannot be read.
        """
        return await self._store.read(lambda db: merge.merges(db, limit))

    async def candidates(self, limit: int = 5) -> list[Candidate]:
        """Pairs of entities that may be the same, best first, among what changed last.

        Raises:
            StorageError: they cannot be read.
        """
        return await self._store.read(
            lambda db: candidates(db, limit=limit, nearness=self._nearness), deadline=LONG_DEADLINE
        )

    async def answer(self, one: str, other: str, verdict: Verdict) -> None:
        """Write down that two are different, or that it is undecided: they are not asked about until something is new.

        Raises:
            UnknownEntity: one of them is not known.
            StorageError: the disk refused.
        """
        await self._store.write(lambda db: answer(db, number_of(db, one), number_of(db, other), verdict, self._now()))

    async def contradictions(self, limit: int = 5) -> list[tuple[Fact, ...]]:
        """Facts that cannot all be true.

        Raises:
            StorageError: they cannot be read.
        """
        now = self._clock()
        return await self._store.read(lambda db: contradictions(db, limit=limit, now=now), deadline=LONG_DEADLINE)

    async def pin(self, fact_id: int, *, pinned: bool = True) -> Fact:
        """Have a fact stay within reach, or no more.

        Raises:
            FactRefused: there is no such fact.
            StorageError: the disk refused.
        """
        return await self._store.write(lambda db: edit.pin(db, fact_id, pinned=pinned, now=self._clock()))

    async def edit(self, fact_id: int, shall: Triple, *, said_by: str) -> Fact:
        """Correct a fact by hand: ``shall`` takes its place, and it counts no more.

        Raises:
            FactRefused: there is no such fact, or the other may not be stored.
            StorageError: the disk refused.
        """
        return (await self.correct(fact_id, shall, said_by=said_by)).fact

    async def correct(self, fact_id: int, shall: Triple, *, said_by: str) -> Correction:
        """As ``edit``, with what ``take_back`` needs."""
        source = Provenance(said_by, self._clock(), session=EDITED, turn=str(fact_id))
        committing.check([shall], source)
        return await self._store.write(lambda db: edit.correct(db, fact_id, shall, source))

    async def take_back(self, correction: Correction) -> Fact:
        """Have what was corrected count as it did before.

        Raises:
            FactRefused: it was forgotten since.
            StorageError: the disk refused.
        """
        return await self._store.write(lambda db: edit.take_back(db, correction, self._clock()))

    async def set_aside(self, criteria: Criteria) -> leaving.Farewell:
        """Have what fits count no more, until it is put back or let go for good.

        Raises:
            PurgeRefused: it does not say what, or it is nothing or too much.
            StorageError: the disk refused.
        """
        await self._settle()
        return await self._store.write(lambda db: leaving.set_aside(db, criteria, self._now()))

    async def put_back(self, farewell: int) -> int:
        """Have what was set aside count as it did; how many facts.

        Raises:
            PurgeRefused: it is gone for good.
            StorageError: the disk refused.
        """
        return await self._store.write(lambda db: leaving.put_back(db, farewell, self._now()))

    async def farewells(self) -> list[leaving.Farewell]:
        """What is set aside, oldest first. Raises StorageError."""
        return await self._store.read(leaving.farewells)

    async def let_go(self, farewell: leaving.Farewell) -> Purged:
        """Remove for good what was set aside, from backups too. Raises StorageError."""
        done = await self._store.write(lambda db: leaving.let_go(db, farewell), deadline=LONG_DEADLINE)
        await self._store.wipe()
        return done

    async def rename(self, name: str, fresh: str) -> Entity:
        """Give an entity another name; the old one stays as an alias.

        Raises:
            UnknownEntity: it is not known.
            MergeRefused: the other name is somebody else's.
            FactRefused: the other name cannot be stored.
            StorageError: the disk refused.
        """
        return await self._store.write(lambda db: _sure(db, edit.rename(db, name, fresh, self._clock())))

    async def alias(self, name: str, alias: str) -> Entity:
        """Know an entity by one name more; raises as ``rename`` does."""
        return await self._store.write(lambda db: _sure(db, edit.add_alias(db, name, alias)))

    async def unalias(self, alias: str) -> Entity:
        """Know an entity by one name less.

        Raises:
            UnknownEntity: nobody has that alias.
            StorageError: the disk refused.
        """
        return await self._store.write(lambda db: _sure(db, edit.drop_alias(db, alias)))

    async def introspect(self) -> Overview:
        """How much is known, about whom most, what was learned last, and what is wrong.

        Raises:
            StorageError: it cannot be read.
        """
        now = self._clock()
        seen = await self._store.read(lambda db: survey(db, now))
        return replace(seen, waiting=self.waiting, problems=self._store.problems)

    async def picture(self, name: str = "", *, seed: int = 0) -> str:
        """An SVG of what is around ``name``; of the most mentioned where it is empty.

        Raises:
            UnknownEntity: nothing is known under that name.
            StorageError: it cannot be read.
        """
        from companion.memory.graph.sketch import sketch  # NumPy is loaded only for this

        now = self._clock()
        return await self._store.read(lambda db: sketch(db, name, now, seed=seed), deadline=LONG_DEADLINE)

    async def export(self, file: Path, form: Form) -> int:
        """Write everything that is known, and was, to ``file``; how many facts. What was forgotten is not in it.

        Raises:
            StorageError: it cannot be read, or the file not be written.
        """
        return await self._store.read(lambda db: export(db, file, form), deadline=LONG_DEADLINE)

    async def bring_in(self, file: Path) -> Imported:
        """Add what a JSON export holds; what is known already is not added again.

        Raises:
            BadInput: the file is no export, or a field of it cannot be used; nothing is added.
            StorageError: the disk refused.
        """
        now = self._clock()
        brought = await self._store.read(lambda _: read_export(file), deadline=LONG_DEADLINE)
        return await self._store.write(lambda db: bring_in(db, brought, now), deadline=LONG_DEADLINE)

    def _now(self) -> int:
        return stamp(self._clock())

    async def _write(self, letter: Letter) -> Committed:
        now = self._clock()
        return await self._store.write(lambda db: committing.commit(db, letter.triples, letter.source, now))

    async def _settle(self) -> None:
        """Store what waits, if that goes well now; what follows raises for the disk itself."""
        try:
            await self._outbox.flush()
        except StorageError:
            return


def _entity(connection: apsw.Connection, name: str) -> Entity | None:
    number = find(connection, name)
    return None if number is None else entity(connection, number)


def _sure(connection: apsw.Connection, number: int) -> Entity:
    found = entity(connection, number)
    assert found is not None
    return found
