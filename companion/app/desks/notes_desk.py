"""The desk of the knowledge page: the user's own notes, written and taken away by hand, and the index made anew."""

from __future__ import annotations

from pathlib import Path

from companion.app.desks.work import outcome
from companion.app.events import Finished, Telling
from companion.app.minding.desks import Given, Row
from companion.app.minding.index_progress import TASK
from companion.app.minding.knowledge_room import KnowledgeRoom
from companion.errors import BadInput, reason_of
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

LONGEST = 200_000
"""Characters of a note that is written by hand; longer ones come as files."""
MOST_KEPT = 20
"""Notes that were removed and can be put back."""
UNDO_SECONDS = 10


class NotesDesk:
    """Implements ``Desk``."""

    actions = ("read", "write", "remove", "put_back", "renew", "cancel")

    def __init__(self, room: KnowledgeRoom, telling: Telling) -> None:
        self._room = room
        self._telling = telling
        self._tasks = Tasks()
        self._removed: dict[str, str] = {}

    async def perform(self, action: str, given: Given) -> Row:
        """``read`` and ``remove`` of ``name``; ``write`` of ``name`` and ``text``, with ``replace`` in the place of one
        of that name; ``put_back`` of the ``name`` that was removed; ``renew`` the index, or ``cancel`` that.
        """
        match action:
            case "read":
                return {"name": given.text("name"), "text": await self._read(given.text("name"))}
            case "write":
                return await self._write(given.text("name"), given.text("text"), replace=given.truth("replace"))
            case "remove":
                return await self._remove(given.text("name"))
            case "put_back":
                return await self._put_back(given.text("name"))
            case "renew":
                return {"begun": self._renew()}
            case _:
                return await self._cancel()

    async def close(self) -> None:
        """End what goes on."""
        await self._tasks.close()

    async def _read(self, name: str) -> str:
        pieces = await (await self._room.opened()).list()
        file = next((piece.file for piece in pieces if piece.name == name), None)
        if file is None:
            raise BadInput(f"there is no note called {name[:60]!r}", mend="It may have been removed.")
        return await finish_in_thread(lambda: _text(file))

    async def _write(self, name: str, text: str, *, replace: bool) -> Row:
        if len(text) > LONGEST:
            raise BadInput(
                f"a note has at most {LONGEST:,} characters", mend="Keep it as a file in one of the folders."
            )
        piece = await (await self._room.opened()).create(name.strip(), text, replace=replace)
        return {"name": piece.name, "passages": piece.passages, "problem": piece.problem}

    async def _remove(self, name: str) -> Row:
        text = await self._read(name)
        # Before it goes: what happens behind that must not cost the note.
        self._removed.pop(name, None)
        self._removed[name] = text
        while len(self._removed) > MOST_KEPT:
            self._removed.pop(next(iter(self._removed)))
        removed = await (await self._room.opened()).remove(name)
        return {"name": name, "removed": removed, "seconds": UNDO_SECONDS}

    async def _put_back(self, name: str) -> Row:
        if name not in self._removed:
            raise BadInput("this note cannot be put back any more", mend="Write it anew.")
        done = await self._write(name, self._removed[name], replace=False)
        del self._removed[name]
        return done

    def _renew(self) -> bool:
        """Look at all files now; whether that was not going on already."""
        if len(self._tasks):
            return False
        self._tasks.start(self._look(), name="index")
        return True

    async def _cancel(self) -> Row:
        await self._tasks.close()
        self._telling.tell(Finished(TASK))
        return {}

    async def _look(self) -> None:
        self._telling.tell(await outcome(TASK, self._looked))

    async def _looked(self) -> str:
        await (await self._room.opened()).refresh()
        return ""


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {reason_of(error)}", mend="Allow reading it.") from error
