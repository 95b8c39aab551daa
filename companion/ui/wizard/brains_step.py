"""Brains: what fits this machine, in plain words, and how far it is on its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.state import Fault, UiState
from companion.ui.theme import SNUG
from companion.ui.widgets import LinkButton, Notice, PrimaryButton, ProgressRow, Quiet
from companion.ui.wizard.bringing import PULL, bringing
from companion.ui.wizard.choice_cards import ChoiceCard, ChoiceCards
from companion.ui.wizard.step import WizardStep

MEGA, GIGA = 1_000_000, 1_000_000_000
A_MINUTE = 60


class BrainsStep(WizardStep):
    """told: the answer of the desk, for whoever shows what works."""

    name = "brains"
    told = Signal(object)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            bridge,
            self.tr("How clever shall I be?"),
            self.tr("I think on this computer, with models that are fetched once. These fit it."),
        )
        self.missing: Mapping[str, int] = {}
        """What was asked for, or would be: bytes by name."""
        self._bundles: dict[str, Mapping[str, Any]] = {}
        self.offline = Notice(kind="calm")
        self.offline.hide()
        self.cards = ChoiceCards(self.tr("What to begin with"))
        self.cards.chosen.connect(self._chosen)
        self.progress = ProgressRow(self.tr("On their way"), self._stop)
        self.progress.hide()
        self.told_room = Quiet()
        self.bring = PrimaryButton(self.tr("Fetch them"), self._bring, icon_name="download")
        self.bring.hide()
        self.from_stick = LinkButton(self.tr("Take them from a folder or a stick"), self._choose_folder)
        self.from_stick.hide()
        do = QWidget()
        line = QHBoxLayout(do)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SNUG)
        line.addWidget(self.bring)
        line.addWidget(self.from_stick)
        line.addStretch(1)
        for widget in (self.offline, self.cards, self.progress, do, self.told_room):
            self.add(widget)

    @property
    def has_more(self) -> bool:
        return not self.bring.isHidden()

    def entered(self) -> None:
        self.fetch("setup", "brains", self._fill)

    def draw(self, state: UiState) -> None:
        task = bringing(state, self.missing)
        self.progress.show_task(task)
        is_going = task is not None and not task.is_over
        is_done = not self.missing or (task is not None and task.is_over and task.fault is None)
        for card in self.cards.cards.values():
            card.radio.setEnabled(not is_going)
        self.bring.setVisible(bool(self._bundles) and not is_going and not is_done)
        self.from_stick.setVisible(self.has_more)

    # -- what there is

    def _fill(self, answer: Mapping[str, Any]) -> None:
        was = self.cards.key
        self._bundles = {str(row["tier"]): row for row in answer["bundles"]}
        if set(self._bundles) != set(self.cards.cards):
            self.cards.empty()
            for tier in self._bundles:
                self.cards.put(tier, ChoiceCard(self._title(tier)))
        for tier, row in self._bundles.items():
            self.cards.cards[tier].explain(self._note(row))
        self.cards.show_chosen(was or self._usual())
        self._take(self.cards.key)
        self.told_room.say(self._room(answer))
        self.offline.say(self._offline(answer) if answer["offline"] else None)
        self.told.emit(answer)
        self.draw(self.bridge.state)

    def _usual(self) -> str:
        """What is there already, else what is good enough for most: the one in the middle."""
        here = [tier for tier, row in self._bundles.items() if not row["missing"]]
        return here[-1] if here else list(self._bundles)[min(1, len(self._bundles) - 1)]

    def _chosen(self, tier: str) -> None:
        self._take(tier)
        self.draw(self.bridge.state)

    def _take(self, tier: str) -> None:
        # What is on its way stays what is shown, though the shelf has some of it by now.
        coming = bringing(self.bridge.state, self.missing)
        if coming is None or coming.is_over:
            self.missing = dict(self._bundles[tier]["missing"]) if tier in self._bundles else {}

    # -- what is done

    def _bring(self) -> None:
        self._pull({"names": list(self.missing)})

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("The folder with the models"))
        if folder:
            self._pull({"names": list(self.missing), "stick": folder})

    def _pull(self, given: Mapping[str, object]) -> None:
        self.notice.say(None)
        self.bridge.tend("models", "pull", given, failed=self.notice.say, owner=self)

    def _stop(self) -> None:
        for name in self.missing:
            if self.bridge.state.task(f"{PULL} {name}") is not None:
                self.bridge.tend("models", "cancel", {"name": name}, failed=self.notice.say, owner=self)

    # -- words

    def _title(self, tier: str) -> str:
        match tier:
            case "quick":
                return self.tr("Quick and simple")
            case "good":
                return self.tr("Clever")
            case _:
                return self.tr("Very clever, and slower")

    def _note(self, row: Mapping[str, Any]) -> str:
        missing = sum(row["missing"].values())
        if not missing:
            return self.tr("Everything for it is here.")
        size, minutes = self.in_words(missing), round(row["seconds"] / A_MINUTE)
        if minutes < 1:
            return self.tr("{size}, less than a minute on a usual line.").format(size=size)
        return self.tr("{size}, about %n minute(s) on a usual line.", "", minutes).format(size=size)

    def _room(self, answer: Mapping[str, Any]) -> str:
        return self.tr("There is room for {size} on the disk. You can go on while they come.").format(
            size=self.in_words(answer["free_bytes"])
        )

    def _offline(self, answer: Mapping[str, Any]) -> Fault:
        works = answer["works"]
        return Fault(self.tr("This computer has no network now."), self.what_works(works))

    def what_works(self, works: Mapping[str, bool]) -> str:
        """What the companion can do with what is here."""
        can: Sequence[str] = [
            told
            for told, is_so in (
                (self.tr("I understand what you say, and do what you ask: timers, sums, the time."), works["hears"]),
                (self.tr("I answer questions."), works["hears"] and works["answers"]),
                (self.tr("I speak."), works["hears"] and works["speaks"]),
            )
            if is_so
        ]
        if not can:
            return self.tr("Nothing can be said yet. Take the models from a stick, or go on and fetch them later.")
        return self.tr("What works already: {list}").format(list=" ".join(can))

    def in_words(self, count: float) -> str:
        """Bytes as a person reads them."""
        if count >= GIGA:
            return self.tr("{number} GB").format(number=f"{count / GIGA:.1f}")
        return self.tr("{number} MB").format(number=max(1, round(count / MEGA)))
