"""The home page. Empty for now."""

from __future__ import annotations

from companion.ui.bridge import Bridge
from companion.ui.pages.page import Page
from companion.ui.widgets import EmptyState


class HomePage(Page):
    """See the head of the file."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.hold(EmptyState("home", self.tr("Nothing here yet")))
