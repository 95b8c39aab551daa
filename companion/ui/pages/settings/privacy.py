"""What stays here and what may leave: who is asked for which step, with what key, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.control import Answer
from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.cloud_step import CloudStep
from companion.ui.pages.settings.model_row import size_in_words
from companion.ui.pages.settings.provider_row import ProviderRow
from companion.ui.pages.settings.section import Section
from companion.ui.pages.settings.setting_row import SettingRow
from companion.ui.state import UiState
from companion.ui.widgets import Body, Card, Fine, LinkButton, Quiet

STEPS = ("recogniser", "language model", "voice")


class PrivacySection(Section):
    def __init__(self, bridge: Bridge, book: Book) -> None:
        super().__init__(bridge, book)
        self._known: dict[str, Mapping[str, Any]] = {}
        """Every provider, as the desk tells it."""
        self._providers: dict[str, ProviderRow] = {}
        """Those that were shown so far."""
        self.add(self._head())
        self.steps = {step: CloudStep(bridge, book, step) for step in STEPS}
        for card in self.steps.values():
            card.tested.connect(self._take)
            card.complained.connect(self.complain)
            self.add(card)
        self.add(self._key_card())
        self.add(self._cost_card())
        self.card_of(self.tr("Asking providers"), "cloud.voice_name", "cloud.slow_after", "cloud.address")
        self.card_of(self.tr("Kept on this computer"), "history.keep", "memory.keep", "log.private_text")
        book.listed.connect(self._tell)

    def entered(self) -> None:
        self.bridge.tend("cloud", "list", then=self._take, failed=self.complain, owner=self)

    def draw(self, state: UiState) -> None:
        total = sum(size for _, size in state.sent)
        if total:
            hosts = self.tr(", ").join(host for host, _ in state.sent)
            told = self.tr("Since I started, {size} went to {hosts}.")
            self._sent.say(told.format(size=size_in_words(total), hosts=hosts))
        else:
            self._sent.say(self.tr("Since I started, nothing has left this computer."))

    # -- parts

    def _head(self) -> Card:
        card = Card()
        self.promise, self._sent = Body(), Quiet()
        card.add(self.promise)
        card.add(self._sent)
        return card

    def _key_card(self) -> Card:
        card = Card(
            self.tr("Keys of providers"),
            self.tr("A key is kept in the keyring of this computer, and is shown to nobody but its provider."),
        )
        self._key_place = card
        self.all_keys = LinkButton(self.tr("Show all providers"), self._show_all)
        self._shows_all = False
        card.add_beside(self.all_keys)
        return card

    def _cost_card(self) -> Card:
        card = Card(self.tr("What it may cost"))
        self.spent = Body()
        card.add(self.spent)
        self.services = Fine()
        self.services.hide()
        card.add(self.services)
        card.add(SettingRow(self.book, "cloud.monthly_budget"))
        card.add_beside(LinkButton(self.tr("Prices and all the rest"), lambda: self.wants.emit("settings/everything")))
        return card

    # -- what is there

    def _take(self, answer: Answer) -> None:
        told: Any = answer
        self._known = {str(row["name"]): row for row in told["providers"]}
        for name, made in self._providers.items():
            made.show_provider(self._known[name])
        for card in self.steps.values():
            card.know(told["providers"])
        budget, spent = float(told["budget"]), float(told["spent"])
        self.spent.say(self.tr("This month: {spent} of {budget}.").format(spent=f"{spent:.2f}", budget=f"{budget:.2f}"))
        lines = [f"{name}: {cost:.4f}" for name, cost in told["services"].items()]
        self.services.say("\n".join(lines))
        self._tell()

    def _tell(self) -> None:
        self._show_wanted()
        leaving = [card.what_leaves for card in self.steps.values() if card.may_leave]
        if leaving:
            what = self.tr(", ").join(leaving)
            self.promise.say(self.tr("May leave this computer: {what}. Everything else stays here.").format(what=what))
        else:
            self.promise.say(self.tr("Everything stays on this computer. I need no internet."))

    def _add_provider(self, name: str) -> None:
        made = self._providers[name] = ProviderRow(self.bridge, name)
        made.kept.connect(self._take)
        made.complained.connect(self.complain)
        made.show_provider(self._known[name])
        self._key_place.add(made)

    def _show_all(self) -> None:
        self._shows_all = not self._shows_all
        self._show_wanted()

    def _show_wanted(self) -> None:
        """Those that have a key or are named by a step; all of them if asked for."""
        named = {card.provider for card in self.steps.values()}
        for name, row in self._known.items():
            is_wanted = self._shows_all or bool(row["has_key"]) or name in named
            if is_wanted and name not in self._providers:
                self._add_provider(name)
            if name in self._providers:
                self._providers[name].setVisible(is_wanted)
        self.all_keys.say(self.tr("Show fewer") if self._shows_all else self.tr("Show all providers"))
