"""The memory at work within the conversation: what is kept of a turn, what fits a question, what is forgotten.

Laws:

1. Recall has ``RECALL_SECONDS``; what comes later is dropped, and the turn goes on without. At most one recall is
   late at a time.
2. A fact about the user is made of the user's words and of nothing else.
3. Where the memory cannot be reached the conversation goes on, and the user is told once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from companion.agent.plugin import Request
from companion.agent.remembering import Kept
from companion.agent.stages import Origin, Recalled
from companion.app.minding.fitting import best_answers
from companion.app.minding.forgetting import Gone, by_number, forget_all_about, forget_facts, let_go
from companion.app.minding.memory_room import MemoryRoom, OpenMemory, Tell
from companion.app.minding.source import Source, event_of, name_of_answer, note_of, passages_of, read_out, utterance_of
from companion.app.minding.wording import words_of
from companion.errors import CompanionError, KeptForLater
from companion.model import Generator
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread
from companion.talents.memory import NAME, Told
from companion.talents.memory_phrases import USER, Known

if TYPE_CHECKING:
    from companion.memory.distil import Forget
    from companion.memory.distil.by_model import Backlog
    from companion.memory.facts import Committed, Criteria, Fact, Hit, Triple
    from companion.memory.graph.leaving import Farewell
    from companion.memory.recall import Asking

logger = logging.getLogger(__name__)

RECALL_SECONDS = 0.03
CLOSE_SECONDS = 10.0
MOST_RECALLED = 12
MOST_SAID = 50
SHOWN = 10
"""The newest turns, which a prompt holds by itself."""
SHORT_WHILE = timedelta(minutes=10)
FEW_TURNS = 3
"""How long ago "that" can have been said."""
_FIRST_READ = (("my friend likes tea", "en"), ("我朋友喜欢喝茶", "zh"))
"""Has most patterns made that reading takes, before anybody waits for them."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of words that were to be kept. is_secret: they are what is never stored."""

    facts: Sequence[Fact]
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class _Newest:
    """The facts of the user that were stored last."""

    facts: tuple[int, ...]
    at: datetime
    turn: int
    """How many of the user's turns there had been."""


