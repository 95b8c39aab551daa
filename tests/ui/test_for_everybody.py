"""Every control of every scene has a name, can be reached by the keyboard, and keeps its words inside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from companion.ui.bridge import Bridge
from companion.ui.scenes.scene import Scene, StillFace, all_scenes
from companion.ui.translations import CHINESE, ENGLISH, speak

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QTextEdit,
)  # fmt: skip
MOST_STEPS = 400

scenes = pytest.mark.parametrize("scene", all_scenes(), ids=lambda scene: scene.name)


@pytest.fixture
def in_language(language: str, qapp: QApplication) -> Iterator[None]:
    speak(language)
    yield
    speak(ENGLISH)


@pytest.fixture
def drawn(scene: Scene, qtbot: QtBot) -> Iterator[QWidget]:
    face = StillFace(scene.answers)
    bridge = Bridge(face)
    bridge.begin_with(scene.state)
    widget = scene.make(bridge)
    qtbot.addWidget(widget)
    widget.resize(*scene.size)
    widget.show()
    qtbot.waitExposed(widget)
    face.tell(*scene.events)
    qtbot.wait(100)
    if scene.then is not None:
        scene.then(widget)
        qtbot.wait(100)
    yield widget
    bridge.close()
    widget.hide()


def controls(widget: QWidget) -> list[QWidget]:
    """What a person can use, but the parts that Qt makes of one control."""
    return [
        one
        for one in widget.findChildren(QWidget)
        if isinstance(one, CONTROLS) and one.isVisible() and not is_part(one)
    ]


def is_part(widget: QWidget) -> bool:
    """Whether it belongs to another control, as the field of a spin box or a scroll bar."""
    if isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_"):
        return True
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractSpinBox | QComboBox | QLineEdit | QAbstractItemView) or (
        parent is not None and isinstance(parent.parentWidget(), QComboBox)
    )


def described(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
    return f"{type(widget).__name__} {widget.objectName()} {words!r} in {type(widget.parentWidget()).__name__}"


@scenes
def test_every_control_has_a_name(drawn: QWidget) -> None:
    nameless = [described(one) for one in controls(drawn) if not (one.accessibleName() or _own_words(one))]

    assert not nameless


@scenes
def test_every_control_is_reached_by_the_tab_key(drawn: QWidget, qtbot: QtBot) -> None:
    wanted = {one for one in controls(drawn) if one.isEnabled()}
    with qtbot.waitActive(drawn, timeout=10_000):
        drawn.activateWindow()
    reached: set[QWidget] = set()
    for _ in range(MOST_STEPS):
        drawn.focusNextChild()
        now = QApplication.focusWidget()
        if now is None or now in reached:
            break
        reached.add(now)
    missed = [described(one) for one in wanted if one not in _with_proxies(reached)]
    assert not missed


@scenes
def test_no_words_are_cut_off(drawn: QWidget, qtbot: QtBot) -> None:
    assert not cut_off_in_the_end(drawn, qtbot)


@pytest.mark.parametrize("language", [CHINESE])
@scenes
def test_no_words_of_another_language_are_cut_off(in_language: None, drawn: QWidget, qtbot: QtBot) -> None:
    assert not cut_off_in_the_end(drawn, qtbot)


def cut_off_in_the_end(drawn: QWidget, qtbot: QtBot) -> list[str]:
    """A long page may take a moment to be there."""
    for _ in range(50):
        if not (cut := cut_off(drawn)):
            break
        qtbot.wait(100)
    return cut


def cut_off(drawn: QWidget) -> list[str]:
    """Words that have less room than they need."""
    cut = [
        f"{described(label)}: {label.height()} of {label.heightForWidth(label.width())}"
        for label in drawn.findChildren(QLabel)
        if label.isVisible()
        and label.text()
        and label.wordWrap()
        and label.height() < label.heightForWidth(label.width()) - 1
    ]
    narrow = [
        f"{described(button)}: {button.width()} of {button.minimumSizeHint().width()}"
        for button in drawn.findChildren(QAbstractButton)
        if button.isVisible() and button.text() and button.width() < button.minimumSizeHint().width() - 1
    ]

    return cut + narrow


def _own_words(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def _its_group(widget: QWidget) -> set[QWidget]:
    """Of exclusive buttons one is a stop of the tab key; arrows reach the others."""
    if not isinstance(widget, QAbstractButton):
        return set()
    group = widget.group()
    if group is not None and group.exclusive():
        return set(group.buttons())
    if widget.autoExclusive() and widget.parentWidget() is not None:
        return {one for one in widget.parentWidget().findChildren(QAbstractButton) if one.autoExclusive()}
    return set()


def _with_proxies(reached: set[QWidget]) -> set[QWidget]:
    """What has the focus, and whatever it has the focus for."""
    whole = set(reached)
    for one in reached:
        whole |= _its_group(one)
        parent = one.parentWidget()
        while parent is not None:
            if parent.focusProxy() is one or isinstance(parent, QAbstractSpinBox | QComboBox | QAbstractScrollArea):
                whole.add(parent)
            parent = parent.parentWidget()
    return whole
