"""What a chat model asks of a conversation: to show what was said, and to keep what is said next."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Protocol

from companion.model.message import Message


class Conversation(Protocol):
    """One conversation; a chat model only ever adds to it.

    A turn is recorded as it goes: the user's messages, then for each step all of the assistant's messages at once
    (thoughts and words first, then the calls), and then one result for each call, in the order of the calls. System
    text is not recorded: it is made anew for each request. Whoever owns it lets one turn after another go on with it.
    """

    @property
    def name(self) -> str:
        """By which tools tell it from others."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """What a model is to be shown, oldest first; calls never without their results, nor results without calls."""

    async def record(self, *messages: Message) -> None:
        """Append, all or none.

        Raises:
            SessionError: they could not be kept; ``messages`` shows them nevertheless.
        """


class PassingConversation:
    """A conversation that ends with its turn."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._name = f"passing-{os.urandom(8).hex()}"
        self._messages = list(messages)

    @property
    def name(self) -> str:
        return self._name

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._messages)

    async def record(self, *messages: Message) -> None:
        self._messages.extend(messages)
