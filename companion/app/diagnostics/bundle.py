"""The diagnostics bundle: a few plain texts, made to be read by their owner before they are given away."""

from __future__ import annotations

import getpass
import os
import platform
import socket
import sys
import time
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion import __version__
from companion.app.born import BORN
from companion.app.diagnostics.scrub import Scrub
from companion.app.doctor import Finding
from companion.app.paths import Paths
from companion.app.turn_log import TurnRecord
from companion.errors import BadInput, StorageError, reason_of
from companion.model import ModelReport
from companion.settings.atomic import LEFT_OVER, put_in_place, sync_folder
from companion.settings.describe import Form, described, value_of, written
from companion.settings.schema import Settings

ENDING = ".zip"
LOG_BYTES = 150_000
"""Of the end of the log."""
MOST_TURNS = 50
_TOLD_TEXTS = frozenset({"general.language", "models.recogniser", "models.language_model", "models.voice"})
"""Settings that are free text, and say nothing of their user."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One text of the bundle. ``name`` is that of its file."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Known:
    """What the running companion adds. problems: told and not solved, by topic."""

    problems: Sequence[tuple[str, str]] = ()
    findings: Sequence[Finding] = ()
    models: Sequence[ModelReport] = ()
    turns: Sequence[TurnRecord] = ()


def gathered(settings: Settings, paths: Paths, known: Known) -> list[Sheet]:
    """All sheets. Reads the log; blocking."""
    scrub = Scrub(_names(settings))
    return [
        Sheet("about.txt", _about(paths)),
        Sheet("problems.txt", _problems(known, scrub)),
        Sheet("models.txt", _models(known.models)),
        Sheet("times.txt", _times(known.turns)),
        Sheet("settings.txt", _settings(settings)),
        Sheet("log.txt", scrub.log(_tail(paths.log_file, LOG_BYTES))),
    ]


def save(file: Path, sheets: Sequence[Sheet]) -> None:
    """Write the sheets into one file, for its owner alone. Blocking.

    Raises:
        BadInput: the file is no whole path, or no .zip.
        StorageError: it cannot be written; what was there is as it was.
    """
    if not file.is_absolute() or file.suffix.lower() != ENDING:
        raise BadInput(f"{file.name} cannot hold the bundle", mend=f"Name a file that ends in {ENDING}.")
    fresh = file.with_name(f".{file.name}.{os.getpid()}{LEFT_OVER}")
    try:
        with open(fresh, "wb", opener=_for_owner) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
            for sheet in sheets:
                bundle.writestr(f"companion/{sheet.name}", sheet.text)
        put_in_place(fresh, file)
        sync_folder(file.parent)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise StorageError(
            f"{file} cannot be written: {reason_of(error)}",
            file=str(file),
            mend="Choose another place, or free some space.",
        ) from error


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _names(settings: Settings) -> list[str]:
    """Who and where one is, as far as the machine knows."""
    names = [settings.general.name, *settings.general.name.split(), socket.gethostname(), settings.history.session]
    try:
        names.append(getpass.getuser())
    except (KeyError, OSError, ImportError):  # a user without a name
        names.append(os.environ.get("USER", ""))
    common = {"root", "user", "default", "localhost", "pi"}
    return [name for name in names if name.lower() not in common]


def _about(paths: Paths) -> str:
    import psutil

    memory, disk = psutil.virtual_memory(), psutil.disk_usage(str(_existing(paths.data)))
    session = os.environ.get("XDG_SESSION_TYPE", ""), os.environ.get("XDG_CURRENT_DESKTOP", "")
    facts = {
        "companion": __version__,
        "system": f"{platform.system()} {platform.release()} ({platform.machine()})",
        "desktop": " ".join(part for part in session if part) or "none",
        "python": platform.python_version(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory.total / 1e9:.1f} GB, {memory.available / 1e9:.1f} GB free",
        "disk": f"{disk.free / 1e9:.1f} GB free",
        "running for": f"{time.monotonic() - BORN:.0f} s",
        "frozen": str(bool(getattr(sys, "frozen", False))).lower(),
    }
    return _lines(f"{name}: {fact}" for name, fact in facts.items())


def _problems(known: Known, scrub: Scrub) -> str:
    told = [f"{topic}: {message}" for topic, message in known.problems]
    found = [f"[{one.state}] {one.topic}: {one.message}" for one in known.findings]
    return _lines(scrub.line(line) for line in [*told, *found]) or "none\n"


def _models(reports: Iterable[ModelReport]) -> str:
    return _lines(
        f"{one.name}: {f'loaded in {one.load_seconds:.1f} s' if one.loaded else 'not loaded'}" for one in reports
    )


def _times(turns: Sequence[TurnRecord]) -> str:
    """How long each turn took, without a word of it."""
    return _lines(
        f"{'spoken' if turn.spoken else 'typed'}, {'model' if turn.by_model else 'rule'}, {turn.ending}: "
        + ", ".join(f"{step} {seconds:.2f}" for step, seconds in (*turn.seconds, ("total", turn.total)))
        for turn in turns[-MOST_TURNS:]
    )


def _settings(settings: Settings) -> str:
    """Each setting that is not as it was made; of free text only that it is changed."""
    lines = []
    for name, setting in described().items():
        value = value_of(settings, setting)
        if value == setting.default:
            continue
        is_told = setting.form not in (Form.TEXT, Form.TEXTS) or name in _TOLD_TEXTS
        lines.append(f"{name} = {written(value)}" if is_told else f"{name} is changed")
    return _lines(lines) or "all as they were made\n"


def _tail(file: Path, size: int) -> str:
    """The end of the log and of the one before it, whole records of it."""
    text = ""
    for part in (file, file.with_name(f"{file.name}.1")):
        try:
            text = part.read_text(encoding="utf-8", errors="replace") + text
        except OSError:
            break
        if len(text) >= size:
            break
    return text[-size:]


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
