"""Changes by hand, each of which is offered to be taken back: correct, pin, rename, join, forget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject

from companion.ui.pages.memory.fact import Fact
from companion.ui.pages.memory.name_dialog import NameDialog
from companion.ui.pages.memory.wishes import Wishes
from companion.ui.pages.page import Page

Answer = Mapping[str, object]
SHORT = 60
"""Characters of a sentence in the bar that takes something back."""


class Changing(QObject):
    """changed: called when the memory is another one now; with the name somebody has now, where that changed."""

    def __init__(self, page: Page, wishes: Wishes, changed: Callable[[str], None]) -> None:
        super().__init__(page)
        self._page = page
        self._wishes = wishes
        self._changed = changed

    def correct(self, fact: Fact, subject: str, relation: str, thing: str) -> None:
        """Something else is right."""

        def corrected(answer: Answer) -> None:
            right = answer.get("fact")
            number = right["id"] if isinstance(right, Mapping) else 0
            self._done(self.tr("Corrected."), "uncorrect", {"id": number})

        given = {"id": fact.id, "subject": subject, "relation": relation, "object": thing}
        self._wishes.do("correct", given, corrected)

    def pin(self, fact: Fact, is_wanted: bool) -> None:
        """Keep a fact within reach, or no more."""
        words = self.tr("Pinned.") if is_wanted else self.tr("No longer pinned.")
        back: dict[str, object] = {"id": fact.id, "on": not is_wanted}
        self._wishes.do("pin", {"id": fact.id, "on": is_wanted}, lambda _: self._done(words, "pin", back))

    def forget(self, fact: Fact) -> None:
        """Let go of a fact."""
        words = self.tr("Forgotten: {sentence}").format(sentence=_short(fact.sentence))
        self._wishes.do("forget", {"ids": [str(fact.id)]}, lambda answer: self._forgotten(words, answer))

    def forget_all(self, name: str) -> None:
        """Let go of all that is known of somebody, and of what was said about them."""

        def forgotten(answer: Answer) -> None:
            facts = answer.get("facts")
            count = facts if isinstance(facts, int) else 0
            told = self.tr("Forgotten: %n fact(s) about {name}, and where we spoke of it.", "", count)
            self._forgotten(told.format(name=_short(name)), answer)

        self._wishes.do("forget", {"about": name}, forgotten)

    def ask_new_name(self, name: str) -> None:
        """Ask what somebody is called from now on."""
        dialog = NameDialog(
            self.tr("Rename"),
            self.tr("I will still know the old name."),
            self.tr("Rename"),
            text=name,
            parent=self._page,
        )
        dialog.named.connect(lambda fresh: self.rename(name, fresh))
        dialog.open()

    def rename(self, name: str, fresh: str) -> None:
        def renamed(answer: Answer) -> None:
            self._done(
                self.tr("Renamed to {name}.").format(name=fresh), "rename", {"name": fresh, "fresh": name}, fresh
            )

        self._wishes.do("rename", {"name": name, "fresh": fresh}, renamed)

    def ask_who_is_the_same(self, name: str) -> None:
        """Ask whom somebody is the same as."""
        dialog = NameDialog(
            self.tr("The same as"),
            self.tr("“{name}” and this one become one. All that I know of either stays.").format(name=name),
            self.tr("Join them"),
            suggest=self._suggest,
            parent=self._page,
        )
        dialog.named.connect(lambda other: self.join(name, other))
        dialog.open()

    def join(self, one: str, other: str) -> None:
        """Let the first go up in the second."""

        def joined(answer: Answer) -> None:
            words = self.tr("{one} and {other} are one now.").format(one=_short(one), other=_short(other))
            self._done(words, "unmerge", {"id": answer.get("id", 0)}, str(answer.get("target", other)))

        self._wishes.do("merge", {"source": one, "target": other}, joined)

    def part(self, merge: int) -> None:
        """They are two after all."""
        self._wishes.do("unmerge", {"id": merge}, lambda _: self._changed(""))

    def keep_apart(self, one: str, other: str) -> None:
        """They are not the same."""
        self._wishes.do("different", {"one": one, "other": other}, lambda _: self._changed(""))

    def _suggest(self, typed: str, put: Callable[[Sequence[str]], None]) -> None:
        def told(answer: Answer) -> None:
            names = answer.get("names")
            put([str(name) for name in names] if isinstance(names, list | tuple) else [])

        self._wishes.names(typed, told)

    def _forgotten(self, words: str, answer: Answer) -> None:
        self._done(words, "put_back", {"id": answer.get("id", 0)})

    def _done(self, words: str, back: str, given: Mapping[str, object], name: str = "") -> None:
        """Show what is now, and offer to take it back by the action ``back``."""
        self._page.notice.say(None)
        self._changed(name)
        was = given.get("fresh", "")
        undone = str(was) if back == "rename" else ""
        self._page.undo.offer(words, lambda: self._wishes.do(back, given, lambda _: self._changed(undone)))


def _short(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
