"""What stands over every page when something is wrong: with the engine, the models, or an order nobody saw to."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.engine_words import in_window_language
from companion.ui.state import Engine, Fault, UiState
from companion.ui.theme import SMALL, WIDE, mark
from companion.ui.widgets import Notice
from companion.ui.widgets.placed import has_place


class Banner(QWidget):
    """wants: a place that mends what is wrong."""

    wants = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "ground")
        self._bridge = bridge
        self._is_turning = False
        self.engine = Notice(mend_text=self.tr("Restart"), on_mend=self._restart)
        self.models = Notice(mend_text=self.tr("Open models"), on_mend=lambda: self.wants.emit("settings/models"))
        self.complaint = Notice(closable=True)
        self.no_tray = Notice(
            self.tr("This desktop shows no tray icon, so a closed window stays in the list of windows."),
            self.tr("Starting the companion once more brings it back, too. To end it, choose Quit in the menu."),
            closable=True,
            kind="calm",
        )
        self._column = QVBoxLayout(self)
        self._column.setSpacing(SMALL)
        for notice in (self.engine, self.models, self.complaint, self.no_tray):
            notice.hide()
            self._column.addWidget(notice)
        bridge.changed.connect(self.draw)
        bridge.complained.connect(self._complain)
        self.draw(bridge.state)

    def draw(self, state: UiState) -> None:
        """Show what is wrong now."""
        self.engine.say(self._of_engine(state))
        self.engine.button.setEnabled(not self._is_turning)
        start = next((one for one in state.problems if one.topic == "start"), None)
        self.models.say(start)
        self._close_up()

    def tell_of_no_tray(self) -> None:
        """Say where a window goes that is closed, on a desktop without a tray."""
        self.no_tray.show()
        self._close_up()

    def _of_engine(self, state: UiState) -> Fault | None:
        if state.engine is Engine.STARTING:
            self._is_turning = False
        if state.engine is Engine.FROZEN:
            told = self.tr("The companion has not answered for some seconds.")
            return Fault(told, self.tr("It may come back by itself. If not, restart it; what you see here stays."))
        if state.engine is Engine.ENDED and state.ended is not None:
            return Fault(
                self.tr("The companion has stopped: {reason}").format(reason=in_window_language(state.ended.message)),
                state.ended.mend,
            )
        return None

    def _restart(self) -> None:
        self._is_turning = True
        self.engine.button.setEnabled(False)
        self._bridge.restart()

    def _complain(self, fault: Fault) -> None:
        self.complaint.say(fault)
        self._close_up()

    def _close_up(self) -> None:
        """Without anything to say it takes no room."""
        speaks = any(not notice.isHidden() for notice in (self.engine, self.models, self.complaint, self.no_tray))
        self._column.setContentsMargins(*((WIDE, SMALL, WIDE, 0) if speaks else (0, 0, 0, 0)))
        if has_place(self, visible=speaks):
            self.setVisible(speaks)
