"""The chat layer's message list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from companion.model.message import ChatRole, Message


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a chat model is asked: messages, oldest first. None at all asks it to go on.

    attributes: what those who handle it on its way (a router, a talent) need to know; no model sees it.
    """

    messages: tuple[Message, ...] = ()
    attributes: Mapping[str, object] = field(default_factory=dict)

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
        more = Prompt.of(more)
        return Prompt((*self.messages, *more), {**self.attributes, **more.attributes})


PromptLike = str | Message | Iterable[Message] | Prompt | None
