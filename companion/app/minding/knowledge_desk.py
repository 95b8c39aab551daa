"""The desk of ``companion knowledge``: lists, searches and adds, and names the folders that are searched."""

from __future__ import annotations

from pathlib import Path

from companion.app.minding.desks import Given, Row
from companion.app.minding.knowledge_room import KnowledgeRoom
from companion.errors import BadInput, reason_of
from companion.settings.given_file import read_given
from companion.settings.store import SettingsStore
from companion.stream.threads import finish_in_thread

SETTING = "knowledge.folders"
LARGEST_ADDED = 16 << 20
"""Bytes of a file that is added."""
LONGEST_SHOWN = 200
"""Letters of a folder that is not there."""


class KnowledgeDesk:
    """Implements ``Desk``. store: where the user's folders are named."""

    actions = ("list", "search", "add", "remove", "folders", "name", "unname")

    def __init__(self, room: KnowledgeRoom, store: SettingsStore) -> None:
        self._room = room
        self._store = store

    async def perform(self, action: str, given: Given) -> Row:
        match action:
            case "list":
                return await self._list()
            case "search":
                return await self._search(given)
            case "add":
                return await self._add(given)
            case "remove":
                name = given.text("name")
                return {"name": name, "removed": await (await self._room.opened()).remove(name)}
            case "name" | "unname":
                await self._name(given.text("folder"), is_wanted=action == "name")
        return await self._folders(is_quick=given.truth("quick"))

    async def _list(self) -> Row:
        base = await self._room.opened()
        pieces = [
            {"name": piece.name, "file": str(piece.file), "passages": piece.passages, "problem": piece.problem}
            for piece in await base.list()
        ]
        troubles = [{"file": str(one.file), "reason": one.reason} for one in await base.troubles()]
        return {"pieces": pieces, "problems": troubles}

    async def _search(self, given: Given) -> Row:
        from companion.knowledge import cite

        query = given.text("query")
        if not query.strip():
            raise BadInput("query is empty", mend="Say it in quotes.")
        base = await self._room.opened()
        if not self._room.is_watched and not given.truth("quick"):
            await base.refresh()
        hits = await base.search(query, given.number("limit", 5))
        return {
            "found": [
                {"text": hit.text, "place": cite(hit), "file": str(hit.file), "page": hit.page, "line": hit.line}
                | {"name": hit.name, "headings": list(hit.headings), "score": round(hit.score, 3)}
                for hit in hits
            ]
        }

    async def _add(self, given: Given) -> Row:
        file = Path(given.text("file"))
        content = await finish_in_thread(lambda: _read(file))
        piece = await (await self._room.opened()).create(given.text("name"), content, replace=given.truth("replace"))
        return {"name": piece.name, "file": str(piece.file), "passages": piece.passages, "problem": piece.problem}

    async def _folders(self, *, is_quick: bool) -> Row:
        """is_quick: as the index has them, without a look at the files."""
        base = await self._room.opened()
        if not self._room.is_watched and not is_quick:
            await base.refresh()
        return {
            "folders": [
                {"folder": str(one.folder), "files": one.files, "passages": one.passages, "problems": one.problems}
                for one in await base.folders()
            ]
        }

    async def _name(self, folder: str, *, is_wanted: bool) -> None:
        path = str(Path(folder))
        if is_wanted and not await finish_in_thread(lambda: _is_folder(Path(folder))):
            raise BadInput(f"{folder[:LONGEST_SHOWN]} is no folder", mend="Name one that is there.")

        def change() -> tuple[str, ...]:
            value = self._store.get(SETTING)
            named = dict.fromkeys(value if isinstance(value, tuple) else ())
            if is_wanted:
                named[path] = None
            elif path not in named:
                raise BadInput(f"{path} is not among the folders", mend="See them: companion knowledge folders")
            else:
                del named[path]
            self._store.set(SETTING, ";".join(named))
            return tuple(named)

        folders = await finish_in_thread(change)
        await (await self._room.opened()).name_folders([Path(one) for one in folders])


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long
        return False


def _read(file: Path) -> str:
    try:
        return read_given(file, LARGEST_ADDED).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: this is no UTF-8 text", mend="Save it as UTF-8.") from error
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {reason_of(error)}", mend="Name a file that you may read.") from error
