"""What to begin with, as a person chooses: quick and simple, or cleverer and larger; and what works already."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from companion.catalog.choose import choose, is_comfortable, starter_set
from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind, Manifest
from companion.catalog.room import free_bytes
from companion.catalog.shelf import Shelf
from companion.errors import ModelMissing
from companion.settings.language import or_english

TIERS = {"quick": 300_000_000, "good": 1_200_000_000, "clever": 1 << 50}
"""By name, bytes of the largest language model in it."""
USUAL_LINE = 5_000_000.0
"""Bytes a second; how long a pull takes is a guess until it runs."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Models that together make a companion."""

    tier: str
    model: Manifest
    """What answers in it."""
    names: tuple[str, ...]
    bytes: int
    missing: Mapping[str, int]
    """Bytes of each that is not on the shelf yet."""

    @property
    def missing_bytes(self) -> int:
        return sum(self.missing.values())

    @property
    def seconds(self) -> float:
        """About how long it takes to bring, on a usual line."""
        return self.missing_bytes / USUAL_LINE


def bundles(shelf: Shelf, machine: Machine, language: str) -> tuple[Bundle, ...]:
    """Those that are comfortable on this machine and know the language, the smallest first; at least one."""
    known = [one for one in shelf.manifests.values() if one.kind is Kind.LANGUAGE_MODEL]
    fluent = [one for one in known if one.speaks(language)]
    comfortable = [one for one in fluent if is_comfortable(one, machine)]
    found: dict[str, Bundle] = {}
    for tier, most in TIERS.items():
        small = [one for one in comfortable if one.bytes <= most]
        if small:
            best = max(small, key=lambda one: one.rank)
            found.setdefault(best.name, _bundle(tier, best, shelf, machine, language))
    if not found:
        lightest = min(fluent or known, key=lambda one: one.memory_mb)
        found[lightest.name] = _bundle("quick", lightest, shelf, machine, language)
    return tuple(found.values())


def works(shelf: Shelf, machine: Machine, language: str) -> dict[str, bool]:
    """What the companion can do with what is on the shelf now."""
    here = shelf.names()

    def has(kind: Kind) -> bool:
        try:
            chosen = choose(kind, language, machine, shelf.manifests, here).manifest
        except ModelMissing:
            return False
        return chosen.name in here

    return {
        "hears": has(Kind.RECOGNISER),
        "answers": has(Kind.LANGUAGE_MODEL),
        "speaks": has(Kind.VOICE) or shutil.which("espeak-ng") is not None,
    }


def room_left(shelf: Shelf) -> int:
    """Free bytes on the disk of the shelf."""
    return free_bytes(shelf.root)


def is_cut_off() -> bool:
    """Whether this machine has no network at all. Nobody is asked: only its own interfaces are looked at."""
    import psutil

    addresses = psutil.net_if_addrs()
    return not any(
        state.isup and addresses.get(name) for name, state in psutil.net_if_stats().items() if not _is_loopback(name)
    )


def _is_loopback(name: str) -> bool:
    return name.lower().startswith(("lo", "loopback"))


def _bundle(tier: str, model: Manifest, shelf: Shelf, machine: Machine, language: str) -> Bundle:
    names = tuple(dict.fromkeys(_names(model, shelf, machine, language)))
    manifests = [shelf.manifest(name) for name in names]
    missing = {one.name: one.bytes for one in manifests if not shelf.has(one.name)}
    return Bundle(tier, model, names, sum(one.bytes for one in manifests), missing)


def _names(model: Manifest, shelf: Shelf, machine: Machine, language: str) -> Iterator[str]:
    """What hears, what speaks the language if anything does, what answers, and what knows when a turn is over."""
    starters = [shelf.manifest(name) for name in starter_set(machine, language)]
    yield from (one.name for one in starters if one.kind is Kind.RECOGNISER)
    with suppress(ModelMissing):  # espeak-ng speaks it then, or the answers are read
        yield choose(Kind.VOICE, or_english(language), machine, shelf.manifests, shelf.names()).manifest.name
    yield from (one.name for one in starters if one.kind is Kind.TURN_JUDGE)
    yield model.name
