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
from companion.stream.lifecycle import Route

OPUS = Blob("audio/opus", b"")


def data(route: str, part: Part | None, *, begin: bool = False) -> MessageChunk:
    return MessageChunk(Role.MODEL, part=part, ctrl=StreamCtrl(route, begin_of_stream=begin))


def test_one_channel_whatever_the_order_and_case_of_its_parameters() -> None:
    route = Route("r")
    route.accept(data("r", Blob("audio/L16; rate=16000; channels=1", b"")))
    route.accept(data("r", Blob("audio/l16; CHANNELS=1; RATE=16000", b"")))

    assert route.open_channels == ("audio/l16; channels=1; rate=16000",)


def test_an_end_with_a_part_ends_its_channel_and_one_without_ends_the_route() -> None:
    route = Route("r")
    for part in (Text("hi"), OPUS):
        route.accept(data("r", part))

    route.accept(end_of_stream("r", part=Text("")))
    assert route.open_channels == ("audio/opus",)

    route.accept(end_of_stream("r"))
    assert route.open_channels == ()
    assert route.has_ended


def test_the_end_of_one_route_leaves_the_others_open() -> None:
    routes = Routes()
    for chunk in (data("r", OPUS), data("other", Text("yo")), end_of_stream("r")):
        routes.accept(chunk)

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
    route = Route("r")
    route.accept(data("r", Text("hi")))

    with pytest.raises(RouteError, match="no valid MIME type"):
        route.accept(end_of_stream("r", part=Blob("audio/ogg; codecs", b"")))
    assert route.open_channels == ("text/plain",)


def test_end_markers_cover_every_channel_and_carry_what_they_end() -> None:
    route = Route("r")
    route.accept(begin_of_stream("r", role=Role.MODEL, label="assistant"))
    route.accept(data("r", Text("hi")))
    route.accept(data("r", OPUS))

    markers = route.ends("interrupted")

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


@pytest.mark.parametrize(
    "early",
    [data("r", Text("early")), data("r", None), end_of_stream("r"), end_of_stream("r", part=OPUS)],
    ids=["data", "data without a part", "end", "channel end"],
)
def test_where_begins_come_first_nothing_comes_before_them(early: MessageChunk) -> None:
    routes = Routes(begin_first=True)

    with pytest.raises(RouteError, match=r"'r' .* before its begin"):
        routes.accept(early)
    assert routes.open_routes == ()


def test_where_begins_come_first_a_channel_may_begin_by_itself() -> None:
    routes = Routes(begin_first=True)
    for chunk in (data("r", OPUS, begin=True), data("r", OPUS), data("r", None)):
        routes.accept(chunk)

    with pytest.raises(RouteError, match="'text/plain' of stream 'r'"):
        routes.accept(data("r", Text("not begun")))


def test_where_begins_come_first_the_begin_of_a_route_is_that_of_its_channels() -> None:
    routes = Routes(begin_first=True)
    for chunk in (begin_of_stream("r"), data("r", Text("hi")), end_of_stream("r")):
        routes.accept(chunk)

    routes.finish()


def test_a_route_that_never_ended_is_named_with_its_open_channels() -> None:
    routes = Routes()
    for chunk in (data("a", Text("hi")), data("a", OPUS), begin_of_stream("b"), data("", Text("of no route"))):
        routes.accept(chunk)

    with pytest.raises(RouteError, match=r"never ended: stream 'a' \(open: audio/opus, text/plain\); stream 'b'$"):
        routes.finish()


def test_a_route_is_complete_when_it_or_each_of_its_channels_has_ended() -> None:
    route = Route("r")
    assert not route.is_complete
    for chunk in (data("r", Text("hi")), data("r", OPUS), end_of_stream("r", part=OPUS)):
        route.accept(chunk)
    assert not route.is_complete

    route.accept(end_of_stream("r", part=Text("")))

    assert (route.is_complete, route.has_ended, route.is_over) == (True, False, True)


def test_a_route_that_began_as_a_whole_is_over_when_it_ends_as_a_whole() -> None:
    route = Route("r")
    for chunk in (begin_of_stream("r"), data("r", OPUS), end_of_stream("r", part=OPUS)):
        route.accept(chunk)
    assert (route.is_complete, route.is_over) == (True, False)

    route.accept(end_of_stream("r"))

    assert route.is_over


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
    route = Route("a")
    for chunk in chunks:
        if chunk.stream_id == "a":
            route.admit(chunk)

    for marker in route.ends():
        route.accept(marker)
    assert route.has_ended
    assert route.ends() == []


@given(st.lists(CHUNKS, max_size=20), st.integers(0, 20))
def test_the_rest_after_any_beginning_completes_it(chunks: list[MessageChunk], read: int) -> None:
    whole, beginning, together = Route("a"), Route("a"), Route("a")
    for chunk in chunks:
        if chunk.stream_id != "a" or whole.objection(chunk):
            continue
        whole.accept(chunk)
        if read > 0:
            beginning.accept(chunk)
            together.accept(chunk)
        read -= 1

    rest = whole.rest_after(beginning)
    for marker in rest:
        together.accept(marker)
    assert together.has_ended
    assert all(marker.is_begin or marker.is_end for marker in rest)
