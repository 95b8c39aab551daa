"""Words and buttons are never windows: one that is to be seen before it has its place waits for that."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def has_place(widget: QWidget, *, visible: bool) -> bool:
    """Whether it can be shown or hidden now; else it will be seen as soon as it is put somewhere.

    Qt would make a window of it, which flashes up and takes the focus.
    """
    if not visible or widget.parentWidget() is not None:
        return True
    widget.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
    return False
