"""What the doctor looks at on the model shelf: whether what would be used is there, and is what it should be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.app.doctor import Check, Finding, State, ok, warn
from companion.app.models import ModelRoom
from companion.catalog.manifest import Kind, Manifest
from companion.catalog.shelf import Shelf, bring_in_words, size_of, wrong_in_words
from companion.errors import CompanionError, ModelMissing

_WITHOUT = {
    Kind.RECOGNISER: (State.BAD, "it cannot hear"),
    Kind.LANGUAGE_MODEL: (State.WARN, "it understands commands only"),
    Kind.VOICE: (State.WARN, "it cannot speak, unless espeak-ng is installed"),
    Kind.TURN_JUDGE: (State.WARN, "the end of a turn is judged by silence and words only"),
}


def model_checks(room: ModelRoom) -> list[Check]:
    """One check for each kind of model that the companion uses."""
    return [Check(kind.value, partial(model, kind, room)) for kind in _WITHOUT]


def model(kind: Kind, room: ModelRoom) -> Iterator[Finding]:
    """The model of that kind which would be used. Reads all of it."""
    state, without = _WITHOUT[kind]
    try:
        manifest = room.manifest(kind)
    except ModelMissing as missing:
        yield Finding(kind.value, state, f"{missing}; {without}", missing.mend)
        return
    except CompanionError as fault:
        yield Finding(kind.value, State.BAD, str(fault), fault.mend)
        return
    wrong = wrong_in_words(room.shelf.verify(manifest.name))
    if wrong:
        yield Finding(kind.value, state, f"{manifest.name}: {wrong}; {without}", bring_in_words([manifest.name]))
        return
    yield ok(kind.value, f"{manifest.name}: {manifest.bytes / 1e6:.0f} MB, checksums right")
    yield from _in_the_way(room.shelf, manifest)


def _in_the_way(shelf: Shelf, manifest: Manifest) -> Iterator[Finding]:
    """A pull that was left unfinished takes room."""
    rest = shelf.workplace(manifest.name)
    if size_of(rest):
        yield warn(manifest.kind.value, f"a pull was left unfinished: {rest}", bring_in_words([manifest.name]))
