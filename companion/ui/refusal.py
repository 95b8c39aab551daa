"""Says what keeps the companion from starting to somebody who began it from a menu, where nothing printed is read."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from companion.errors import CompanionError
from companion.settings.schema import Settings
from companion.ui.engine_words import in_window_language
from companion.ui.run import application
from companion.ui.widgets import plain


def tell(fault: CompanionError) -> None:
    """Show it until it is put away; nothing where nobody could see it."""
    application(Settings())
    if QGuiApplication.platformName() != "offscreen":
        made(fault).exec()


def made(fault: CompanionError) -> QMessageBox:
    """The box: what is wrong, and what to do."""
    box = QMessageBox(QMessageBox.Icon.Warning, QCoreApplication.translate("Refusal", "The companion cannot start"), "")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(plain.short(in_window_language(str(fault))))
    box.setInformativeText(plain.tip(in_window_language(fault.mend)))  # which has no format of its own
    return box
