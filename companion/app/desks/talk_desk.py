"""The desk of the talk page: older turns a page at a time, search, the newest turns in detail, and what the user thinks
of answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from companion.app.events import Telling
from companion.app.kept_turns import EndedTurns, KeptTurns
from companion.app.minding.desks import Given, Row
from companion.app.past_turns import PastTurn, PastTurns
from companion.app.turn_log import TurnLog
from companion.app.turn_notes import LONGEST, NotedTurns, TurnNote, TurnNoted, TurnNotes, Verdict
from companion.app.turn_rows import row_of
from companion.errors import BadInput
from companion.stream.threads import finish_in_thread

MOST_SHOWN = 200
LONGEST_TEXT = 4000
"""Characters of a question or an answer in a note; the rest is cut."""


class TalkDesk:
    """Implements ``Desk``.

    session: the file of the conversation; None where none is kept: notes hold no words then. kept: the details of older
    turns.
    """

    actions = ("older", "search", "recent", "note")

    def __init__(self, session: Path | None, notes: Path, turns: TurnLog, telling: Telling, *, kept: KeptTurns) -> None:
        self._past = PastTurns(session) if session is not None else None
        self._notes = TurnNotes(notes)
        self._turns = turns
        self._telling = telling
        self._kept = kept
        self._noting = asyncio.Lock()
        """The last thing somebody said counts, so notes are kept in their order."""

    async def perform(self, action: str, given: Given) -> Row:
        """``older`` turns than byte ``before`` of the file (or its end), and than the time ``until``; ``search`` for
        ``query``; ``recent`` turns in detail; ``note`` a ``verdict`` and a ``note`` about the turn ``at``.
        """
        match action:
            case "search":
                return await self._search(given)
            case "recent":
                records = self._turns.records[-_limit(given) :]
                return {"turns": [row_of(record) for record in records]}
            case "note":
                return await self._note(given)
            case _:
                return await self._older(given)

    async def _older(self, given: Given) -> Row:
        if self._past is None:
            return {"turns": [], "before": 0}
        past, before, limit = self._past, given.number("before", -1), _limit(given)
        until = _time(given.text("until", ""))

        def read() -> Row:
            page = past.page(before, limit)
            turns = [turn for turn in page.turns if until is None or turn.at is None or turn.at < until]
            return {"turns": self._rows(turns), "before": page.before}

        return await finish_in_thread(read)

    async def _search(self, given: Given) -> Row:
        query, limit = given.text("query").strip(), _limit(given)
        if not query:
            raise BadInput("query is empty", mend="Type a few words.")
        if self._past is None:
            return self._search_newest(query, limit)
        past = self._past

        def read() -> Row:
            found, is_more = past.search(query, limit)
            return {"turns": self._rows(found), "more": is_more}

        return await finish_in_thread(read)

    def _search_newest(self, query: str, limit: int) -> Row:
        """Where nothing is kept there are the turns since the start."""
        wanted = query.casefold()
        found = [one for one in self._turns.records if wanted in one.asked.casefold() or wanted in one.said.casefold()]
        turns = [PastTurn(0, one.asked, one.said, one.at, one.language, not one.whole) for one in reversed(found)]
        rows = [_past_row(turn, NotedTurns(()), EndedTurns(())) for turn in turns[:limit]]
        return {"turns": rows, "more": len(turns) > limit}

    def _rows(self, turns: Sequence[PastTurn]) -> list[Row]:
        """With what was noted of them, and their details. Blocking."""
        noted, ended = NotedTurns(self._notes.all()), EndedTurns(self._kept.all())
        return [_past_row(turn, noted, ended) for turn in turns]

    async def _note(self, given: Given) -> Row:
        at = _time(given.text("at"))
        if at is None:
            raise BadInput("at is missing", mend="Name the time of the question.")
        keeps = self._past is not None
        note = TurnNote(
            at,
            given.text("asked", "")[:LONGEST_TEXT] if keeps else "",
            given.text("said", "")[:LONGEST_TEXT] if keeps else "",
            _verdict(given.text("verdict")),
            given.text("note", "").strip()[:LONGEST],
            given.text("source", ""),
        )
        async with self._noting:
            await finish_in_thread(lambda: self._notes.add(note))
            self._telling.tell(TurnNoted(note))
        return {"verdict": note.verdict.value, "note": note.note}


def _past_row(turn: PastTurn, noted: NotedTurns, ended: EndedTurns) -> Row:
    note, record = noted.of(turn.asked, turn.at), ended.at(turn.at)
    return {
        "at": turn.at.isoformat() if turn.at else "",
        "asked": turn.asked,
        "said": turn.said,
        "language": turn.language,
        "interrupted": turn.interrupted,
        "verdict": note.verdict.value if note else "",
        "note": note.note if note else "",
        "details": row_of(record) if record else None,
    }


def _limit(given: Given) -> int:
    return max(1, min(given.number("limit", 40), MOST_SHOWN))


def _time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text[:40]!r} is no time", mend="Write it as 2026-03-01T18:30+01:00.") from error
    if moment.tzinfo is None:
        raise BadInput(f"{text[:40]!r} has no zone", mend="Write it as 2026-03-01T18:30+01:00.")
    return moment


def _verdict(word: str) -> Verdict:
    try:
        return Verdict(word)
    except ValueError as error:
        raise BadInput(f"there is no verdict {word[:40]!r}", mend="There are: good, bad, wrong, or nothing.") from error
