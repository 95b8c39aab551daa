"""What a chat model has answered, and how it came to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from companion.errors import InvalidAnswer
from companion.model.content import Block, Thought
from companion.model.events import Event
from companion.model.message import Contents, Message
from companion.model.options import JsonValue
from companion.stream import Text, ToolCall, Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChatResponse:
    """One turn.

    blocks: what was answered in the last step: words, thoughts, pictures and sound.
    tool_calls: those of the last step that nobody has answered; the caller does.
    finish_reason: "stop", "tool" or "length", which stands for the limit of tools too.
    provider_reason: the same in the provider's own word, where it has one.
    usage: of all steps. messages: all that the turn has added to the conversation behind what was asked.
    events: the whole trace. raw: what providers sent that has no name here. Of that, both have what there is room for.
    answered_by: whose words they are, by the names of the backends, each once.
    """

    blocks: tuple[Block, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    messages: tuple[Message, ...] = ()
    events: tuple[Event, ...] = ()
    raw: tuple[JsonValue, ...] = ()
    answered_by: tuple[str, ...] = ()
    provider_reason: str = ""

    @property
    def text(self) -> str:
        """The words."""
        return "".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def thinking(self) -> str:
        """The thoughts, as far as they can be read."""
        return "".join(block.text for block in self.blocks if isinstance(block, Thought))

    @property
    def content(self) -> str | Block | Contents:
        """What was answered, without thoughts: words alone as text, one block alone as it is, else all together."""
        match [block for block in self.blocks if not isinstance(block, Thought)]:
            case [Text(text)]:
                return text
            case [block]:
                return block
            case []:
                return ""
            case several:
                return Contents(tuple(several))

    @property
    def has_content(self) -> bool:
        """Whether there is more in it than thoughts."""
        return any(not isinstance(block, Thought) and block != Text("") for block in self.blocks)

    @property
    def is_terminal(self) -> bool:
        """Whether nothing is left to do: no call waits for its result."""
        return not self.tool_calls

    def bind(self, kind: type[T]) -> T:
        """The words, which are JSON, as a ``kind``: a dataclass, a pydantic model or another type that JSON can say.

        Raises:
            InvalidAnswer: they are no JSON, or do not fit; ``field`` names the place.
            TypeError: JSON cannot say this type.
        """
        from companion.model.json_repair import read_json
        from companion.model.shape import Misfit
        from companion.model.typed import shape_of

        shape: Any = shape_of(kind)
        value = read_json(self.text)
        try:
            read: T = shape.read(value)
        except ValueError as error:
            field = error.field if isinstance(error, Misfit) else _place_of(error)
            place = f" at {field!r}" if field else ""
            # What a model made of what a person said does not belong into messages and logs.
            raise InvalidAnswer(f"the answer does not fit {kind.__name__}{place}", field=field) from None
        return read


def _place_of(error: Any) -> str:
    """The field that an error of pydantic is about; empty for other errors."""
    try:
        places = error.errors()[0]["loc"]
    except (AttributeError, LookupError):
        return ""
    return ".".join(str(place) for place in places)
