"""How phases are counted that a watcher saw."""

from __future__ import annotations

from companion.app.bench.echo import _entries


def test_a_phase_counts_once_however_long_it_is_seen() -> None:
    phases = ["speaking", "hearing", "deciding", "speaking", "ducked", "hearing", "thinking"]

    assert _entries(phases, ("hearing", "deciding")) == 2
    assert _entries(phases, ("thinking",)) == 1
    assert _entries(["hearing"], ("hearing",)) == 1
    assert _entries([], ("hearing",)) == 0
