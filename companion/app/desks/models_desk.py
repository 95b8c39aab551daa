"""The desk of the models page: what is on the shelf and in the catalogue, and bringing, checking and removing it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from companion.app.desks.work import Meter, Work
from companion.app.events import Telling
from companion.app.minding.desks import Given, Row
from companion.app.models import ModelRoom
from companion.catalog.choose import choose, is_comfortable, starter_set
from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind, Manifest
from companion.catalog.progress import Phase, Progress
from companion.catalog.room import free_bytes
from companion.catalog.shelf import WORKSHOP, Shelf, size_of, wrong_in_words
from companion.catalog.sizes import in_words
from companion.catalog.source import Source
from companion.errors import (
    BadInput,
    ChecksumMismatch,
    CompanionError,
    DiskFull,
    ModelMissing,
    ShelfError,
    SourceUnreachable,
)
from companion.settings.language import AUTO
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

PULL, VERIFY = "models.pull", "models.verify"
"""Names of tasks begin so, and go on with the name of the model."""
WANTED = ".wanted"
UNREACHED, TRY_LATER = (
    "the places it comes from cannot be reached",
    "Look after the network and try again, or take it from a stick. What has come so far is kept.",
)
SPOILT, TRY_AGAIN = "what came is not what it should be", "Try again."
FREE_SOME = "Free some space, then try again."


class ModelsDesk:
    """Implements ``Desk``.

    room: the shelf, and what the settings say now; may block. sources: where models come from; None: from
    the package index and the hub.
    """

    actions = ("list", "pull", "cancel", "verify", "remove")

    def __init__(
        self,
        room: Callable[[], ModelRoom],
        telling: Telling,
        *,
        sources: Callable[[], Sequence[Source] | None] = lambda: None,
    ) -> None:
        self._room = room
        self._telling = telling
        self._sources = sources
        self._work = Work(telling)
        self._tasks = Tasks()
        self._one_after_another = asyncio.Lock()
        self._is_closing = False
        self._brought: set[str] = set()
        """What came since the start, and is not loaded."""

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``pull`` of ``names`` (by default those to begin with), from the folder ``stick`` alone if there is
        one; ``cancel`` of the pull of ``name``; ``verify`` and ``remove`` of ``name``. Each answers with the list.
        """
        room = await finish_in_thread(self._room)
        match action:
            case "pull":
                self._pull(room, given.texts("names"), given.text("stick", ""))
            case "cancel":
                await self._work.cancel(f"{PULL} {given.text('name')}")
            case "verify":
                name = room.shelf.manifest(given.text("name")).name
                self._work.start(f"{VERIFY} {name}", partial(_verified, room.shelf, name))
            case "remove":
                await self._remove(room.shelf, given.text("name"))
        return await finish_in_thread(lambda: self._list(room))

    def resume(self) -> None:
        """Go on with what was on its way when the companion ended, or was begun anew."""
        self._tasks.start(self._resumed(), name="resume pulls")

    async def close(self) -> None:
        """Stop what goes on; ``resume`` goes on with it."""
        self._is_closing = True
        await self._tasks.close()
        await self._work.close()

    async def _resumed(self) -> None:
        try:
            room = await finish_in_thread(self._room)
            names = await finish_in_thread(lambda: _wanted(room.shelf))
            if names:
                self._pull(room, names, "")
        except (CompanionError, OSError) as error:
            logger.warning("pulls are not gone on with: %s", error)

    # -- what there is

    def _list(self, room: ModelRoom) -> Row:
        shelf, machine = room.shelf, room.machine
        chosen, better = _choices(room)
        starters = set(starter_set(machine, room.language))
        rows = [
            _row(room, manifest)
            | {
                "is_chosen": manifest.name in chosen,
                "is_better": manifest.name in better,
                "is_starter": manifest.name in starters,
                "is_coming": f"{PULL} {manifest.name}" in self._work.going,
                "is_verified": f"{VERIFY} {manifest.name}" in self._work.going,
            }
            for manifest in shelf.manifests.values()
        ]
        return {
            "models": rows,
            "folder": str(shelf.root),
            "free": free_bytes(shelf.root),
            "memory_mb": machine.memory_mb,
            "cores": machine.cores,
            "language": room.language,
            "waiting": sorted(self._brought & chosen),
        }

    # -- what is done

    def _pull(self, room: ModelRoom, names: Sequence[str], stick: str) -> None:
        wanted = [room.shelf.manifest(name) for name in names or starter_set(room.machine, room.language)]
        if stick and not Path(stick).is_dir():
            raise BadInput(f"{stick} is no folder", mend="Plug the stick in, and choose its folder.")
        for manifest in wanted:
            if not room.shelf.has(manifest.name):
                self._work.start(f"{PULL} {manifest.name}", partial(self._pulled, room.shelf, manifest, stick))

    async def _pulled(self, shelf: Shelf, manifest: Manifest, stick: str) -> str:
        from companion.catalog.pull import pull
        from companion.catalog.stick import Stick

        meter = Meter(self._telling, f"{PULL} {manifest.name}")
        note = _note_of(shelf, manifest.name)
        try:
            if not stick:
                await finish_in_thread(lambda: _put_down(note))
            async with self._one_after_another:
                sources = [Stick(Path(stick))] if stick else self._sources()
                await pull(shelf, [manifest.name], sources=sources, on_progress=_Tally(manifest, meter).note)
            self._brought.add(manifest.name)
        except ShelfError as error:
            logger.warning("%s was not brought: %s", manifest.name, error)
            raise _for_people(error) from error
        finally:
            if not self._is_closing:
                with suppress(OSError):
                    note.unlink(missing_ok=True)
        return ""

    async def _remove(self, shelf: Shelf, name: str) -> None:
        if f"{PULL} {name}" in self._work.going:
            raise BadInput(f"{name} is on its way", mend="Cancel that first.")
        await finish_in_thread(lambda: shelf.remove(name))


