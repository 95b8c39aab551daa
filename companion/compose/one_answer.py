"""What several backends say of one answer, as one: nothing twice, no half calls, and the counts of all."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import assert_never

from companion.compose.joint import Joint
from companion.errors import InvalidAnswer
from companion.model import ChatRequest, ChatRole, Message
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.stream import Usage

MOST_HELD = 4 * 1024 * 1024
"""Characters of calls and forms that are held back."""
_PIECE = 16
"""Characters that a piece counts for beside its own."""
_TOLD_EACH = 64
"""Characters held back, after which the tokens so far are told again."""
_MOST_PER_TOKEN = 8
"""Characters; rather too many, so that no more tokens are told than there are."""

GO_ON = (
    "Your answer was cut off in the middle. Repeat its last few words exactly as they are, and then go on from there "
    "to the end. Do not begin anew, and say nothing about having been cut off."
)
"""What the next backend is told behind the answer so far."""


class OneAnswer:
    """The answer so far, and how it is asked for."""

    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._said: list[str] = []
        self._joint = Joint("")
        self._calls: list[CallDelta] = []
        self._form: list[str] = []
        self._held = 0
        self._spent = Usage()
        self._usage = Usage()
        self._has_blob = False
        self._is_thinking = False
        self._may_sign = True
        self.ready: deque[Delta] = deque()
        """What is to be handed out."""
        self.is_finished = False

    @property
    def text(self) -> str:
        """The words that were handed out."""
        return "".join(self._said)

    def request(self) -> ChatRequest:
        """What the next backend is to be asked."""
        if not self.text.strip():
            # To go on behind nothing but spaces is to begin.
            return self._request
        context = self._request.context
        so_far = (Message.of(ChatRole.ASSISTANT, self.text), Message.of(ChatRole.USER, GO_ON))
        return replace(self._request, context=replace(context, messages=(*context.messages, *so_far)))

    def break_off(self, error: Exception) -> None:
        """The backend has failed, and another one will go on.

        Raises:
            Exception: ``error`` itself, where nobody can go on.
        """
        if self._has_blob:
            # Half a picture cannot be gone on with by words.
            raise error
        # What the joint held back was not handed out, and is the next one's to say.
        self._joint = Joint(self.text)
        self._calls.clear()
        self._form.clear()
        self._held = 0
        self._spent += self._usage
        self._usage = Usage()
        # Behind half a thought of another, no signature would fit what stands before it.
        self._may_sign = not self._is_thinking

    def take(self, delta: Delta) -> None:
        """Take the next delta of whoever answers at present.

        Raises:
            InvalidAnswer: more is held back than anybody would use.
        """
        match delta:
            case _ if self.is_finished and not isinstance(delta, Counted):
                self.ready.append(delta)
            case TextDelta(text):
                self._take_text(text)
            case ThoughtDelta():
                self._think(delta)
            case CallDelta(arguments=arguments):
                self._hold(len(arguments))
                self._calls.append(delta)
            case BlobDelta():
                self._has_blob = True
                self.ready.append(delta)
            case Counted(usage):
                self._usage = self._usage.most(usage)
                self.ready.append(Counted(self._spent + self._usage))
            case RawDelta():
                self.ready.append(delta)
            case Finished():
                self._finish(delta)
            case _:
                assert_never(delta)

    def _take_text(self, text: str) -> None:
        # An answer in a form is of use only as a whole, and cannot be gone on with by another.
        if self._request.answer_form is None:
            self._say(self._joint.feed(text))
        else:
            self._hold(len(text))
            self._form.append(text)

    def _say(self, text: str) -> None:
        if text:
            self._is_thinking, self._may_sign = False, True
            self._said.append(text)
            self.ready.append(TextDelta(text))

    def _think(self, thought: ThoughtDelta) -> None:
        signature = thought.signature if self._may_sign else ""
        self._may_sign = self._may_sign or bool(thought.signature)
        self._is_thinking = bool(thought.text) or (self._is_thinking and not thought.signature)
        if thought.signature:
            self._is_thinking = False
        self.ready.append(ThoughtDelta(thought.text, signature, thought.redacted))

    def _finish(self, finished: Finished) -> None:
        self._say(self._joint.end() + "".join(self._form))
        self.ready.extend(self._calls)
        self._form.clear()
        self._calls.clear()
        self._held = 0
        self.is_finished = True
        self.ready.append(finished)

    def _hold(self, size: int) -> None:
        """Count what is held back, and tell now and then that it grows, so that nobody takes it for silence."""
        before, self._held = self._held, self._held + size
        if self._held + _PIECE * len(self._calls) > MOST_HELD:
            what = "tool calls" if self._request.answer_form is None else "form and the tool calls"
            raise InvalidAnswer(f"the {what} are longer than {MOST_HELD} characters", mend="ask for less at once")
        if self._held // _TOLD_EACH > before // _TOLD_EACH:
            self._usage = self._usage.most(Usage(completion_tokens=self._held // _MOST_PER_TOKEN))
            self.ready.append(Counted(self._spent + self._usage))
