"""The chat layer's message list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.model.message import ChatRole, Message


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a chat model is asked: messages, oldest first. None at all asks it to go on."""

    messages: tuple[Message, ...] = ()

    @classmethod
    def of(cls, asked: PromptLike) -> Prompt:
        """A prompt of what a caller may give: plain words are said by the user."""
        match asked:
            case None:
                return cls()
            case Prompt():
                return asked
            case str():
                return cls((Message.of(ChatRole.USER, asked),))
            case Message():
                return cls((asked,))
            case _:
                return cls(tuple(asked))

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def __len__(self) -> int:
        return len(self.messages)

    def __add__(self, more: PromptLike) -> Prompt:
        return Prompt((*self.messages, *Prompt.of(more)))


PromptLike = str | Message | Iterable[Message] | Prompt | None
