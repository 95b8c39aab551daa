"""Scenes of the knowledge page: folders and notes, a search, an index that is being made, nothing, and faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from companion.app.minding.index_progress import TASK
from companion.ui.pages.knowledge.page import KnowledgePage
from companion.ui.scenes.scene import AWAKE, SMALL_SIZE, Answers, page_scene
from companion.ui.state import Fault, Task
from companion.ui.window import Window

TALL = (1000, 1240)

ANSWERS: Answers = {
    "knowledge.folders": {
        "folders": [
            {"folder": "/data/emma/Documents/House", "files": 212, "passages": 4380, "problems": 2},
            {"folder": "/data/emma/Recipes", "files": 64, "passages": 301, "problems": 0},
        ]
    },
    "knowledge.list": {
        "pieces": [
            {"name": "boiler", "file": "", "passages": 3, "problem": ""},
            {"name": "garden", "file": "", "passages": 12, "problem": ""},
            {"name": "wifi for guests", "file": "", "passages": 1, "problem": "it is kept, but cannot be found yet"},
        ],
        "problems": [
            {"file": "/data/emma/Documents/House/old contract.pdf", "reason": "it is locked with a password"},
            {"file": "/data/emma/Documents/House/scan.pdf", "reason": "it has no text; it may be a scan"},
        ],
    },
    "knowledge.search": {
        "found": [
            {
                "text": "Bleed the radiators from the lowest floor upwards. Top up the boiler to 1.5 bar after that.",
                "place": "heating manual.pdf, page 14, Upkeep > Radiators",
                "file": "/data/emma/Documents/House/heating manual.pdf",
            },
            {
                "text": "The boiler was serviced in May. The next service is due next spring.",
                "place": "boiler/content.md, line 1",
                "file": "/data/companion/knowledge/boiler/content.md",
            },
        ]
    },
    "notes.read": {"name": "boiler", "text": "The boiler was serviced in May.\nThe next service is due next spring."},
}
EMPTY: Answers = {"knowledge.folders": {"folders": []}, "knowledge.list": {"pieces": [], "problems": []}}
BROKEN: Answers = {
    "knowledge.folders": Fault(
        "knowledge.db cannot be read: the disk does not answer", "Check the disk, then start again"
    ),
    "knowledge.list": {"pieces": [], "problems": []},
}
READING = replace(AWAKE, tasks=(Task(TASK, 84, 276, 140.0, "heating manual.pdf"),))


def knowledge_page(widget: QWidget) -> KnowledgePage:
    """The page in a window that is at it."""
    assert isinstance(widget, Window)
    assert isinstance(widget.page, KnowledgePage)
    return widget.page


def _then(does: Callable[[KnowledgePage], object]) -> Callable[[Window], object]:
    return lambda window: does(knowledge_page(window))


def _search(page: KnowledgePage) -> None:
    page.trial.field.setText("boiler")
    page.trial.field.returnPressed.emit()


SCENES = (
    page_scene("knowledge", "full", answers=ANSWERS, size=TALL, then=_then(_search)),
    page_scene("knowledge", "reading", answers=ANSWERS, state=READING),
    page_scene("knowledge", "note", answers=ANSWERS, then=_then(lambda page: page.notes.opening.emit("boiler"))),
    page_scene("knowledge", "empty", answers=EMPTY),
    page_scene("knowledge", "narrow", answers=ANSWERS, size=SMALL_SIZE),
    page_scene("knowledge", "broken", answers=BROKEN),
)
