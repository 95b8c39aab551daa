"""A response ends once, keeps to its stream id, and knows what its reader still needs."""

from __future__ import annotations

import pytest

from companion.stream.chunk import Blob, MessageChunk, Role, StreamCtrl, Text, begin_of_stream, end_of_stream
from companion.stream.response import Response, ResponseMarks

OPUS = Blob("audio/opus", b"")


def says(text: str, stream_id: str = "r") -> MessageChunk:
    return MessageChunk(part=Text(text), ctrl=StreamCtrl(stream_id))


def test_a_bare_end_ends_a_response_that_declared_nothing() -> None:
    response = Response("r")

    assert not response.admit(end_of_stream("r"))
    assert not response.is_active


def test_the_ends_of_its_channels_do_not_end_a_response() -> None:
    response = Response("r")
    for chunk in (says("hi"), end_of_stream("r", part=Text(""))):
        response.admit(chunk)

    assert response.is_active


@pytest.mark.parametrize(
    ("before", "chunk"),
    [
        ([], says("hi", "other")),
        ([end_of_stream("r")], says("hi")),
        ([says("hi"), end_of_stream("r", part=Text(""))], says("more")),
        ([begin_of_stream("r")], begin_of_stream("r")),
    ],
    ids=["of another stream", "after the end", "after the end of its channel", "begins again"],
)
def test_a_response_refuses_a_chunk_that(before: list[MessageChunk], chunk: MessageChunk) -> None:
    response = Response("r")
    for earlier in before:
        assert not response.admit(earlier)

    assert response.admit(chunk)


def test_a_response_ends_each_open_channel_in_mime_order_then_its_route_and_only_once() -> None:
    response = Response("r")
    for chunk in (says("hi"), MessageChunk(part=OPUS, ctrl=StreamCtrl("r"))):
        response.admit(chunk)

    markers = response.end("broken")

    assert [marker.mime_type for marker in markers] == ["audio/opus", "text/plain", None]
    assert {marker.ctrl and marker.ctrl.error for marker in markers} == {"broken"}
    assert response.end("again") == []


def test_a_response_that_declared_nothing_ends_by_one_bare_end() -> None:
    assert Response("r").end() == [end_of_stream("r")]


def test_what_a_chunk_lacks_is_filled_and_what_it_has_is_kept() -> None:
    response = Response("r", ResponseMarks(Role.MODEL, "nova", "speech"))

    bare = response.filled(MessageChunk(part=Text("hi")))
    own = MessageChunk(Role.TOOL, "clock", Text("hi"), ctrl=StreamCtrl("r", "aside"))

    assert bare == MessageChunk(Role.MODEL, "nova", Text("hi"), ctrl=StreamCtrl("r", "speech"))
    assert response.filled(own) is own


def test_nobody_is_invented_as_the_speaker() -> None:
    filled = Response("r").filled(MessageChunk(part=Text("hi")))

    assert (filled.role, filled.name, filled.ctrl) == (None, "", StreamCtrl("r"))


def test_the_end_of_a_response_carries_its_role_name_and_label() -> None:
    [marker] = Response("r", ResponseMarks(Role.MODEL, "nova", "speech")).end()

    assert marker == MessageChunk(Role.MODEL, "nova", ctrl=StreamCtrl("r", "speech", end_of_stream=True))
