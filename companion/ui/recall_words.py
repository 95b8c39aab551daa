"""What was recalled for a turn, and why, in words for people: it comes as a line that was written for a model."""

from __future__ import annotations

import json
import re

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from companion.agent.stages import Recalled
from companion.ui.days import day_in_words
from companion.ui.engine_words import in_window_language
from companion.ui.translations import CHINESE, worn

_LINE = re.compile(r'\((?:(?P<day>\d{4}-\d\d-\d\d), )?(?P<source>.*?)\) (?P<text>".*")', re.DOTALL)
_BY_USER, _BY_COMPANION = "said by user", "said by companion"

REASONS = (
    (r"asked for .+ of .+", QT_TRANSLATE_NOOP("Recall", "You asked for it.")),
    (r"about user", QT_TRANSLATE_NOOP("Recall", "It is about you.")),
    (r"about (?P<name>.+)", QT_TRANSLATE_NOOP("Recall", "It is about “{name}”.")),
    (r"between (?P<one>.+) and (?P<other>.+)", QT_TRANSLATE_NOOP("Recall", "It ties “{one}” and “{other}”.")),
    (r"\d+ steps from what was asked", QT_TRANSLATE_NOOP("Recall", "It lies near what you asked.")),
    (r"near what was asked", QT_TRANSLATE_NOOP("Recall", "It lies near what you asked.")),
    (r"near the words (?P<words>.+)", QT_TRANSLATE_NOOP("Recall", "It has words of your question: {words}.")),
    (r"words in common", QT_TRANSLATE_NOOP("Recall", "It has words of your question.")),
    (r"from the days asked about", QT_TRANSLATE_NOOP("Recall", "It is from the days you asked about.")),
    (r"said by user", QT_TRANSLATE_NOOP("Recall", "You had said it.")),
    (r"said by .+", QT_TRANSLATE_NOOP("Recall", "You asked for who had said it.")),
)
"""The reasons as the engine gives them, and what they mean."""


def text_of(one: Recalled) -> str:
    """What was recalled, without what only a model needs to know."""
    found = _LINE.fullmatch(one.text)
    if found is None:
        return one.text
    try:
        return str(json.loads(found["text"]))
    except ValueError:
        return one.text


def why(one: Recalled) -> str:
    """Where it is from, and why it was chosen."""
    found = _LINE.fullmatch(one.text)
    reasons = [_reason(part.strip()) for part in one.reason.split(";") if part.strip()]
    between = "" if worn() == CHINESE else " "
    return between.join((_source(one.source, found["day"] if found else None), *dict.fromkeys(reasons))).strip()


def _source(source: str, day: str | None) -> str:
    when = day_in_words(f"{day}T12:00:00") if day else ""
    if _BY_USER in source:
        told = QCoreApplication.translate("Recall", "You told me on {day}.")
        return told.format(day=when) if when else QCoreApplication.translate("Recall", "You told me.")
    if _BY_COMPANION in source:
        told = QCoreApplication.translate("Recall", "I said it on {day}.")
        return told.format(day=when) if when else QCoreApplication.translate("Recall", "I said it.")
    return QCoreApplication.translate("Recall", "From: {source}.").format(source=in_window_language(source))


def _reason(reason: str) -> str:
    for form, meaning in REASONS:
        if found := re.fullmatch(form, reason):
            return QCoreApplication.translate("Recall", str(meaning)).format(**found.groupdict())
    return in_window_language(reason)
