"""The outputs of joins, forks and elements, read in the words of their models."""

from __future__ import annotations

from typing import Protocol

from doubles.stream_models import End, Got, New

from companion.errors import EndOfStream, StreamBlocked, StreamError, StreamFailed, StreamInterrupted
from companion.stream import Elements, MessageChunk, Status, Stream, StreamElement, Text

ERRORS: dict[Status, type[StreamError]] = {
    Status.DONE: EndOfStream,
    Status.TRUNCATED: EndOfStream,
    Status.BLOCKED: StreamBlocked,
    Status.INTERRUPTED: StreamInterrupted,
    Status.ERROR: StreamFailed,
}


def words_of(chunk: MessageChunk) -> str:
    assert isinstance(chunk.part, Text)
    return chunk.part.text


class Output(Protocol):
    async def read(self) -> Got: ...

    async def close(self, *, broken: bool) -> None: ...


class StreamOutput:
    """A stream whose chunks are told by their words."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    async def read(self) -> Got:
        try:
            chunk = await self.stream.next()
        except StreamError as error:
            assert self.stream.state is not None
            return told(error, self.stream.state.status)
        return f"end of {chunk.stream_id}" if chunk.is_end else words_of(chunk)

    async def close(self, *, broken: bool) -> None:
        await (self.stream.close_with_error(OSError("the reader broke")) if broken else self.stream.close())


def told(error: StreamError, status: Status) -> End:
    """The end of a stream, whose error and state must say the same."""
    assert type(error) is ERRORS[status], f"{error!r} was raised at the end of a stream that is {status}"
    return End(status)


def ending_of(error: StreamError) -> End:
    """Elements have no state: that a stream was cut short by a limit cannot be told from its error."""
    return End(next((status for status, kind in ERRORS.items() if isinstance(error, kind)), Status.ERROR))


class ListOutput:
    """The elements of a stream, each of which becomes an output of its own."""

    def __init__(self, elements: Elements, outputs: list[Output]) -> None:
        self.elements = elements
        self.outputs = outputs

    async def read(self) -> Got:
        try:
            element = await anext(self.elements)
        except StopAsyncIteration:
            return End(Status.DONE)
        except StreamError as error:
            return ending_of(error)
        assert isinstance(element, StreamElement)
        self.outputs.append(ElementOutput(element))
        return New(element.name)

    async def close(self, *, broken: bool) -> None:
        await self.elements.close()


class ElementOutput:
    def __init__(self, element: StreamElement) -> None:
        self.element = element

    async def read(self) -> Got:
        try:
            return (await self.element.read()).decode() or End(Status.DONE)
        except StreamError as error:
            return ending_of(error)

    async def close(self, *, broken: bool) -> None:
        self.element.close()


def outputs_of(*streams: Stream) -> list[Output]:
    return [StreamOutput(stream) for stream in streams]
