"""How things stand, in words: for the window's head, the tray's tooltip and screen readers."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, QTime

from companion.ui.state import Engine, Mark, UiState
from companion.ui.widgets.notice import sentence
from companion.voice.events import State

translate = QCoreApplication.translate


def told(state: UiState) -> str:
    """What the companion is doing, in a word or two."""
    if state.engine is Engine.ENDED:
        return translate("StateWords", "Stopped")
    if state.engine is Engine.FROZEN:
        return translate("StateWords", "Not answering")
    if state.is_stopped_by("start"):
        return translate("StateWords", "Not ready yet")
    if state.engine is Engine.STARTING or (not state.is_ready and state.phase is State.ASLEEP):
        return translate("StateWords", "Starting")
    return _phase(state.phase)


def reason(state: UiState) -> str:
    """Why it stands so, or what to do next, in one sentence."""
    if state.engine is Engine.ENDED and state.ended is not None:
        return sentence(state.ended.message)
    if state.mark is Mark.PROBLEM and state.problems:
        return sentence(state.problems[-1].message)
    if state.engine is not Engine.RUNNING or not state.is_ready:
        return ""
    if state.is_muted:
        return _closed(state)
    if state.hushed:
        return translate("StateWords", "Answers are shown and not spoken.")
    if state.phase is State.ASLEEP and state.wake_word:
        return translate("StateWords", "Say “{word}” to talk.").format(word=wake_name(state.wake_word))
    return ""


def _closed(state: UiState) -> str:
    """For how long the microphone is closed."""
    if state.closed_until is None:
        return translate("StateWords", "The microphone is closed until you unmute it.")
    at = state.closed_until
    time = QLocale().toString(QTime(at.hour, at.minute), QLocale.FormatType.ShortFormat)
    return translate("StateWords", "The microphone is closed until {time}.").format(time=time)


def wake_name(word: str) -> str:
    """A wake word as people write it: "okay_nabu" is "Okay Nabu"."""
    return word.replace("_", " ").title()


def _phase(phase: State) -> str:
    match phase:
        case State.ASLEEP:
            return translate("StateWords", "Waiting")
        case State.LISTENING:
            return translate("StateWords", "Listening")
        case State.HEARING:
            return translate("StateWords", "Hearing you")
        case State.DECIDING | State.THINKING:
            return translate("StateWords", "Thinking")
        case State.SPEAKING | State.DUCKED:
            return translate("StateWords", "Speaking")
        case State.MUTED:
            return translate("StateWords", "Muted")
        case State.DEAF:
            return translate("StateWords", "No microphone")
