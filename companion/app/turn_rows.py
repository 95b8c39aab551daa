"""The details of a turn as JSON has them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from companion.agent.stages import Recalled
from companion.app.events import WentOut
from companion.app.minding.desks import Row
from companion.app.turn_log import TurnRecord

_AS_THEY_ARE = (
    *("turn", "asked", "spoken", "language", "written", "said", "whole"),
    *("source", "total", "own_seconds", "ending"),
)


def row_of(record: TurnRecord) -> Row:
    """A turn, as JSON has it."""
    return {
        **{name: getattr(record, name) for name in _AS_THEY_ARE},
        "at": record.at.isoformat(),
        "ended": record.ended.isoformat() if record.ended else "",
        "served": dict(record.served),
        "seconds": dict(record.seconds),
        "recalled": [asdict(one) for one in record.recalled],
        "tools": list(record.tools),
        "left": [asdict(one) | {"kinds": list(one.kinds)} for one in record.left],
        "problems": list(record.problems),
    }


def record_of(row: Mapping[str, Any]) -> TurnRecord:
    """The turn of a row.

    Raises:
        ValueError: it is none.
    """
    try:
        return TurnRecord(
            at=_moment(row["at"]),
            ended=_moment(row["ended"]) if row["ended"] else None,
            served=tuple((str(step), str(name)) for step, name in row["served"].items()),
            seconds=tuple((str(step), float(took)) for step, took in row["seconds"].items()),
            recalled=tuple(Recalled(**one) for one in row["recalled"]),
            tools=tuple(map(str, row["tools"])),
            left=tuple(WentOut(**{**one, "kinds": tuple(one["kinds"])}) for one in row["left"]),
            problems=tuple(map(str, row["problems"])),
            **{name: row[name] for name in _AS_THEY_ARE},
        )
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError("no turn") from error


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment
