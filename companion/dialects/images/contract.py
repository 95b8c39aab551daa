"""What a dialect of making pictures is.

Laws: what it cannot carry is Unsupported before anything is sent; an answer holds pictures or the task that makes them;
nothing but a ModelError is raised, whatever the bytes are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.dialects.contract import WireCall
from companion.errors import ModelError
from companion.model.options import JsonValue
from companion.model.pictures import ImageAnswer, ImageRequest


@dataclass(frozen=True, slots=True)
class ImageTask:
    """Work that the provider does on its own time.

    state: in its word. error: with which it has ended; None where it goes on.
    """

    id: str
    state: str = ""
    error: ModelError | None = None


class ImageDialect(Protocol):
    """Holds nothing of any request, and serves any number."""

    name: str
    begins_tasks: bool
    """Whether a request may be answered with a task."""

    def encode(self, request: ImageRequest, base_url: str) -> WireCall:
        """What is to be sent. ``base_url``: of the endpoint, or the whole address.

        Raises:
            Unsupported: the protocol cannot carry a part of it; ``mend`` says what would be.
        """

    def read(self, answer: JsonValue) -> ImageAnswer | ImageTask:
        """The pictures of an answer, or the task that has not made them.

        Raises:
            WireBroken: it is malformed.
            ModelError: the provider says that it failed, or has stopped.
        """

    def poll(self, task: ImageTask, base_url: str) -> WireCall:
        """Asks how far a task is.

        Raises:
            Unsupported: this protocol has no tasks.
        """

    def cancel(self, task: ImageTask, base_url: str) -> WireCall | None:
        """Asks to give a task up; None where the protocol has no word for it."""

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        """The error that a response with a status of 400 and above tells of, in the provider's words."""
