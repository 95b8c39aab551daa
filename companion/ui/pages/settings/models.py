"""The models: what is here, what fits this computer, and bringing, checking and removing them."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QFileDialog

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.model_row import ModelRow, size_in_words
from companion.ui.pages.settings.section import Section, is_up
from companion.ui.state import Fault, UiState
from companion.ui.widgets import Card, Fine, LinkButton, Notice, PrimaryButton, Quiet

SETTINGS = {"recogniser": "models.recogniser", "language-model": "models.language_model", "voice": "models.voice"}
"""The setting that names a model of a kind."""
AUTO = "auto"
MB_IN_GB = 1024
KINDS = ("recogniser", "language-model", "voice", "turn-judge", "embedder")
"""In the order of a conversation."""


class ModelsSection(Section):
    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._cards: dict[str, Card] = {}
        self._rows: dict[str, ModelRow] = {}
        self._lists: dict[str, LinkButton] = {}
        self._over: frozenset[str] = frozenset()
        self.told = Quiet()
        self.add(self.told)
        head = Card()
        self._starting = Quiet()
        self.starters = PrimaryButton(self.tr("Bring what is missing"), self._bring_starters, icon_name="download")
        self.stick = LinkButton(self.tr("From a folder or a stick"), self._bring_from_stick)
        head.add(self._starting)
        head.add_beside(self.starters)
        head.add_beside(self.stick)
        self.add(head)
        self.waiting = Notice(kind="calm", mend_text=self.tr("Restart now"), on_mend=bridge.restart)
        self.waiting.hide()
        self.add(self.waiting)
        self._folder = Fine()
        book.listed.connect(self._show_autos)

    def entered(self) -> None:
        self._fetch()

    def draw(self, state: UiState) -> None:
        for row in self._rows.values():
            row.draw(state)
        over = frozenset(one.name for one in state.tasks if one.name.startswith("models.") and one.is_over)
        if over != self._over and is_up(state):
            self._over = over
            self._fetch()

    # -- what is there

    def _fetch(self) -> None:
        self.bridge.tend("models", "list", then=self._take, failed=self.complain, owner=self)

    def _take(self, answer: Answer) -> None:
        told: Any = answer
        self.told.say(
            self.tr("This computer has {memory} of memory and {cores} cores; {free} are free on its disk.").format(
                memory=f"{max(round(int(told['memory_mb']) / MB_IN_GB), 1)} GB",
                cores=told["cores"],
                free=size_in_words(int(told["free"])),
            )
        )
        rows = sorted(told["models"], key=_order)
        missing = [row for row in rows if row["is_starter"] and not (row["on_shelf"] or row["is_coming"])]
        self._tell_of_starters(missing)
        self._tell_what_waits([row for row in rows if row["name"] in told.get("waiting", ())])
        for row in rows:
            self._show(row)
        self._folder.say(self.tr("They are kept in {folder}.").format(folder=told["folder"]))
        if self._folder.parent() is None:
            self.add(self._folder)
        self._show_autos()
        self.draw(self.bridge.state)

    def _tell_of_starters(self, missing: list[Any]) -> None:
        size = sum(int(row["bytes"]) - int(row["begun"]) for row in missing)
        if missing:
            told = self.tr("%n model(s) to begin with are missing: {size}.", "", len(missing))
            self._starting.say(told.format(size=size_in_words(max(size, 0))))
        else:
            self._starting.say(self.tr("Everything to begin with is here."))
        self.starters.setVisible(bool(missing))

    def _tell_what_waits(self, rows: list[Any]) -> None:
        titles = self.tr(", ").join(str(row["title"]) for row in rows)
        told = Fault(
            self.tr("New here: {models}. Used after a restart.").format(models=titles),
            self.tr("A restart takes about a second. What is on its way goes on."),
        )
        self.waiting.say(told if rows else None)

    def _show(self, row: Any) -> None:
        name, kind = str(row["name"]), str(row["kind"])
        if kind not in self._cards:
            self._add_card(kind)
        if name not in self._rows:
            made = ModelRow(name)
            made.wanted.connect(self._do)
            self._rows[name] = made
            self._cards[kind].add(made)
        self._rows[name].show_model(row, can_choose=kind in SETTINGS)

    def _add_card(self, kind: str) -> None:
        title, explanation = self._words_of(kind)
        card = self._cards[kind] = Card(title, explanation)
        if kind in SETTINGS:
            auto = LinkButton(self.tr("Let me choose by what fits"), lambda: self.book.set(SETTINGS[kind], AUTO))
            auto.setAccessibleName(self.tr("{kind}: let me choose by what fits").format(kind=title))
            self._lists[kind] = auto
            card.add_beside(auto)
        self.add(card)

    def _show_autos(self) -> None:
        for kind, link in self._lists.items():
            link.setVisible(self.book.value(SETTINGS[kind]) not in ("", AUTO))

    def _words_of(self, kind: str) -> tuple[str, str]:
        words = {
            "recogniser": (self.tr("Listening"), self.tr("Writes down what you say.")),
            "language-model": (self.tr("Thinking"), self.tr("Answers what no talent can.")),
            "voice": (self.tr("Speaking"), self.tr("Says my answers.")),
            "turn-judge": (self.tr("Taking turns"), self.tr("Hears whether you have finished.")),
            "embedder": (self.tr("Finding"), self.tr("Finds memories and documents by their meaning.")),
        }
        return words.get(kind, (kind, ""))

    # -- what is done

    def _do(self, action: str, name: str) -> None:
        if action == "use":
            kind = next(kind for kind, card in self._cards.items() if card.isAncestorOf(self._rows[name]))
            self.book.set(SETTINGS[kind], name)
        elif action == "pull":
            self._tend("pull", names=[name])
        else:
            self._tend(action, name=name)

    def _tend(self, action: str, **given: object) -> None:
        self.bridge.tend("models", action, given, then=self._take, failed=self._refused, owner=self)

    def _refused(self, fault: Fault) -> None:
        self.complain(fault)
        self._fetch()

    def _bring_starters(self) -> None:
        self._tend("pull")

    def _bring_from_stick(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Where are the models?"))
        if folder:
            self._tend("pull", stick=folder)


def _order(row: Any) -> tuple[int, bool, int, int]:
    fit = {"well": 0, "slow": 1, "not": 2}
    kind = KINDS.index(row["kind"]) if row["kind"] in KINDS else len(KINDS)
    return (kind, not row["on_shelf"], fit.get(str(row["fit"]), 2), int(row["bytes"]))
