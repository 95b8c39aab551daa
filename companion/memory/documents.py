"""The second layer of memory: documents, one JSON file each, and their index in ``memory.db``.

Laws:

1. A document that was returned is on the disk. The files are the truth; the index is mended from them, at every
   opening and where it could not be written.
2. Reading never removes a document. Only a deliberate ``query`` counts as access; ``search`` does not.
3. A content that is there already is not added again.
4. A damaged file is set aside under its own name, the newest copy in a backup takes its place, and ``problems`` says
   so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Self

from companion.errors import MemoryBusy, StorageError
from companion.memory import document as files
from companion.memory.archive import EVENTS, all_of, archived, holds_said, without, without_said
from companion.memory.aside import set_aside
from companion.memory.context import Event
from companion.memory.document import DamagedDocument, Document, Source
from companion.memory.document_index import DocumentIndex
from companion.memory.enclosed import DOCUMENTS
from companion.memory.naming import naming
from companion.memory.passages import Kind
from companion.memory.storable import storable
from companion.memory.store import Store
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question
from companion.memory.tfidf import TfIdf, telling_pairs
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

COLD_AFTER = timedelta(hours=72)
COLD_ACCESSES = 2
USUAL_HITS = 5
MOST_HITS = 50
LEAST_COSINE = 0.15
"""Documents less like the question are not found by likeness. Of few and short documents 0.05 finds nearly all, and
each that is found counts as asked for."""
LEAST_SHARED = 2 / 3
"""Of the question's pairs of characters; a word that was misspelt has so many."""
_LIKENESS = 100
"""The newest documents, which are compared with a question as wholes."""
_MOST_PROBLEMS = 20
_BATCH = 100


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document that was found."""

    document: Document
    score: float
    """Higher is better; comparable within one search."""
    passage: str = ""
    """What of it fits best; empty where it is like the question as a whole."""


class Documents:
    """The documents in ``folder``. Made by ``open``. Every method raises StorageError where the disk refuses."""

    def __init__(self, folder: Path, store: Store, clock: Callable[[], datetime]) -> None:
        self._folder = folder
        self._store = store
        self._clock = clock
        self._index = DocumentIndex(store)
        self._texts = TextIndex(store)
        self._problems: list[str] = []
        self._stale: set[str] = set()
        self._turns = asyncio.Lock()

    @classmethod
    async def open(cls, folder: Path, store: Store, clock: Callable[[], datetime]) -> Self:
        """The documents in ``folder``, their index mended. clock: the local time with its zone.

        What the disk refuses now is in ``problems``; later calls try again.
        """
        documents = cls(folder, store, clock)
        try:
            await documents.reindex()
        except (StorageError, MemoryBusy) as error:
            documents._tell(str(error))
        return documents

    @property
    def problems(self) -> tuple[str, ...]:
        """What a person should know about the files."""
        return tuple(self._problems)

    async def insert(
        self,
        summary: str,
        content: str,
        *,
        source: str = Source.MANUAL,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        meta: Mapping[str, Any] | None = None,
    ) -> Document:
        """Keep a document; one with the same content is brought up to date instead. It is on the disk then."""
        content = storable(content)[: files.LONGEST_CONTENT]
        async with self._turns:
            now, hashed = self._clock(), files.hash_of(content)
            old = await self._with_hash(hashed)
            fresh = Document(
                id=old.id if old else await self._new_id(now),
                summary=storable(summary)[: files.LONGEST_SUMMARY],
                content=content,
                source=source,
                created_at=old.created_at if old else now,
                updated_at=now,
                last_access=now,
                access_count=old.access_count if old else 1,
                tags=_joined(old.tags if old else (), [*map(storable, tags)]),
                entities=_joined(old.entities if old else (), [*map(storable, entities)]),
                meta={**_meta(old, meta or {}), "content_hash": hashed},
            )
            await self._write(fresh)
            return fresh

    async def archive(self, events: Sequence[Event]) -> Document | None:
        """Keep events that leave the context; None where there is nothing in them."""
        made = archived(events)
        if made is None:
            return None
        return await self.insert(
            made.summary,
            made.content,
            source=Source.ARCHIVED,
            tags=made.tags,
            entities=made.entities,
            meta=made.meta,
        )

    async def get(self, document_id: str) -> Document | None:
        """One document; None where there is none of that id. Does not count as access."""
        if not files.is_id(document_id):
            return None
        return await finish_in_thread(lambda: self._read(document_id))

    async def query(self, text: str, most: int = USUAL_HITS) -> list[DocumentHit]:
        """What fits ``text``, best first, asked for on purpose: the access of each is counted."""
        hits = await self.search(text, most, alike=True)
        return [replace(hit, document=await self._accessed(hit.document)) for hit in hits]

    async def search(self, text: str, most: int = USUAL_HITS, *, alike: bool = False) -> list[DocumentHit]:
        """What fits ``text``, best first. ``alike``: where no word fits, what is like it by pairs of characters."""
        most = min(most, MOST_HITS) if most > 0 else USUAL_HITS
        found = await self._texts.search(Kind.DOCUMENT, Question(text, self._clock()), most * 4)
        best: dict[str, tuple[float, str]] = {}
        for hit in found:
            if hit.words or hit.by_date:
                best.setdefault(hit.passage.source, (hit.score, hit.passage.text))
        if best or not alike:
            return await finish_in_thread(lambda: self._hits(best)[:most])
        newest = [listed.id for listed in await self._index.newest(_LIKENESS)]
        return await finish_in_thread(lambda: self._alike(text, newest)[:most])

    async def recent(self, most: int = USUAL_HITS) -> list[Document]:
        """The newest documents, newest first."""
        listed = await self._index.newest(min(most, MOST_HITS) if most > 0 else USUAL_HITS)
        return await finish_in_thread(lambda: [held for one in listed if (held := self._read(one.id))])

    async def cold(
        self, *, older_than: timedelta = COLD_AFTER, most_accesses: int = COLD_ACCESSES, most: int = _BATCH
    ) -> list[Document]:
        """Documents last asked for longer ago than that, and not more often than that; the coldest first."""
        listed = await self._index.cold(self._clock() - older_than, most_accesses, most)
        return await finish_in_thread(lambda: [held for one in listed if (held := self._read(one.id))])

    async def size(self) -> int:
        """How many there are."""
        return await self._index.count()

    async def remove(self, document_id: str) -> bool:
        """Let a document go; whether there was one."""
        if not files.is_id(document_id):
            return False
        async with self._turns:
            was_there = await finish_in_thread(lambda: self._unlink(document_id))
            self._stale.add(document_id)
            await self._mend()
            return was_there

    async def store_waiting(self) -> None:
        """Index what could not be indexed before."""
        async with self._turns:
            await self._mend()

    async def count_naming(self, name: str) -> int:
        """How many documents ``forget_about`` would change."""
        names = naming(name)
        return len(await finish_in_thread(lambda: self._having(lambda held: names(all_of(held)))))

    async def forget_about(self, name: str) -> int:
        """Forget what names somebody, events in archives and lines in others; how many were changed or went.

        Every file is looked through, for its index knows only the beginnings of what was said.
        """
        names = naming(name)
        gone = await self._forget(lambda held: names(all_of(held)), lambda held: without(held, name))
        if gone:
            await self._texts.wipe()
        return gone

    async def forget_said(self, event: Callable[[Event], bool], line: Callable[[str], bool]) -> int:
        """Forget these events of archives, and these lines of what was written down of the graph; how many documents
        were changed or went. The texts are to be wiped after that.
        """

        def lines(held: Document) -> Callable[[str], bool]:
            return line if held.source == Source.GRAPH else lambda _: False

        return await self._forget(
            lambda held: holds_said(held, event, lines(held)), lambda held: without_said(held, event, lines(held))
        )

    async def _forget(self, has: Callable[[Document], bool], without: Callable[[Document], Document | None]) -> int:
        meant = await finish_in_thread(lambda: self._having(has))
        for document_id in meant:
            await self._forget_in(document_id, without)
        return len(meant)

    def _having(self, has: Callable[[Document], bool]) -> list[str]:
        ids = sorted(file.stem for file in self._folder.glob("doc_*.json") if files.is_id(file.stem))
        return [one for one in ids if (held := self._read(one)) and has(held)]

    async def _forget_in(self, document_id: str, without: Callable[[Document], Document | None]) -> None:
        async with self._turns:
            held = await finish_in_thread(lambda: self._read(document_id))
            rest = without(held) if held else None
            if rest is not None:
                await self._write(rest)
                return
            await finish_in_thread(lambda: self._unlink(document_id))
            self._stale.add(document_id)
            await self._mend()

    async def reindex(self) -> None:
        """Bring the index in line with the files."""
        async with self._turns:
            known = {listed.id: listed.stamp for listed in await self._index.all()}
            changed = await finish_in_thread(lambda: self._changed(known))
            self._stale |= changed
            await self._mend()

    async def _accessed(self, document: Document) -> Document:
        """The document with one access more; a disk that refuses does not keep it from being read."""
        async with self._turns:
            current = await self.get(document.id)
            if current is None:
                return document
            asked = replace(current, access_count=current.access_count + 1, last_access=self._clock())
            try:
                stamp = await finish_in_thread(lambda: files.write(self._folder, asked))
                await self._index.touch(asked, stamp)
            except (StorageError, MemoryBusy) as error:
                logger.warning("an access could not be counted: %s", type(error).__name__)
                self._stale.add(document.id)
            return asked

    async def _write(self, document: Document) -> None:
        await finish_in_thread(lambda: files.write(self._folder, document))
        self._stale.add(document.id)
        try:
            await self._mend()
        except (StorageError, MemoryBusy) as error:
            # The file is the truth and is written; the index follows later.
            logger.warning("a document could not be indexed: %s", type(error).__name__)

    async def _mend(self) -> None:
        """Index what has changed. What cannot be indexed stays noted."""
        for document_id in sorted(self._stale):
            held = await finish_in_thread(partial(self._held, document_id))
            await self._index.put(document_id, held)
            self._stale.discard(document_id)

    def _held(self, document_id: str) -> tuple[Document, str] | None:
        file = files.file_of(self._folder, document_id)
        held = self._read(document_id)
        return None if held is None else (held, files.stamp_of(file))

    def _read(self, document_id: str) -> Document | None:
        file = files.file_of(self._folder, document_id)
        try:
            return files.read(file)
        except FileNotFoundError:
            return None
        except DamagedDocument as error:
            kept = set_aside(file)
            self._stale.add(document_id)
            held = self._spare(file)
            then = "; the newest backup took its place" if held else ""
            self._tell(f"{file.name} was damaged ({error}) and is kept as {kept.name}{then}")
            return held

    def _spare(self, file: Path) -> Document | None:
        """The document as the newest backup has it, put in its place."""
        try:
            held = files.parsed(self._store.spare(f"{DOCUMENTS}/{file.name}") or b"", file.stem)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        files.write(self._folder, held)
        return held

    def _unlink(self, document_id: str) -> bool:
        file = files.file_of(self._folder, document_id)
        try:
            file.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise files.storage_error(file, error) from error
        return True

    def _changed(self, known: Mapping[str, str]) -> set[str]:
        """The ids whose files are not as the index knows them."""
        try:
            present = {file.stem: files.stamp_of(file) for file in self._folder.glob("doc_*.json")}
        except OSError as error:
            raise files.storage_error(self._folder, error) from error
        present = {name: stamp for name, stamp in present.items() if files.is_id(name)}
        return {name for name in present.keys() | known.keys() if present.get(name) != known.get(name)}

    def _hits(self, best: Mapping[str, tuple[float, str]]) -> list[DocumentHit]:
        held = ((self._read(name), score, passage) for name, (score, passage) in best.items())
        return [DocumentHit(document, score, passage) for document, score, passage in held if document]

    def _alike(self, text: str, names: Sequence[str]) -> list[DocumentHit]:
        """Those of ``names`` that are like ``text`` as wholes."""
        held = {name: found for name in names if (found := self._read(name))}
        index = TfIdf(telling_pairs)
        for name, one in held.items():
            index.add(name, f"{one.summary}\n{' '.join(one.tags)}\n{one.content}")
        alike = index.search(text, _LIKENESS, above=LEAST_COSINE)
        return [DocumentHit(held[name], score) for name, score in alike if index.shared(text, name) >= LEAST_SHARED]

    async def _with_hash(self, hashed: str) -> Document | None:
        for listed in await self._index.with_hash(hashed):
            if (held := await self.get(listed)) is not None and held.hash == hashed:
                return held
        return None

    async def _new_id(self, now: datetime) -> str:
        first = int(now.timestamp() * 1_000_000) * 1_000
        names = (f"doc_{first + more}" for more in count())
        return await finish_in_thread(lambda: next(n for n in names if not files.file_of(self._folder, n).exists()))

    def _tell(self, problem: str) -> None:
        logger.error("%s", problem)
        if problem not in self._problems:
            self._problems = [*self._problems, problem][-_MOST_PROBLEMS:]


def _joined(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*new, *old]))[: files.MOST_TAGS]


def _meta(old: Document | None, new: Mapping[str, Any]) -> dict[str, Any]:
    """What is noted beside a content; events that read alike on two days are both kept."""
    if old is None:
        return dict(new)
    both = {**old.meta, **new}
    if was := old.meta.get(EVENTS):
        both[EVENTS] = [*was, *(event for event in new.get(EVENTS, ()) if event not in was)]
    return both
