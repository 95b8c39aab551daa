"""The user's own notes and documents, made searchable: pieces of knowledge, and the folders the user has named."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn, Self

from companion.errors import BadInput, SetupError, StorageError
from companion.knowledge.index import Index
from companion.knowledge.index_file import Known
from companion.knowledge.ingest import Ingest, Marks, Progress, Refreshed, at_once
from companion.knowledge.limits import USUAL, Limits
from companion.knowledge.pieces import Pieces
from companion.knowledge.reader_process import FileReader, ReaderProcess
from companion.knowledge.retrieve import DEFAULT_HITS, Hit, find
from companion.knowledge.scan import CONTENT, FileKey, Root
from companion.knowledge.watch import STEADY, Pace, watch
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

INDEX_FILE = "knowledge.db"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of knowledge. passages: 0 until it has been read; problem: why it cannot be."""

    name: str
    file: Path
    passages: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A folder that the user has named, and what the index holds of it."""

    folder: Path
    files: int = 0
    passages: int = 0
    problems: int = 0


class Problem(NamedTuple):
    """What is wrong with a file or folder, or was guessed about it."""

    file: Path
    reason: str


class KnowledgeBase:
    """Search over ``folder`` (``<name>/content.md``) and ``folders`` (whatever lies in them). Made by ``open``.

    It knows nothing of memory. Text that it returns is data from files; ``render`` marks it as such for a model.
    """

    def __init__(
        self,
        pieces: Pieces,
        index: Index,
        ingest: Ingest,
        folders: Sequence[Path],
        own: Path,
        reader: FileReader,
        limits: Limits,
    ) -> None:
        self._limits = limits
        self._pieces = pieces
        self._index = index
        self._ingest = ingest
        self._own = Root(own, is_own=True)
        self._named = _roots(folders)
        self._reader = reader

    @classmethod
    async def open(
        cls,
        folder: Path,
        folders: Sequence[Path] = (),
        *,
        cache: Path,
        limits: Limits = USUAL,
        reader: FileReader | None = None,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        before_each: Callable[[], Awaitable[None]] = at_once,
    ) -> Self:
        """The knowledge of ``folder`` as the index has it; ``refresh`` or ``watch`` brings that up to date.

        cache: the folder of the index, which can be removed at any time.
        on_progress: called on the loop after each file that is read; it must not raise.
        before_each: awaited before each file is read; it may hold back while the machine is needed.

        Raises:
            BadInput: there are too many folders.
        """
        index = await Index.open(cache / INDEX_FILE)
        reader = reader or ReaderProcess(limits)
        ingest = Ingest(index, reader, limits, on_progress=on_progress, before_each=before_each)
        own = await finish_in_thread(folder.absolute)
        return cls(Pieces(own), index, ingest, await _resolved(folders, limits), own, reader, limits)

    @property
    def problems(self) -> tuple[str, ...]:
        """What a person should know of the index itself, oldest first."""
        return tuple(self._index.problems)

    async def search(self, query: str, k: int = DEFAULT_HITS) -> tuple[Hit, ...]:
        """The ``k`` passages that fit ``query`` best, the best first; 5 for ``k`` of zero or less.

        Nothing where not one word, or pair of Chinese characters, is shared.

        Raises:
            StorageError: the index cannot be read.
        """
        return await self._index.ask(lambda connection: find(connection, query, k))

    async def create(self, name: str, content: str, *, replace: bool = False) -> Piece:
        """Keep a piece of knowledge; it is on the disk, and found, when this returns.

        Raises:
            BadName: this cannot be its name.
            BadInput: it is empty or too long.
            KnowledgeExists: there is another one of that name, and it shall not be replaced.
            StorageError: the disk does not let us, and nothing has changed.
        """
        file = await finish_in_thread(lambda: self._pieces.write(name, content, replace=replace))
        key = self._key(file.parent.name)
        try:
            await self._ingest.look_at(key)
            return Piece(file.parent.name, file, *_state((await self._index.known()).get(key)))
        except (StorageError, SetupError) as error:
            logger.error("new knowledge is not in the index yet: %s", error)
            return Piece(file.parent.name, file, problem="it is kept, but cannot be found yet")

    async def remove(self, name: str) -> bool:
        """Remove a piece of knowledge, if there is one; whether there was. An index that cannot be written follows
        with the next look.

        Raises:
            StorageError: the disk does not let us, and it is still there.
        """
        file = await finish_in_thread(lambda: self._pieces.remove(name))
        if file is not None:
            try:
                await self._index.drop([self._key(file.parent.name)])
            except StorageError as error:
                logger.error("what was removed is still in the index: %s", error)
        return file is not None

    async def list(self) -> tuple[Piece, ...]:
        """The pieces of knowledge, by name.

        Raises:
            StorageError: their folder or the index cannot be read.
        """
        names = await finish_in_thread(self._pieces.names)
        known = await self._index.known()
        return tuple(Piece(name, self._key(name).file, *_state(known.get(self._key(name)))) for name in names)

    async def folders(self) -> tuple[Named, ...]:
        """The folders that the user has named. Raises StorageError."""
        known = await self._index.known()
        return tuple(
            _summed(root.folder, [entry for key, entry in known.items() if key.root == root.folder])
            for root in self._named
        )

    async def name_folders(self, folders: Sequence[Path]) -> None:
        """Search these folders instead of those named before, from the next look on.

        Raises:
            BadInput: there are too many.
        """
        before, self._named = self._named, _roots(await _resolved(folders, self._limits))
        kept = {root.folder for root in self._named}
        self._ingest.leave_out(root.folder for root in before if root.folder not in kept)

    async def troubles(self) -> tuple[Problem, ...]:
        """What is wrong with files and folders, each once, in order. Raises StorageError."""
        known = await self._index.known()
        told = dict(self._ingest.walk_problems)
        for key, entry in known.items():
            for reason in (entry.problem, *entry.notes):
                if reason:
                    told.setdefault(key.file, reason)
        return tuple(Problem(file, reason) for file, reason in sorted(told.items()))

    async def refresh(self) -> Refreshed:
        """Bring the index up to date with the files.

        Raises:
            StorageError: the index cannot be written.
            SetupError: the process that reads files cannot be started.
        """
        return await self._ingest.look(self._roots())

    async def watch(self, pace: Pace = STEADY) -> NoReturn:
        """Keep the index up to date until cancelled."""
        await watch(self._look, pace)

    async def close(self) -> None:
        """End what was started. May be called twice."""
        await self._reader.close()
        await self._index.close()

    async def _look(self, settled_since: Marks | None) -> tuple[Refreshed, Marks]:
        refreshed = await self._ingest.look(self._roots(), settled_since=settled_since)
        return refreshed, self._ingest.seen

    def _roots(self) -> tuple[Root, ...]:
        return (self._own, *self._named)

    def _key(self, name: str) -> FileKey:
        return FileKey(self._own.folder, f"{name}/{CONTENT}")


def _state(known: Known | None) -> tuple[int, str]:
    return (known.passages, known.problem) if known else (0, "")


def _summed(folder: Path, entries: Sequence[Known]) -> Named:
    return Named(
        folder, len(entries), sum(entry.passages for entry in entries), sum(bool(entry.problem) for entry in entries)
    )


def _roots(folders: Sequence[Path]) -> tuple[Root, ...]:
    """Each once; a folder within another comes with that."""
    wanted = dict.fromkeys(folders)
    return tuple(Root(folder) for folder in wanted if not any(parent in wanted for parent in folder.parents))


async def _resolved(folders: Sequence[Path], limits: Limits) -> list[Path]:
    if len(folders) > limits.folders:
        raise BadInput(
            f"there are more than {limits.folders} folders of documents",
            mend="Name a folder that holds several of them.",
        )
    return await finish_in_thread(lambda: [_whole_path(folder) for folder in folders])


def _whole_path(folder: Path) -> Path:
    try:
        return folder.expanduser().resolve()
    except (OSError, RuntimeError):  # an unknown user's home, a link that leads to itself
        return folder.absolute()
