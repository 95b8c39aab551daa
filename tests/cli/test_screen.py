"""A running companion shows what a person wants to know, and no more."""

from __future__ import annotations

import pytest

from companion.app.events import ModelLoaded, Problem, Ready, Solved
from companion.cli.screen import Screen
from companion.model import ModelReport
from companion.voice.events import HeardText, Ignored, Level, Speaking, Spoken, State, StateChanged, Trouble, Woken
from companion.voice.orders import Reason

CONVERSATION = [
    Ready("okay nabu", 1.24),
    StateChanged(State.ASLEEP),
    Level(-40.0),
    Woken("okay_nabu"),
    StateChanged(State.LISTENING, "wake"),
    StateChanged(State.HEARING),
    HeardText("what time", "en", final=False),
    StateChanged(State.DECIDING),
    HeardText("what time is it", "en", final=True),
    StateChanged(State.THINKING),
    StateChanged(State.SPEAKING, "answer"),
    Speaking("It's ten past three.\n"),
    Spoken("It's ten past three.", whole=True),
    StateChanged(State.ASLEEP),
]


def test_a_conversation_reads_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    for event in CONVERSATION:
        screen.show(event)
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        'Ready in 1.2 s. Say "okay nabu", or type Ctrl-C to end.',
        "  (waiting)",
        "  (heard okay nabu)",
        "  (listening)",
        "you:       what time is it",
        "  (thinking)",
        "companion: It's ten past three.",
        "  (waiting)",
    ]
    assert shown.err == ""


def test_a_reply_without_a_voice_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    for event in (
        Spoken("It's three.", True),
        Speaking("Yes."),
        Spoken("Yes.", True),
        Spoken("", False),
        Spoken("Tea.", True),
    ):
        screen.show(event)
    assert capsys.readouterr().out == "companion: It's three.\ncompanion: Yes.\ncompanion: Tea.\n"


def test_a_quiet_one_tells_problems_only(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(quiet=True)
    for event in CONVERSATION:
        screen.show(event)
    screen.show(Problem("microphone", "no microphone", "Plug one in."))
    screen.show(Solved("microphone"))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "companion: no microphone. Plug one in.\n"


def test_a_problem_is_told_once_until_it_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    for _ in range(3):
        screen.show(Problem("microphone", "no microphone", "Plug one in."))
    screen.show(Solved("microphone"))
    screen.show(Solved("microphone"))
    screen.show(Problem("microphone", "no microphone", "Plug one in."))
    shown = capsys.readouterr()
    assert shown.err.count("no microphone") == 2
    assert shown.out == "microphone: all right again\n"


def test_what_is_not_answered_and_what_fails_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    screen.show(Ignored(Reason.NO_WORDS))
    screen.show(ModelLoaded(ModelReport("whisper-base", loaded=True, load_seconds=0.81)))
    screen.show(Trouble("Sorry, I can't answer right now.", "run `companion doctor`", "ModelDied"))
    shown = capsys.readouterr()
    assert shown.out == "  (not answered: no words)\n  (whisper-base loaded in 0.8 s)\n"
    assert shown.err == "companion: Sorry, I can't answer right now. Run `companion doctor`.\n"
