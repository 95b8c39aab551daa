"""The style sheet: how each role of widget looks. Roles are given by ``theme.mark``."""

from __future__ import annotations

from companion.app.paths import bundled
from companion.ui.theme import (
    BODY,
    CARD_CORNER,
    CORNER,
    DISPLAY,
    FINE,
    HEADING,
    ROOMY,
    SMALL,
    SNUG,
    TINY,
    TOUCH,
    Look,
)


def style_sheet(look: Look) -> str:
    """The whole sheet for a look."""
    return "\n".join(part(look) for part in (_ground, _words, _buttons, _fields, _choices, _lists, _bars, _surfaces))


def _ground(look: Look) -> str:
    c = look.colours
    return f"""
QWidget {{ color: {c.text}; font-size: {look.size(BODY)}px; }}
QMainWindow, QDialog, QWidget[role="page"], QStackedWidget, QScrollArea, QWidget[role="ground"] {{
    background: {c.ground}; border: none; }}
QScrollArea > QWidget > QWidget {{ background: {c.ground}; }}
QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: {TINY}px {SMALL}px; }}
QMenu {{ background: {c.raised}; border: 1px solid {c.line}; padding: {TINY}px; }}
QMenu::item {{ padding: {SMALL}px {ROOMY}px; border-radius: {TINY}px; }}
QMenu::item:selected {{ background: {c.hover}; color: {c.text}; }}
QMenu::item:disabled {{ color: {c.quiet}; }}
QMenu::separator {{ height: 1px; background: {c.line}; margin: {TINY}px; }}
"""


def _words(look: Look) -> str:
    c = look.colours
    return f"""
QLabel {{ background: transparent; }}
QLabel[role="display"] {{ font-size: {look.size(DISPLAY)}px; font-weight: 600; }}
QLabel[role="heading"] {{ font-size: {look.size(HEADING)}px; font-weight: 600; }}
QLabel[role="subheading"] {{ font-weight: 600; }}
QLabel[role="quiet"] {{ color: {c.quiet}; }}
QLabel[role="fine"] {{ color: {c.quiet}; font-size: {look.size(FINE)}px; }}
QLabel[role="problem"] {{ color: {c.problem}; }}
QLabel[role="good"] {{ color: {c.good}; }}
"""


def _buttons(look: Look) -> str:
    c = look.colours
    pad = f"padding: {TINY}px {ROOMY}px; min-height: {TOUCH - 2 * TINY - 4}px; border-radius: {CORNER}px;"
    return f"""
QPushButton {{ background: {c.raised}; color: {c.text}; border: 2px solid {c.line}; {pad} }}
QPushButton:hover {{ background: {c.hover}; }}
QPushButton:pressed {{ background: {c.line}; }}
QPushButton:focus {{ border-color: {c.text}; }}
QPushButton:disabled {{ color: {c.quiet}; background: {c.ground}; }}
QPushButton:checked {{ background: {c.hover}; border-color: {c.accent}; }}
QPushButton[role="primary"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent};
    font-weight: 600; }}
QPushButton[role="primary"]:hover {{ border-color: {c.hover}; }}
QPushButton[role="primary"]:focus {{ border-color: {c.text}; }}
QPushButton[role="primary"]:disabled {{ background: {c.line}; color: {c.quiet}; border-color: {c.line}; }}
QPushButton[role="danger"] {{ color: {c.problem}; border-color: {c.problem}; }}
QPushButton[role="link"] {{ background: transparent; color: {c.accent}; border: 2px solid transparent;
    padding: {TINY}px {TINY}px; text-align: left; }}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border-color: {c.text}; }}
QPushButton[role="link"]:disabled {{ color: {c.quiet}; }}
QToolButton {{ background: transparent; border: 2px solid transparent; border-radius: {CORNER}px; padding: {TINY}px; }}
QToolButton:hover {{ background: {c.hover}; }}
QToolButton:focus {{ border-color: {c.text}; }}
QToolButton:checked {{ background: {c.hover}; }}
QToolButton::menu-indicator {{ image: none; }}
QToolButton[role="rail"] {{ text-align: left; padding: {SMALL}px {SNUG}px; color: {c.text}; }}
QToolButton[role="rail"]:checked {{ background: {c.bubble}; color: {c.text}; font-weight: 600; }}
QToolButton[role="rail"]:focus {{ border-color: {c.text}; }}
"""


def _fields(look: Look) -> str:
    c = look.colours
    return f"""
QLineEdit, QTextEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox {{ background: {c.raised}; color: {c.text};
    border: 1px solid {c.edge}; border-radius: {SMALL}px; padding: {TINY}px {SMALL}px;
    selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
QLineEdit, QComboBox, QAbstractSpinBox {{ min-height: {TOUCH - 2 * TINY - 2}px; }}
QLineEdit:focus, QTextEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {{
    border: 2px solid {c.accent}; padding: {TINY - 1}px {SMALL - 1}px; }}
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {c.quiet}; background: {c.ground}; }}
QComboBox::drop-down, QDateTimeEdit::drop-down {{ border: none; width: {ROOMY + SMALL}px; }}
QComboBox::down-arrow, QDateTimeEdit::down-arrow, QAbstractSpinBox::down-arrow {{ image: url("{_mark("down")}");
    width: {ROOMY}px; height: {ROOMY}px; }}
QAbstractSpinBox::up-arrow {{ image: url("{_mark("up")}"); width: {ROOMY}px; height: {ROOMY}px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; background: transparent;
    width: {ROOMY + SMALL}px; height: {ROOMY}px; subcontrol-origin: border; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QComboBox QAbstractItemView {{ background: {c.raised}; border: 1px solid {c.line}; outline: none;
    selection-background-color: {c.hover}; selection-color: {c.text}; }}
"""


