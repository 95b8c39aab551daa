"""Begins and ends pair up: by route and by channel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import RouteError
from companion.stream import (
    Blob,
    MessageChunk,
    Part,
    Role,
    Routes,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
)

OPUS = Blob("audio/opus", b"")


def data(route: str, part: Part | None, *, begin: bool = False) -> MessageChunk:
    return MessageChunk(Role.MODEL, part=part, ctrl=StreamCtrl(route, begin_of_stream=begin))


def test_one_channel_whatever_the_order_and_case_of_its_parameters() -> None:
    routes = Routes()
    routes.accept(data("r", Blob("audio/L16; rate=16000; channels=1", b"")))
    routes.accept(data("r", Blob("audio/l16; CHANNELS=1; RATE=16000", b"")))

    assert routes.open_channels("r") == ("audio/l16; channels=1; rate=16000",)


def test_an_end_with_a_part_ends_its_channel_and_one_without_ends_the_route() -> None:
    routes = Routes()
    for part in (Text("hi"), OPUS):
        routes.accept(data("r", part))
    routes.accept(data("other", Text("yo")))

    routes.accept(end_of_stream("r", part=Text("")))
    assert routes.open_channels("r") == ("audio/opus",)

    routes.accept(end_of_stream("r"))
    assert routes.open_channels("r") == ()
    assert routes.open_routes == ("other",)
    routes.accept(data("other", Text("still here")))


@pytest.mark.parametrize(
    "late",
    [data("r", Text("late")), begin_of_stream("r"), end_of_stream("r"), end_of_stream("r", part=OPUS)],
    ids=["data", "begin", "end", "channel end"],
)
def test_a_route_that_has_ended_stays_ended(late: MessageChunk) -> None:
    routes = Routes()
    routes.accept(begin_of_stream("r"))
    routes.accept(end_of_stream("r"))

    with pytest.raises(RouteError, match="'r' has ended"):
        routes.accept(late)


def test_a_channel_that_has_ended_stays_ended() -> None:
    routes = Routes()
    routes.accept(end_of_stream("r", part=Text("")))

    with pytest.raises(RouteError, match="text/plain"):
        routes.accept(data("r", Text("late")))


def test_nothing_begins_twice() -> None:
    routes = Routes()
    routes.accept(begin_of_stream("r"))
    with pytest.raises(RouteError, match="began twice"):
        routes.accept(begin_of_stream("r"))

    routes.accept(data("r", OPUS, begin=True))
    with pytest.raises(RouteError, match="audio/opus"):
        routes.accept(data("r", OPUS, begin=True))


def test_an_end_that_names_no_channel_does_not_end_the_route() -> None:
    routes = Routes()
    routes.accept(data("r", Text("hi")))

    with pytest.raises(RouteError, match="no valid MIME type"):
        routes.accept(end_of_stream("r", part=Blob("audio/ogg; codecs", b"")))
    assert routes.open_channels("r") == ("text/plain",)


def test_end_markers_cover_every_channel_and_carry_what_they_end() -> None:
    routes = Routes()
    routes.accept(begin_of_stream("r", role=Role.MODEL, label="assistant"))
    routes.accept(data("r", Text("hi")))
    routes.accept(data("r", OPUS))

    markers = routes.ends("interrupted")

    assert [marker.mime_type for marker in markers] == ["audio/opus", "text/plain", None]
    assert {marker.stream_id for marker in markers} == {"r"}
    assert {marker.role for marker in markers} == {Role.MODEL}
    assert {marker.ctrl and marker.ctrl.label for marker in markers} == {"assistant"}
    assert {marker.ctrl and marker.ctrl.error for marker in markers} == {"interrupted"}


def test_only_the_newest_ended_routes_are_remembered() -> None:
    routes = Routes(remember=2)
    for name in ("a", "b", "c"):
        routes.accept(end_of_stream(name))

    routes.accept(begin_of_stream("a"))
    with pytest.raises(RouteError):
        routes.accept(begin_of_stream("c"))


CHUNKS = st.builds(
    lambda route, part, begin, end: MessageChunk(
        part=part, ctrl=StreamCtrl(route, begin_of_stream=begin, end_of_stream=end)
    ),
    st.sampled_from(["a", "b"]),
    st.sampled_from([None, Text("x"), OPUS]),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(CHUNKS, max_size=30))
def test_its_own_end_markers_are_always_accepted_and_end_everything(chunks: list[MessageChunk]) -> None:
    routes = Routes()
    for chunk in chunks:
        try:
            routes.accept(chunk)
        except RouteError:
            continue

    for marker in routes.ends():
        routes.accept(marker)
    assert routes.open_routes == ()
    assert routes.ends() == []
