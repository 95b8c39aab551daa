"""Scores out of JSON."""

from __future__ import annotations

from companion.dialects.fields import Fields, broken, count, rows
from companion.model.rerank import Ranked

PLACE = "answer with scores"


def ranked_in(fields: Fields, name: str) -> tuple[Ranked, ...]:
    """The documents of the list ``name``, each an ``index`` and a ``relevance_score``.

    Raises:
        WireBroken: one of them lacks either, or there is no list.
    """
    if not isinstance(fields.get(name), list):
        raise broken(PLACE, f"{name!r} is no list")
    return tuple(_ranked(row) for row in rows(fields, name, PLACE))


def _ranked(row: Fields) -> Ranked:
    score = row.get("relevance_score")
    if row.get("index") is None or not isinstance(score, int | float) or isinstance(score, bool):
        raise broken(PLACE, "a document has no index or no score")
    try:
        return Ranked(count(row, "index", PLACE), float(score))
    except OverflowError as error:
        raise broken(PLACE, "a score is out of range") from error