def _mark(name: str) -> str:
    """The file of an arrow, in a colour that both looks have room for: a style sheet cannot colour pictures."""
    return (bundled("assets") / "marks" / f"{name}.svg").as_posix()


def _choices(look: Look) -> str:
    c = look.colours
    tick = (bundled("assets") / "icons" / "ticks" / ("dark.svg" if look.is_dark else "light.svg")).as_posix()
    return f"""
QCheckBox, QRadioButton {{ spacing: {SMALL}px; background: transparent; border: 2px solid transparent;
    border-radius: {TINY}px; padding: {TINY}px; }}
QCheckBox:focus, QRadioButton:focus {{ border-color: {c.text}; }}
QCheckBox::indicator, QRadioButton::indicator {{ width: {ROOMY}px; height: {ROOMY}px;
    border: 2px solid {c.edge}; background: {c.raised}; }}
QCheckBox::indicator {{ border-radius: {TINY}px; }}
QCheckBox::indicator:checked {{ image: url({tick}); }}
QRadioButton::indicator {{ border-radius: {ROOMY // 2 + 2}px; }}
QCheckBox::indicator:checked, QRadioButton::indicator:checked {{ background: {c.accent}; border-color: {c.accent}; }}
QSlider {{ background: transparent; min-height: {TOUCH - SMALL}px; }}
QSlider::groove:horizontal {{ height: {TINY}px; background: {c.line}; border-radius: {TINY // 2}px; }}
QSlider::sub-page:horizontal {{ background: {c.accent}; border-radius: {TINY // 2}px; }}
QSlider::handle:horizontal {{ background: {c.accent}; border: 2px solid {c.raised}; width: {ROOMY}px;
    margin: -{SMALL}px 0; border-radius: {SMALL + 2}px; }}
QSlider::handle:horizontal:focus {{ border-color: {c.text}; }}
"""


def _lists(look: Look) -> str:
    c = look.colours
    return f"""
QListView, QTreeView, QTableView {{ background: {c.raised}; alternate-background-color: {c.ground}; outline: none;
    border: 1px solid {c.line}; border-radius: {CORNER}px; gridline-color: {c.line};
    selection-background-color: {c.bubble}; selection-color: {c.text}; }}
QListView:focus, QTreeView:focus, QTableView:focus {{ border-color: {c.accent}; }}
QListView[role="bare"], QTreeView[role="bare"], QTableView[role="bare"] {{ background: {c.ground}; border: none; }}
QListView::item, QTreeView::item, QTableView::item {{ padding: {TINY}px {SMALL}px; }}
QHeaderView::section {{ background: {c.ground}; color: {c.quiet}; border: none;
    border-bottom: 1px solid {c.line}; padding: {TINY}px {SMALL}px; }}
QTableCornerButton::section {{ background: {c.ground}; border: none; }}
"""


def _bars(look: Look) -> str:
    c = look.colours
    return f"""
QScrollBar:vertical {{ background: transparent; width: {SNUG}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {SNUG}px; margin: 0; }}
QScrollBar::handle {{ background: {c.line}; border-radius: {TINY}px; margin: 2px; }}
QScrollBar::handle:hover {{ background: {c.edge}; }}
QScrollBar::handle:vertical {{ min-height: {TOUCH}px; }}
QScrollBar::handle:horizontal {{ min-width: {TOUCH}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ background: {c.line}; border: none; border-radius: {TINY}px; max-height: {SMALL}px;
    min-height: {SMALL}px; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: {TINY}px; }}
QTabBar::tab {{ background: transparent; color: {c.quiet}; padding: {SMALL}px {ROOMY}px;
    border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {c.text}; border-bottom-color: {c.accent}; }}
QTabBar::tab:focus {{ color: {c.text}; border-bottom-color: {c.text}; }}
QTabWidget::pane {{ border: none; }}
QSplitter::handle {{ background: {c.line}; }}
"""


def _surfaces(look: Look) -> str:
    c = look.colours
    return f"""
QFrame[role="card"] {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: {CARD_CORNER}px; }}
QFrame[role="card"][chosen="true"] {{ border: 2px solid {c.accent}; }}
QFrame[role="card"] QWidget[role="ground"] {{ background: {c.raised}; }}
QFrame[role="notice"] {{ background: {c.tint}; border: 1px solid {c.problem}; border-radius: {CORNER}px; }}
QFrame[role="calm"] {{ background: {c.bubble}; border: 1px solid {c.line}; border-radius: {CORNER}px; }}
QFrame[role="undo"] {{ background: {c.text}; border-radius: {CORNER}px; }}
QFrame[role="undo"] QLabel {{ color: {c.ground}; }}
QFrame[role="undo"] QPushButton {{ color: {c.ground}; background: transparent; border-color: {c.ground}; }}
QFrame[role="drawer"] {{ background: {c.raised}; border: none; border-left: 1px solid {c.line}; }}
QFrame[role="drawer"] QWidget[role="ground"], QFrame[role="drawer"] QScrollArea {{ background: {c.raised}; }}
QFrame[role="rail"] {{ background: {c.ground}; border: none; border-right: 1px solid {c.line}; }}
QFrame[role="top"] {{ background: {c.ground}; border: none; border-bottom: 1px solid {c.line}; }}
QFrame[role="line"] {{ background: {c.line}; border: none; }}
"""
