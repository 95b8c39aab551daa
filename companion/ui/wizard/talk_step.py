"""The first conversation: call, ask what the companion can do, and hear a real answer."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from companion.app.orders import Ask, Stop, Talk
from companion.ui.bridge import Bridge
from companion.ui.state import Engine, Fault, Mark, UiState
from companion.ui.state_words import told, wake_name
from companion.ui.theme import ROOMY, VAST
from companion.ui.widgets import Body, Button, Card, Heading, LinkButton, Notice, Quiet, StateMark
from companion.ui.wizard.bringing import is_coming
from companion.ui.wizard.step import WizardStep
from companion.voice.events import HeardText, Speaking, Spoken


class TalkStep(WizardStep):
    """Ends the wizard. what_works: says what can be done meanwhile, from the answer of the setup desk."""

    name = "talk"
    may_skip = False

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge, self.tr("Let us talk."), self.tr("Call me, and ask what I can do."))
        self._has_talked = False
        self._said = ""
        """Of the answer, by now."""
        self.mark = StateMark(VAST)
        self.words = Quiet()
        self.say = Heading()
        self.heard, self.answer = Body(), Body()
        self.button = Button(self.tr("Listen to me now"), self._talk, icon_name="microphone")
        self.typed = LinkButton(self.tr("Ask without speaking"), self._type)
        self.missing = Notice(kind="calm")
        self.missing.hide()
        self._lay_out()
        bridge.told.connect(self._hear)

    @property
    def next_words(self) -> str:
        return self.tr("Done")

    @property
    def question(self) -> str:
        """What is to be asked, in the language that is spoken."""
        return self.tr("What can you do?")

    def entered(self) -> None:
        self.draw(self.bridge.state)

    def left(self) -> None:
        if self.bridge.state.mark in (Mark.LISTENING, Mark.SPEAKING):
            self.bridge.ask(Stop(), failed=lambda fault: None, owner=self)

    def draw(self, state: UiState) -> None:
        can_talk = state.engine is Engine.RUNNING and state.is_ready and not state.is_stopped_by("start")
        self.mark.show_mark(state.mark, told(state), state.level)
        self.words.say(told(state))
        self.button.setEnabled(can_talk)
        self.button.say(self.tr("Stop") if _is_busy(state) else self.tr("Listen to me now"))
        self.typed.setEnabled(state.engine is Engine.RUNNING)
        self.say.say(self._what_to_say(state))
        self.missing.say(None if can_talk else self._why_not(state))

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(ROOMY)
        line.addWidget(self.mark)
        line.addWidget(self.words, 1)
        head = QWidget()
        head.setLayout(line)
        card = Card()
        card.setAccessibleName(self.tr("Our first conversation"))
        card.add(head)
        card.add(self.say)
        for words in (self.heard, self.answer):
            words.hide()
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            card.add(words)
        card.add_beside(self.button, self.typed)
        self.add(self.missing)
        self.add(card)

    def _what_to_say(self, state: UiState) -> str:
        if self._has_talked:
            return self.tr("That was our first conversation.")
        if state.wake_word:
            return self.tr("Say: “{word}, what can you do?”").format(word=wake_name(state.wake_word))
        return self.tr("Say: “What can you do?”")

    def _why_not(self, state: UiState) -> Fault | None:
        if is_coming(state):
            return Fault(self.tr("The models are still on their way."), self.tr("You can close this; I go on."))
        if state.is_stopped_by("start"):
            return Fault(
                self.tr("I cannot listen yet: there are no models."),
                self.tr("Go back to fetch them, or do it later in the settings. You can look around meanwhile."),
            )
        deaf = next((one for one in state.problems if one.topic == "microphone"), None)
        if deaf is not None:
            return deaf
        return Fault(self.tr("A moment: I am waking up."))

    # -- what happens

    def _talk(self) -> None:
        order = Stop() if _is_busy(self.bridge.state) else Talk()
        self.bridge.ask(order, failed=self.notice.say, owner=self)

    def _type(self) -> None:
        self.typed.setEnabled(False)
        self.heard.say(self.tr("You: {text}").format(text=self.question))
        self.answer.say(self.tr("…"))
        self.bridge.ask(Ask(self.question), self._answered, failed=self._failed, owner=self)

    def _answered(self, answer: Mapping[str, object]) -> None:
        self._show_answer(str(answer["text"]))
        self._has_talked = True
        self.draw(self.bridge.state)

    def _failed(self, fault: Fault) -> None:
        self.answer.say("")
        self.notice.say(fault)
        self.draw(self.bridge.state)

    def _hear(self, event: object) -> None:
        if not self.isVisible():
            return
        match event:
            case HeardText(text):
                self.heard.say(self.tr("You: {text}").format(text=text))
                self._said = ""
                self.answer.say("")
            case Speaking(text):
                self._said = f"{self._said} {text.strip()}".strip()
                self._show_answer(self._said)
            case Spoken(text) if text.strip():
                self._show_answer(text)
                self._has_talked = True
            case _:
                pass

    def _show_answer(self, text: str) -> None:
        self.answer.say(self.tr("Me: {text}").format(text=text))


def _is_busy(state: UiState) -> bool:
    return state.mark in (Mark.LISTENING, Mark.THINKING, Mark.SPEAKING)