class Keeper:
    """Implements ``agent.remembering.TurnMemory`` and ``talents.memory.Remembrance``.

    session: the conversation that facts are said in. keeps_turns: whether what was said is kept word by word.
    tell: told what could not be kept.
    """

    def __init__(
        self, room: MemoryRoom, *, session: str, keeps_turns: bool = True, tell: Tell = lambda problem: None
    ) -> None:
        self._keeps_turns = keeps_turns
        self._room = room
        self._session = session
        self._tell = tell
        self._newest: _Newest | None = None
        """None before anything was stored."""
        self._turns = 0
        """Of the user, since the beginning."""
        self._tasks = Tasks()
        self._leaving = Tasks()
        """What is being forgotten for good."""
        self.backlog: Backlog | None = None
        """What a model has still to read; None where none does."""

    async def prepare(self, reader: Generator | None = None) -> None:
        """Bring in what reads facts out of words. reader: a model that does so as well, when there is time."""
        # A caller who is called off does not wait for what comes in.
        for text, language in _FIRST_READ:
            await asyncio.to_thread(read_out, Source(text, self._room.now(), language))
        if reader is not None:
            self.backlog = await asyncio.to_thread(_backlog, reader)

    # -- within the turn

    async def recall(self, query: str, *, now: datetime, tokens: int) -> Sequence[Recalled]:
        """What fits, within so many tokens; nothing where the memory is not open yet or takes too long."""
        opened = self._room.open_now
        if opened is None or tokens <= 0 or len(self._tasks):
            return ()
        from companion.memory.recall import Asking

        # The newest turns stand in the prompt anyway.
        newest = opened.context.recent(SHOWN)
        shown = frozenset(name for event in newest for name in (event.turn, name_of_answer(event.turn)))
        found: list[Recalled] = []
        asking = Asking(now, asker=USER, shown=shown, tokens=tokens)
        task = self._tasks.start(self._recall(opened, query, asking, found), name="recall")
        await asyncio.wait([task], timeout=RECALL_SECONDS)
        return tuple(found) if task.done() else ()

    async def append(self, kept: Kept) -> None:
        """Add the turn to the context, and archive what no longer fits.

        Raises:
            CompanionError: it could not be kept.
        """
        event = event_of(kept, self._session)
        is_users = kept.about.origin is Origin.USER
        self._turns += is_users
        with self._telling():
            opened = await self._room.opened()
            async with opened.changing:
                try:
                    await opened.context.append(event)
                    await opened.context.prune(kept.said, opened.documents)
                finally:
                    if self._keeps_turns and is_users:
                        await opened.texts.add(self._session, passages_of(event))

    async def candidate(self, kept: Kept) -> None:
        """Store what the user's words tell.

        Raises:
            CompanionError: the memory cannot be reached.
        """
        source = Source(kept.said, kept.at, kept.about.language)
        found = await finish_in_thread(lambda: read_out(source))
        if self.backlog is not None:
            self.backlog.add(utterance_of(source, self._session))
        with self._telling():
            if found.triples:
                await self.commit(found.triples, source)
            if any(one.is_last for one in found.forget):
                await self.forget_newest()
            await self._forget_wanted(found.forget)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Trouble within is told, and goes on to whoever asked."""
        try:
            yield
        except CompanionError as error:
            self._tell(error)
            raise

    async def _recall(self, opened: OpenMemory, query: str, asking: Asking, found: list[Recalled]) -> None:
        try:
            recalled = await opened.recall.recall(query, asking)
        except CompanionError as error:
            logger.warning("recall failed: %s", error)
            return
        zone = asking.now.tzinfo
        found += [Recalled(one.line(zone).removeprefix("- "), one.source, one.score, one.reason) for one in recalled]

    # -- what the user asks for

    async def tell(self, text: str, request: Request) -> Told:
        """Keep what the user wants remembered: its facts, else its words."""
        try:
            stored = await self.keep(Source(text, request.now, request.language))
        except KeptForLater as error:
            self._tell(error)
            return Told((), is_later=True)
        return Told(stored.facts, stored.is_secret)

    async def keep(self, source: Source) -> Stored:
        """Keep somebody's words: their facts, else the words themselves."""
        from companion.memory.secrecy import why_secret_text

        opened = await self._room.opened()
        if why_secret_text(source.text):
            return Stored((), is_secret=True)
        triples = (await finish_in_thread(lambda: read_out(source))).triples or (note_of(source.text),)
        done = await self._commit(opened, triples, source)
        if done.refused and not done.facts:
            return Stored((), is_secret=True)
        return Stored(await self._facts(opened, done.facts))

    async def about(self, name: str) -> Sequence[Known]:
        """What holds of somebody, newest first."""
        opened = await self._room.opened()
        now = self._room.now()
        facts = [fact for fact in await opened.graph.about(name, limit=MOST_SAID) if not fact.is_to_come(now)]
        return sorted(facts, key=lambda fact: fact.subject.casefold() != name.casefold())

    async def answer(self, question: str, names: Sequence[str]) -> Sequence[Known]:
        """What answers a question about these names, the best first."""
        opened = await self._room.opened()
        roles = [name for name in names if name != USER]
        known = [*roles, *[called for role in roles for called in await self._called(opened, role)]]
        hits = await self._hits(opened, question, [*known, USER])
        return best_answers(hits, question, roles, known)

    async def _called(self, opened: OpenMemory, role: str) -> list[str]:
        """What somebody is called who is known by what they are to the user: "my sister" is Emma."""
        return [fact.object for fact in await opened.graph.about(role) if fact.relation == NAME]

    async def forget_newest(self) -> Sequence[Known]:
        """Forget what the user has told last, a few turns and a short while ago at most."""
        from companion.memory.facts import Criteria

        opened = await self._room.opened()
        gone = await self._just_said(opened)
        if gone:
            await self._leave(opened, Criteria(ids=tuple(fact.id for fact in gone)))
        # What was told before it is not "that", though it be said again.
        self._newest = _Newest((), self._room.now(), self._turns)
        return gone

    async def _just_said(self, opened: OpenMemory) -> Sequence[Fact]:
        """The facts of the newest turn that told any; nothing where that is long ago."""
        now, newest = self._room.now(), self._newest
        if newest is None:
            return await self._said_before(opened, now)
        is_near = abs(now - newest.at) <= SHORT_WHILE and self._turns - newest.turn <= FEW_TURNS
        return await self._facts(opened, newest.facts) if is_near else ()

    async def _said_before(self, opened: OpenMemory, now: datetime) -> Sequence[Fact]:
        """What was told last before the companion was started."""
        told = [fact for fact in (await opened.graph.introspect()).newest if self._is_users(fact)]
        if not told or abs(now - told[0].at) > SHORT_WHILE:
            return ()
        return [fact for fact in told if fact.turn == told[0].turn]

    def _is_users(self, fact: Fact) -> bool:
        return fact.said_by == USER and fact.session == self._session

    async def forget(self, name: str) -> int:
        """Forget all about somebody for good, or everything. Behind "my sister" is Emma."""
        gone = sum(await self.forget_named(name))
        if not gone and name:
            said = Source(f"forget what i said about {name}", self._room.now(), "en")
            gone = await self._forget_wanted((await finish_in_thread(lambda: read_out(said))).forget)
        return gone

    async def forget_by_number(self, facts: Sequence[int]) -> int:
        """Forget single facts for good, with the turns they were said in; how many there were.

        Raises:
            CompanionError: the disk refused; some of it may still be there.
        """
        from companion.memory.facts import Criteria

        opened, criteria = await self._room.opened(), Criteria(ids=tuple(facts))
        await self._give_up(opened, criteria)
        return (await forget_facts(opened, criteria)).facts

    async def _forget_wanted(self, wanted: Sequence[Forget]) -> int:
        """Forget what the user's words name: "forget my old address"; how many facts it was.

        All about the user is never meant by that: it is asked for in its own words, and confirmed.
        """
        from companion.memory.facts import Criteria

        opened, gone = await self._room.opened(), 0
        for one in wanted:
            if one.is_last or (one.subject in ("", USER) and not (one.relation or one.object)):
                continue
            gone += await self._leave(opened, Criteria(subject=one.subject, relation=one.relation, object=one.object))
        return gone

    async def _leave(self, opened: OpenMemory, criteria: Criteria) -> int:
        """Have facts count no more at once, and be gone for good a moment later, with the turns they were said in."""
        if not (facts := await opened.graph.facts(criteria)):
            return 0
        farewell = await opened.graph.set_aside(criteria)
        self._leaving.start(self._let_go(farewell), name="forgetting")
        return len(facts)

    async def _let_go(self, farewell: Farewell) -> None:
        try:
            await self.let_go(farewell)
        except CompanionError as error:
            self._tell(error)

    async def _give_up(self, opened: OpenMemory, *criteria: Criteria) -> None:
        """A model reads no more what was said in the turns of these facts."""
        if self.backlog is not None:
            self.backlog.forget_turns({(fact.session, fact.turn) for fact in await opened.graph.going(*criteria)})

    async def forget_named(self, name: str) -> Gone:
        """Forget all that names somebody, by what they are called too; all there is for an empty name.

        Raises:
            CompanionError: the disk refused; some of it may still be there.
        """
        opened = await self._room.opened()
        self._newest = _Newest((), self._room.now(), self._turns)
        called = await self._called(opened, name) if name and name != USER else []
        gone = Gone(0, 0)
        for one in (name, *called):
            if self.backlog is not None:
                self.backlog.forget("" if one == USER else one)
            more = await forget_all_about(opened, one)
            gone = Gone(gone.facts + more.facts, gone.texts + more.texts)
        return gone

    async def let_go(self, farewell: Farewell) -> None:
        """Remove for good what was set aside; where it was all about somebody, what was said of them too.

        Raises:
            StorageError: the disk refused; some of it may still be there.
        """
        opened = await self._room.opened()
        name = farewell.name
        if name and self.backlog is not None:
            self.backlog.forget("" if name == USER else name)
        await self._give_up(opened, *by_number(farewell.facts))
        await let_go(opened, farewell)

    async def settle(self) -> None:
        """Return when what is being forgotten is gone, or a little later."""
        await self._leaving.settle(CLOSE_SECONDS)

    async def close(self) -> None:
        """Drop what is late; what is being forgotten has a little time, and goes at the next start where that ends."""
        await self.settle()
        await self._leaving.close()
        await self._tasks.close()

    # -- the graph

    async def commit(self, triples: Sequence[Triple], source: Source) -> Committed:
        """Store facts from somebody's words.

        Raises:
            CompanionError: they could not be stored.
        """
        return await self._commit(await self._room.opened(), triples, source)

    async def _commit(self, opened: OpenMemory, triples: Sequence[Triple], source: Source) -> Committed:
        from companion.memory.distil.ground import commit
        from companion.memory.facts import Provenance

        provenance = Provenance(source.said_by, source.at, self._session, source.turn_name)
        done = await commit(opened.graph, triples, provenance)
        if done.facts and source.said_by == USER:
            self._newest = _Newest(done.facts, self._room.now(), self._turns)
        return done

    async def _hits(self, opened: OpenMemory, question: str, names: Sequence[str]) -> Sequence[Hit]:
        return (await opened.graph.recall(words_of(question), names, limit=MOST_RECALLED)).facts

    async def _facts(self, opened: OpenMemory, ids: Sequence[int]) -> Sequence[Fact]:
        from companion.memory.facts import Criteria

        return await opened.graph.facts(Criteria(ids=tuple(ids))) if ids else ()


def _backlog(reader: Generator) -> Backlog:
    from companion.insight.profiler import Profiler
    from companion.insight.segmentor import Segmentor
    from companion.memory.distil.by_model import Backlog, ModelDistiller

    return Backlog(ModelDistiller(Segmentor(reader), Profiler(reader)))
