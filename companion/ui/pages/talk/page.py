"""The talk page. Empty for now."""

from __future__ import annotations

from companion.ui.bridge import Bridge
from companion.ui.pages.page import Page
from companion.ui.widgets import EmptyState


class TalkPage(Page):
    """See the head of the file."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.hold(EmptyState("talk", self.tr("Nothing here yet")))
