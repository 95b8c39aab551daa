"""The keys of the window: each does one thing, and is listed in the help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Listed:
    """A key as the help lists it: as the desktop writes it, what it does, and where."""

    keys: str
    does: str
    where: str


class Keys:
    """Every key there is, for the help."""

    def __init__(self) -> None:
        self._listed: dict[tuple[str, str], Listed] = {}

    def bind(
        self,
        widget: QWidget,
        keys: str,
        does: str,
        on_press: Callable[[], object],
        *,
        where: str = "",
        inside: bool = False,
    ) -> QShortcut:
        """Let ``keys`` (as "Ctrl+M") do something while the window of ``widget`` is in front.

        where: the page it belongs to; empty: everywhere. inside: only while ``widget`` or a part of it has the focus.
        """
        shortcut = QShortcut(QKeySequence(keys), widget)
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut if inside else Qt.ShortcutContext.WindowShortcut
        shortcut.setContext(context)
        shortcut.activated.connect(lambda: on_press())
        self.tell(keys, does, where=where)
        return shortcut

    def begin(self) -> None:
        """Forget all of them: a window is made anew, maybe in another language."""
        self._listed.clear()

    def tell(self, keys: str, does: str, *, where: str = "") -> None:
        """List a key that a widget sees to by itself."""
        native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        self._listed[keys, where] = Listed(native or keys, does, where)

    @property
    def listed(self) -> list[Listed]:
        """Those of the whole window first, then page by page."""
        return sorted(self._listed.values(), key=lambda one: one.where)


keys = Keys()
