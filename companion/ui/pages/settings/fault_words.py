"""What may go wrong with models, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from companion.app.desks.models_desk import FREE_SOME, SPOILT, TRY_AGAIN, TRY_LATER, UNREACHED
from companion.app.desks.work import STOPPED
from companion.ui.state import Fault
from companion.ui.widgets.notice import sentence

translate = QCoreApplication.translate


def told_fault(fault: Fault) -> str:
    """A fault in one line of sentences; those that are known, in the language of the window."""
    known = _known()
    parts = (known.get(part, part) for part in (fault.message, fault.mend))
    return " ".join(sentence(part) for part in parts if part)


def _known() -> dict[str, str]:
    return {
        UNREACHED: translate("ModelFaults", "The places it comes from cannot be reached"),
        TRY_LATER: translate(
            "ModelFaults",
            "Look after the network and try again, or take it from a stick. What has come so far is kept.",
        ),
        SPOILT: translate("ModelFaults", "What came is not what it should be"),
        TRY_AGAIN: translate("ModelFaults", "Try again."),
        FREE_SOME: translate("ModelFaults", "Free some space, then try again."),
        STOPPED: translate("ModelFaults", "It was stopped."),
    }
