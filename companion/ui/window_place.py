"""Where the window stood, and which page was open. Read before there is a window, written when there is none."""

from __future__ import annotations

import base64
import binascii
import json
import logging
from dataclasses import dataclass
from pathlib import Path

from companion.errors import StorageError
from companion.settings.atomic import write_atomically

logger = logging.getLogger(__name__)

LARGEST = 20_000
"""Bytes of a file that is worth reading."""


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """geometry: as Qt has it; empty: wherever the desktop likes. here: the page."""

    geometry: bytes = b""
    here: str = ""


def read_place(file: Path) -> WindowPlace:
    """What was written; the usual place where that is nothing or nonsense."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8")[:LARGEST])
        return WindowPlace(base64.b64decode(kept["geometry"], validate=True), str(kept["here"]))
    except FileNotFoundError:
        return WindowPlace()
    except (OSError, ValueError, KeyError, TypeError, binascii.Error) as error:
        logger.info("where the window stood is not known: %s", error)
        return WindowPlace()


def write_place(file: Path, place: WindowPlace) -> None:
    """Keep it. On a full disk it is forgotten."""
    try:
        write_atomically(file, json.dumps({"geometry": base64.b64encode(place.geometry).decode(), "here": place.here}))
    except (OSError, StorageError) as error:
        logger.info("where the window stands cannot be kept: %s", error)
