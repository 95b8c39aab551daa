"""Names and texts are shown letter for letter: nothing of them becomes a link, a picture or a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QTextEdit, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from companion.ui.bridge import Bridge
from companion.ui.graph_view.picture import Dot, Shape
from companion.ui.graph_view.view import GraphView
from companion.ui.scenes.scene import Scene, StillFace, all_scenes
from companion.ui.tray import Tray
from companion.ui.widgets import plain
from companion.ui.widgets.buttons import Button, IconButton
from companion.ui.window import Window

MARKED = '<a href="https://example.org">Tom & Jerry</a>'
NAMES = {
    "name", "title", "label", "text", "sentence", "asked", "said", "about", "note", "folder", "file", "subject",
    "object", "reason", "summary", "message",
}  # fmt: skip
SCENES = [
    scene
    for scene in all_scenes()
    if scene.name.startswith(("home-full", "knowledge-full", "memory-list", "memory-full", "settings-voices-full"))
]


def poisoned(answer: object, name: str = "") -> object:
    """The same answer with marks in every name and text."""
    if isinstance(answer, dict):
        return {key: poisoned(one, str(key)) for key, one in answer.items()}
    if isinstance(answer, list | tuple):
        return type(answer)(poisoned(one, name) for one in answer)
    return f"{MARKED}{answer}" if isinstance(answer, str) and name in NAMES else answer


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_no_name_on_any_page_is_read_as_marks(scene: Scene, qtbot: QtBot) -> None:
    face = StillFace(poisoned(dict(scene.answers)))  # type: ignore[arg-type]
    bridge = Bridge(face)
    bridge.begin_with(scene.state)
    widget = scene.make(bridge)
    qtbot.addWidget(widget)
    widget.show()
    face.tell(*scene.events)
    qtbot.wait(100)
    if scene.then is not None:
        scene.then(widget)
        qtbot.wait(100)

    assert not [where for one in widget.findChildren(QWidget) for where in misread(one)]
    bridge.close()
    widget.hide()


def misread(widget: QWidget) -> Iterator[str]:
    """Where Qt would see more in the text than it says."""
    tips = [widget.toolTip()]
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        role = Qt.ItemDataRole.ToolTipRole
        tips += [str(widget.model().index(row, 0).data(role) or "") for row in range(min(widget.model().rowCount(), 5))]
    if any("<a href" in words for words in tips):
        yield f"tooltip of {type(widget).__name__}"
    if isinstance(widget, QLabel) and MARKED in widget.text() and widget.textFormat() != Qt.TextFormat.PlainText:
        yield f"label in {type(widget.parentWidget()).__name__}"
    if isinstance(widget, QAbstractButton) and MARKED in widget.text():
        yield f"button {type(widget).__name__} in {type(widget.parentWidget()).__name__}"
    if isinstance(widget, QTextEdit) and "<a " in widget.toHtml():
        yield f"text of {type(widget).__name__}"


def test_a_button_shows_an_ampersand_and_makes_no_key_of_it(qtbot: QtBot) -> None:
    button = Button("Tom & Jerry")
    qtbot.addWidget(button)
    assert button.text() == "Tom && Jerry"
    assert button.accessibleName() == "Tom & Jerry"

    button.say("R&D")
    assert button.text() == "R&&D"
    assert button.shortcut().isEmpty()


def test_a_tooltip_shows_marks_and_reads_none(qtbot: QtBot) -> None:
    button = IconButton("stop", MARKED)
    qtbot.addWidget(button)

    assert "<a" not in button.toolTip()
    assert "&lt;a href" in button.toolTip()
    assert plain.tip("Tom & Jerry") == "Tom & Jerry"


def test_the_tooltip_of_somebody_in_the_picture_reads_no_marks(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view, shown = GraphView(), list[str]()
    qtbot.addWidget(view)
    monkeypatch.setattr(view, "_at", lambda point: Dot(1, MARKED, MARKED, Shape.PERSON, 1, 0.0, 0.0, 9.0))
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: shown.append(text))

    view.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), QPoint(5, 5)))

    assert shown == [plain.tip(MARKED)]
    assert "<a" not in shown[0]


def test_what_goes_to_the_desktop_has_no_marks(
    still: Callable[..., Bridge], qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    bridge = still()
    window = Window(bridge)
    qtbot.addWidget(window)
    tray, shown = Tray(bridge, window), list[str]()
    monkeypatch.setattr(tray.icon, "showMessage", lambda title, text, icon: shown.append(text))

    tray._show(MARKED)

    assert shown == ['‹a href="https://example.org"›Tom & Jerry‹/a›']
