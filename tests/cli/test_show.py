"""What is shown is one line, and cannot command the terminal."""

from __future__ import annotations

import io

import pytest

from companion.cli import show


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("message", "mend", "told"),
    [
        ("no microphone", "Plug one in.", "no microphone. Plug one in."),
        ("no microphone.", "", "no microphone."),
        ("did you mean x?", "See y.", "did you mean x? See y."),
        ("no microphone", "plug one in", "no microphone. Plug one in."),
        ("no model", "companion models pull x", "no model. companion models pull x"),
        ("two\nlines", "", "two lines."),
        ("evil \x1b[2J", "", "evil [2J."),
    ],
)
def test_a_fault_is_one_sentence_and_its_mend(message: str, mend: str, told: str) -> None:
    assert show.sentence(message, mend) == told


def test_colour_needs_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert show.painted("x", "bad", Terminal()) == "\x1b[31mx\x1b[0m"
    assert show.painted("x", "bad", io.StringIO()) == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert show.painted("x", "bad", Terminal()) == "x"


def test_one_is_told_as_one() -> None:
    assert [show.counted(number, "fact") for number in (0, 1, 2)] == ["0 facts", "1 fact", "2 facts"]
