"""Reads what the test household says: facts_en.toml, facts_zh.toml and the closed list of relations."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LANGUAGES = ("en", "zh")
USER = "user"
"""The subject that stands for whoever speaks."""
_WHEN = re.compile(r"(from|until|on) (-?-?\d[\dT:-]*)")


@dataclass(frozen=True, slots=True)
class Triple:
    """One expected fact. ``objects`` are the spellings that are right, the best one first."""

    subject: str
    relation: str
    objects: tuple[str, ...]
    valid_from: str = ""
    valid_until: str = ""
    on: str = ""
    """When an appointment or plan takes place: YYYY, YYYY-MM, YYYY-MM-DD or with THH:MM."""

    @property
    def object(self) -> str:
        return self.objects[0]


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance and what should be known after it."""

    text: str
    language: str
    said_by: str
    said_at: date
    kind: str
    know: tuple[Triple, ...] = ()
    """Must be stored."""
    may: tuple[Triple, ...] = ()
    """May be stored without being junk."""
    ends: tuple[Triple, ...] = ()
    """No longer true from now on, or never was (a correction)."""
    forget: tuple[str, ...] = field(default=())
    """What to forget: ``*`` the last thing said, a name, ``subject | relation`` or ``subject | relation | object``."""

    @property
    def holds_nothing(self) -> bool:
        return not (self.know or self.ends or self.forget)


def read_toml(name: str) -> dict[str, Any]:
    with (HERE / name).open("rb") as file:
        return tomllib.load(file)


def triple(line: str) -> Triple:
    """``subject | relation | object / other spelling | from DATE | until DATE | on DATE``."""
    subject, relation, objects, *times = (part.strip() for part in line.split(" | "))
    when = {}
    for time in times:
        match = _WHEN.fullmatch(time)
        if match is None:
            raise ValueError(f"not a time: {time!r} in {line!r}")
        when[match[1]] = match[2]
    spellings = tuple(one.strip() for one in objects.split(" / "))
    return Triple(subject, relation, spellings, when.get("from", ""), when.get("until", ""), when.get("on", ""))


def facts(language: str) -> list[Said]:
    """Every utterance of ``facts_<language>.toml``, in its order."""
    return _read(f"facts_{language}.toml", language)


def others(language: str) -> list[Said]:
    """Every utterance of ``others_<language>.toml``: homes the patterns were not made with."""
    return _read(f"others_{language}.toml", language)


def strangers(language: str) -> list[Said]:
    """Every utterance of ``strangers_<language>.toml``: the lines at even places were worked with, the others not."""
    return _read(f"strangers_{language}.toml", language)


def _read(name: str, language: str) -> list[Said]:
    return [
        _said(one if isinstance(one, dict) else {"text": one}, talk, language)
        for talk in read_toml(name)["talk"]
        for one in talk["said"]
    ]


def _said(one: dict[str, Any], talk: dict[str, Any], language: str) -> Said:
    know, may, ends = (tuple(triple(line) for line in one.get(key, ())) for key in ("know", "may", "ends"))
    forget = tuple(one.get("forget", ()))
    return Said(one["text"], language, talk["who"], talk["at"], talk["kind"], know, may, ends, forget)


def vocabulary() -> dict[str, str]:
    """Each relation and how many values it holds at one time: ``one`` or ``many``."""
    return {name: row["holds"] for name, row in read_toml("vocabulary.toml")["relations"].items()}


def is_known(relation: str, relations: dict[str, str]) -> bool:
    return relation in relations or (relation.startswith("favourite_") and "favourite_*" in relations)


def kinds() -> dict[str, list[str]]:
    """The kinds that hold facts (``fact``) and those that hold nothing worth keeping (``nothing``)."""
    return dict(read_toml("vocabulary.toml")["kinds"])


def words_of(text: str, language: str) -> list[str]:
    """Lower-case words without punctuation; for Chinese its characters and whole foreign words."""
    pattern = r"[a-zà-ÿ0-9]+|[^\W\d_]" if language == "zh" else r"[a-zà-ÿ0-9]+(?:'[a-z]+)?"
    return re.findall(pattern, text.lower().replace("’", "'"))
