"""How the process that reads files and the one that asks it speak: a line of JSON, then bytes; lines of JSON back.

Asked: ``{"kind", "bytes"}`` and as many bytes. Answered: a line for each passage, and one at the end, which has the
title and notes, or the problem.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from companion.knowledge.limits import Limits
from companion.knowledge.text import Passage

LONGEST_LINE = 256 * 1024
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A passage and how it goes into the index. words, title_words: terms, see ``terms.index_text``."""

    passage: Passage
    words: str
    title_words: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The last line. problem: why there is no text; empty where there is."""

    title: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


def question(kind: str, size: int) -> bytes:
    return _line({"kind": kind, "bytes": size})


def read_question(line: bytes) -> tuple[str, int]:
    asked = json.loads(line)
    return str(asked["kind"]), int(asked["bytes"])


def passage_line(prepared: Prepared) -> bytes:
    passage = prepared.passage
    words = prepared.words if prepared.words != passage.text else None
    return _line(
        [passage.start, passage.text, passage.headings, passage.page, passage.line, words, prepared.title_words]
    )


def end_line(ended: Ended) -> bytes:
    return _line({"title": ended.title, "notes": list(ended.notes), "problem": ended.problem})


def read_answer(line: bytes) -> Prepared | Ended:
    """One line of an answer.

    Raises:
        ValueError: it is none.
    """
    try:
        return _answer(json.loads(line))
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("this is no line of an answer") from error


def _answer(said: Any) -> Prepared | Ended:
    if isinstance(said, dict):
        return Ended(str(said["title"]), tuple(str(note) for note in said["notes"]), str(said["problem"]))
    start, text, headings, page, line, words, title_words = said
    passage = Passage(
        int(start), int(start) + len(text), str(text), tuple(str(each) for each in headings), int(page), int(line)
    )
    return Prepared(passage, passage.text if words is None else str(words), str(title_words))


def limits_text(limits: Limits) -> str:
    """The limits as an argument of the process."""
    return json.dumps(asdict(limits))


def read_limits(text: str) -> Limits:
    return Limits(**json.loads(text))


def _line(value: object) -> bytes:
    # Half of a pair of UTF-16, as broken files have them, cannot be written and is no character.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
