"""The rows of the conversation for a view: those the window has loaded from the past, and those that go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from companion.app.turn_log import TurnRecord
from companion.app.turn_notes import TurnNote, Verdict
from companion.app.turn_rows import record_of
from companion.ui.transcript import Row, Stage, Transcript
from companion.ui.turn_words import shown_day
from companion.ui.widgets import plain
from companion.ui.widgets.notice import sentence

DAY = Qt.ItemDataRole.UserRole + 1
"""The name of a day, where another one begins; else empty."""
MOST = 20_000
"""Rows; no more are loaded from the past."""

Index = QModelIndex | QPersistentModelIndex


class TurnModel(QAbstractListModel):
    """Oldest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._past: list[Row] = []
        self._live: tuple[Row, ...] = ()
        self._gone = 0

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._past) + len(self._live)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.row(index.row())
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self.spoken(row)
            case Qt.ItemDataRole.UserRole:
                return row
            case _:
                return self._day(index.row()) if role == DAY else None

    def row(self, place: int) -> Row:
        """The row at a place."""
        past = len(self._past)
        return self._past[place] if place < past else self._live[place - past]

    @property
    def has_room(self) -> bool:
        """Whether more may be loaded from the past."""
        return self.rowCount() < MOST

    @property
    def first_at(self) -> datetime | None:
        """When the oldest turn was, as far as anybody knows."""
        return next((row.at for row in (*self._past, *self._live) if row.at is not None), None)

    def spoken(self, row: Row) -> str:
        """The row for who hears the screen instead of seeing it."""
        if row.is_news:
            return self.tr("Companion: {answer}").format(answer=plain.short(row.answer))
        parts = [self.tr("You: {question}").format(question=plain.short(row.asked))]
        if row.answer:
            parts.append(self.tr("Companion: {answer}").format(answer=plain.short(row.answer)))
        if row.interrupted:
            parts.append(self.tr("You interrupted it."))
        if row.problem:
            parts.append(sentence(row.problem))
        return "\n".join(parts)

    # -- what goes on

    def follow(self, transcript: Transcript) -> None:
        """Show the conversation as it is now; what it let go of stays here."""
        let_go = transcript.gone - self._gone
        if let_go:
            self._past += self._live[:let_go]
            self._live = self._live[let_go:]
            self._gone = transcript.gone
        fresh = transcript.rows
        if fresh is self._live:
            return
        same = _alike(self._live, fresh)
        rest = min(len(self._live), len(fresh)) - same
        same_end = min(_alike(self._live[::-1], fresh[::-1]), rest)
        self._put(same, len(self._live) - same_end, fresh, len(fresh) - same_end)
        self._show_once()

    def _show_once(self) -> None:
        """What was loaded as the past just before it was told of as what goes on is there once."""
        while self._past and _is_among(self._past[-1], self._live):
            place = len(self._past) - 1
            self.beginRemoveRows(QModelIndex(), place, place)
            del self._past[-1]
            self.endRemoveRows()

    def _put(self, start: int, old_end: int, fresh: tuple[Row, ...], new_end: int) -> None:
        """Rows from ``start`` on are others: those there were and are, are changed; the rest comes or goes."""
        past, changed = len(self._past), min(old_end, new_end) - start
        if changed:
            self._live = (*self._live[:start], *fresh[start : start + changed], *self._live[start + changed :])
            self.dataChanged.emit(self.index(past + start), self.index(past + start + changed - 1))
        behind = start + changed
        if new_end > behind:
            self.beginInsertRows(QModelIndex(), past + behind, past + new_end - 1)
            self._live = fresh
            self.endInsertRows()
        elif old_end > behind:
            self.beginRemoveRows(QModelIndex(), past + behind, past + old_end - 1)
            self._live = fresh
            self.endRemoveRows()
        self._live = fresh

    # -- what is loaded

    def put_before(self, rows: Sequence[Row]) -> None:
        """Older rows, oldest first, before all that are there."""
        if rows:
            self.beginInsertRows(QModelIndex(), 0, len(rows) - 1)
            self._past[:0] = rows
            self.endInsertRows()
            self._show_once()

    def show_only(self, rows: Sequence[Row]) -> None:
        """These rows and no others, as what a search has found."""
        self.beginResetModel()
        self._past, self._live = list(rows), ()
        self.endResetModel()

    def noted(self, note: TurnNote) -> None:
        """Somebody has said what they think of a turn that was loaded."""
        for place, row in enumerate(self._past):
            if row.at == note.at:
                self._past[place] = _with_note(row, note)
                self.dataChanged.emit(self.index(place), self.index(place))

    def _day(self, place: int) -> str:
        at = self.row(place).at
        if at is None:
            return ""
        before = self.row(place - 1).at if place else None
        if before is not None and before.date() == at.date():
            return ""
        if before is None and place:
            return ""
        return shown_day(at)


def row_of(told: Mapping[str, object]) -> Row:
    """A turn as the desk tells it."""
    said, at = str(told.get("said", "")), str(told.get("at", ""))
    return Row(
        asked=str(told.get("asked", "")),
        answer=said,
        said_to=len(said),
        stage=Stage.OVER,
        interrupted=bool(told.get("interrupted")),
        at=datetime.fromisoformat(at) if at else None,
        record=_record(told.get("details")),
        verdict=Verdict(str(told.get("verdict", ""))),
        note=str(told.get("note", "")),
    )


def _record(details: object) -> TurnRecord | None:
    """The details of a turn, where they are kept."""
    try:
        return record_of(details) if isinstance(details, Mapping) else None
    except ValueError:
        return None


def _with_note(row: Row, note: TurnNote) -> Row:
    return replace(row, verdict=note.verdict, note=note.note)


def _is_among(past: Row, live: Sequence[Row]) -> bool:
    """Whether a turn that was read from the file, where it stands with its end, is one of those that go on."""
    first = live[0].at if live else None
    if past.at is None or first is None or past.at < first:
        return False
    return any(row.asked == past.asked and row.answer.startswith(past.answer) for row in live)


def _alike(before: Sequence[Row], now: Sequence[Row]) -> int:
    """How many rows at the beginning are the very same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before, now, strict=False)))
