"""Recorded voices to measure with: a folder of clips and what is said in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from num2words import num2words

from companion.errors import BadInput


@dataclass(frozen=True, slots=True)
class Order:
    """A spoken order and the words of its slots."""

    file: Path
    slots: tuple[str, ...]


class Clips:
    """A folder with ``commands/`` and its ``labels.json``, ``alexa/``, ``not_alexa/`` and ``lj/``.

    Raises:
        BadInput: it is none; the message names what is missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._labels = _labels(folder)

    def orders(self) -> list[Order]:
        """The spoken orders, by file name."""
        orders = [Order(self._folder / "commands" / name, slots) for name, slots in sorted(self._labels.items())]
        return [order for order in orders if order.file.is_file()]

    def wake_words(self) -> list[Path]:
        """Clips of "alexa"."""
        return sorted((self._folder / "alexa").glob("*.flac"))

    def other_words(self) -> list[Path]:
        """Clips of other wake words."""
        return sorted((self._folder / "not_alexa").glob("*.flac"))

    def sentences(self) -> list[tuple[Path, str]]:
        """Read sentences with their transcripts."""
        texts = sorted((self._folder / "lj").glob("*.txt"))
        pairs = [(file, text) for text in texts for file in sorted(text.parent.glob(f"{text.stem}.[wf]*"))]
        return [(file, text.read_text(encoding="utf-8").strip()) for file, text in pairs]


def _labels(folder: Path) -> dict[str, tuple[str, ...]]:
    """The words of each order's slots, by file name."""
    places = [place for place in (folder / "labels.json", folder / "commands" / "labels.json") if place.is_file()]
    if not places:
        raise BadInput(
            f"{folder} holds no recorded voices (labels.json is missing)",
            mend="Give the folder that holds commands/, alexa/ and labels.json with --data.",
        )
    try:
        labels = json.loads(places[0].read_text(encoding="utf-8"))
        return {
            str(name): tuple(str(value).strip() for value in label["slots"].values()) for name, label in labels.items()
        }
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise BadInput(f"{places[0]} is no list of labels", mend="Copy it afresh from where it came from.") from error


def words_of(text: str) -> list[str]:
    """Lower-case words with numbers in words, as labels have them."""
    spelled = re.sub(r"\d+", lambda number: f" {num2words(int(number[0]))} ", text.lower())
    return re.findall(r"[a-z']+", spelled.replace("-", " "))


def slots_heard(transcript: str, slots: Iterable[str]) -> tuple[int, int]:
    """How many slot values stand, word by word, in the transcript; of how many."""
    heard = f" {' '.join(words_of(transcript))} "
    values = [" ".join(words_of(slot)) for slot in slots]
    return sum(f" {value} " in heard for value in values), len(values)
