"""Names and texts are shown letter for letter: nothing of them becomes a link, a picture or a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QTextEdit, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from companion.ui.bridge import Bridge
from companion.ui.graph_view.picture import Dot, Shape
from companion.ui.graph_view.view import GraphView
from companion.ui.pages.talk.model import TurnModel
from companion.ui.pages.talk.paper import Column, Setting, guessed
from companion.ui.scenes.scene import Scene, StillFace, all_scenes
from companion.ui.theme import look
from companion.ui.transcript import Row
from companion.ui.tray import Tray
from companion.ui.widgets import Body, plain
from companion.ui.widgets.buttons import Button, IconButton
from companion.ui.widgets.long_field import LongField
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


@pytest.mark.parametrize("book", ["word " * 200_000, "x" * 1_000_000, "\n" * 1_000_000, "\N{GRINNING FACE}" * 500_000])
def test_of_a_book_no_more_is_set_in_type_than_anybody_reads(book: str, qtbot: QtBot) -> None:
    words, column = Body(book), Column.within(800)
    qtbot.addWidget(words)
    shown = [words.text()]
    words.say(book[1:])
    row = Row(asked=book, answer=book, said_to=len(book) // 2, interrupted=True)
    setting = Setting(row, "", "", column, look())
    assert setting._answer is not None
    assert setting._bubble is not None
    shown += [words.text(), plain.tip(book), setting._answer.text(), setting._bubble.text(), TurnModel().spoken(row)]

    assert max(map(len, shown)) <= 2 * (2 * plain.LONGEST + 10), "letters beyond the first 65,536 count twice"
    assert setting.height < 2 * (plain.LONGEST + plain.MOST_LINES) * 30
    assert guessed(row, column, look()) < 20_000


def test_of_a_book_that_is_pasted_a_field_takes_what_it_may_hold(qtbot: QtBot) -> None:
    field, book = LongField(100, "begun"), QMimeData()
    qtbot.addWidget(field)
    book.setText("x" * 1_000_000)
    field.moveCursor(QTextCursor.MoveOperation.End)
    field.insertFromMimeData(book)
    assert field.toPlainText() == "begun" + "x" * 95

    field.insertFromMimeData(book)
    assert len(field.toPlainText()) == 100
    field.selectAll()
    field.insertFromMimeData(book)
    assert field.toPlainText() == "x" * 100


def test_a_text_that_is_not_too_long_is_shown_whole() -> None:
    for words in ("", "\n", "a\nb", "x" * plain.LONGEST, "\n" * (plain.MOST_LINES - 1)):
        assert plain.short(words) == words
    assert plain.short("x" * (plain.LONGEST + 1)) == "x" * plain.LONGEST + "…"


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