def _for_people(error: ShelfError) -> ShelfError:
    """What went wrong with a pull, for somebody who sees a button and no terminal."""
    match error:
        case DiskFull(needed=needed, free=free):
            told = f"it needs {in_words(needed)}, and {in_words(free)} are free on the disk"
            return DiskFull(told, needed=needed, free=free, mend=FREE_SOME)
        case SourceUnreachable(retryable=retryable):
            return SourceUnreachable(UNREACHED, mend=TRY_LATER, retryable=retryable)
        case ChecksumMismatch():
            return ChecksumMismatch(SPOILT, mend=TRY_AGAIN)
        case _:
            return error


def _note_of(shelf: Shelf, name: str) -> Path:
    """The file that says: this model was on its way."""
    return shelf.root / WORKSHOP / f"{name}{WANTED}"


def _put_down(note: Path) -> None:
    with suppress(OSError):  # what the shelf has against being written is told by the pull
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()


def _wanted(shelf: Shelf) -> list[str]:
    """Models that were on their way; notes of what has come meanwhile are removed."""
    wanted = []
    for name in shelf.manifests:
        note = _note_of(shelf, name)
        if note.exists() and not shelf.has(name):
            wanted.append(name)
        elif note.exists():
            note.unlink(missing_ok=True)
    return wanted


class _Tally:
    """Adds up the files of a model."""

    def __init__(self, manifest: Manifest, meter: Meter) -> None:
        self._total = manifest.bytes
        self._sizes = {file.name: file.bytes for file in manifest.files}
        self._come: dict[str, float] = {}
        self._meter = meter

    def note(self, progress: Progress) -> None:
        if progress.phase is Phase.READY:
            self._meter.tell(self._total, self._total, Phase.READY.value)
            return
        size = self._sizes.get(progress.file, 0)
        if progress.phase is Phase.FETCHING and progress.total:
            self._come[progress.file] = size * min(progress.done / progress.total, 1.0)
        elif progress.phase in (Phase.CHECKING, Phase.UNPACKING):
            self._come.setdefault(progress.file, size)
        self._meter.tell(min(sum(self._come.values()), self._total), self._total, progress.phase.value)


def _choices(room: ModelRoom) -> tuple[set[str], set[str]]:
    """What would be used, by name, and what would be better and is worth a pull."""
    chosen, better = set[str](), set[str]()
    on_shelf = room.shelf.names()
    for kind in Kind:
        try:
            chosen.add(room.manifest(kind).name)
            found = choose(kind, room.language, room.machine, room.shelf.manifests, on_shelf)
        except (ModelMissing, CompanionError):
            continue
        if found.better is not None:
            better.add(found.better.name)
    return chosen & set(on_shelf), better


def _row(room: ModelRoom, manifest: Manifest) -> Row:
    shelf = room.shelf
    return {
        "name": manifest.name,
        "kind": manifest.kind.value,
        "title": manifest.title,
        "note": manifest.note,
        "licence": manifest.licence,
        "languages": list(manifest.languages),
        "knows": room.language == AUTO or manifest.speaks(room.language),
        "bytes": manifest.bytes,
        "memory_mb": manifest.memory_mb,
        "on_shelf": shelf.has(manifest.name),
        "begun": size_of(shelf.workplace(manifest.name)),
        "fit": _fit(manifest, room.machine),
    }


def _fit(manifest: Manifest, machine: Machine) -> str:
    """Whether it fits this machine: "well", "slow", or "not" where it would not even go into its memory."""
    if is_comfortable(manifest, machine):
        return "well"
    return "slow" if manifest.memory_mb < machine.memory_mb else "not"


async def _verified(shelf: Shelf, name: str) -> str:
    """What is wrong with a model, in a sentence."""
    reports = await finish_in_thread(lambda: shelf.verify(name))
    wrong = wrong_in_words(reports)
    return f"{name} is not whole: {wrong}. Bring it again." if wrong else ""
