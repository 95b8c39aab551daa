"""The few kinds of things that every page is made of. They look after their own look, name and focus."""

from companion.ui.widgets.buttons import Button, DangerButton, IconButton, LinkButton, PrimaryButton
from companion.ui.widgets.column import Column, Scroll
from companion.ui.widgets.drawer import Drawer
from companion.ui.widgets.empty_state import EmptyState
from companion.ui.widgets.level_meter import LevelMeter
from companion.ui.widgets.notice import Notice, UndoBar
from companion.ui.widgets.progress_row import ProgressRow
from companion.ui.widgets.row import Row
from companion.ui.widgets.search_field import SearchField
from companion.ui.widgets.state_mark import StateMark
from companion.ui.widgets.surfaces import Card, Line
from companion.ui.widgets.switch import Switch
from companion.ui.widgets.words import Body, Display, Fine, Heading, Quiet, Subheading

__all__ = [
    "Body",
    "Button",
    "Card",
    "Column",
    "DangerButton",
    "Display",
    "Drawer",
    "EmptyState",
    "Fine",
    "Heading",
    "IconButton",
    "LevelMeter",
    "Line",
    "LinkButton",
    "Notice",
    "PrimaryButton",
    "ProgressRow",
    "Quiet",
    "Row",
    "Scroll",
    "SearchField",
    "StateMark",
    "Subheading",
    "Switch",
    "UndoBar",
]
