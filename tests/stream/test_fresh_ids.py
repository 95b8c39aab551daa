"""Each response of a model gets a stream id of its own, and keeps it to its end."""

from __future__ import annotations

import pytest
from doubles.trickle import read_all

from companion.errors import StreamBlocked
from companion.stream import (
    Blob,
    MessageChunk,
    Part,
    Role,
    Routes,
    Status,
    StreamBuilder,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.fresh_ids import FreshIds
from companion.stream.laws import check_transformer

OPUS = Blob("audio/opus", b"")


def data(part: Part | None, route: str = "u", role: Role | None = Role.MODEL, *, end: bool = False) -> MessageChunk:
    return MessageChunk(role, part=part, ctrl=StreamCtrl(route, end_of_stream=end))


async def renamed(*chunks: MessageChunk) -> list[str]:
    """The stream ids the chunks come out under."""
    return [chunk.stream_id for chunk in await read_all(await FreshIds().transform(stream_of(chunks)))]


async def test_it_keeps_the_laws_of_a_transformer() -> None:
    await check_transformer(
        FreshIds, [begin_of_stream("u", role=Role.USER), data(Text("hi"), role=Role.USER), end_of_stream("u")]
    )


async def test_all_channels_of_a_response_share_one_new_id() -> None:
    ids = await renamed(
        begin_of_stream("u", role=Role.MODEL),
        data(Text("hi")),
        data(OPUS),
        data(Text(""), end=True),
        data(OPUS, end=True),
        end_of_stream("u", role=Role.MODEL),
    )

    assert len(set(ids)) == 1
    assert ids[0] != "u"


async def test_two_responses_at_once_have_an_id_each() -> None:
    one, other, again = await renamed(data(Text("a"), "u"), data(Text("b"), "v"), data(Text("c"), "u"))

    assert one == again != other


@pytest.mark.parametrize(
    "end", [data(Text(""), end=True), end_of_stream("u")], ids=["its only channel ends", "its route ends"]
)
async def test_an_id_that_is_used_again_stands_for_a_new_response(end: MessageChunk) -> None:
    first, _, second = await renamed(data(Text("a")), end, data(Text("b")))

    assert first != second


async def test_a_begin_after_all_channels_ended_is_a_new_response() -> None:
    begin = begin_of_stream("u", role=Role.MODEL)
    first, _, _, second = await renamed(begin, data(Text("a")), data(Text(""), end=True), begin)

    assert first != second


async def test_a_response_that_began_as_a_whole_is_open_until_it_ends_as_a_whole() -> None:
    ids = await renamed(
        begin_of_stream("u", role=Role.MODEL), data(Text("a")), data(Text(""), end=True), data(OPUS), end_of_stream("u")
    )

    assert len(set(ids)) == 1


async def test_an_end_that_comes_late_goes_to_the_response_it_ends() -> None:
    said, end, late = await renamed(data(Text("a")), data(Text(""), end=True), end_of_stream("u"))

    assert said == end == late


async def test_only_the_newest_complete_responses_are_remembered() -> None:
    many = [end_of_stream(f"u{number}", role=Role.MODEL) for number in range(65)]

    *_, forgotten, known = await renamed(*many, end_of_stream("u0"), end_of_stream("u64"))

    assert (forgotten, known == "u64") == ("u0", False)


async def test_only_the_newest_responses_that_never_end_are_remembered() -> None:
    many = [data(Text("a"), f"u{number}") for number in range(65)]

    ids = await renamed(*many, data(Text("b"), "u0"), data(Text("b"), "u64"))

    assert ids[-1] == ids[64]
    assert ids[-2] not in ids[:-2]


@pytest.mark.parametrize("role", [Role.USER, Role.TOOL])
async def test_others_keep_their_ids_though_the_model_uses_the_same(role: Role) -> None:
    model, other = await renamed(data(Text("a")), data(Text("b"), role=role))

    assert model != other == "u"


async def test_what_pairs_up_before_pairs_up_after() -> None:
    response = [begin_of_stream("u", role=Role.MODEL), data(Text("a")), end_of_stream("u", role=Role.MODEL)]
    routes = Routes()
    async for chunk in await FreshIds().transform(stream_of(response * 3)):
        routes.accept(chunk)

    routes.finish()


async def test_how_the_source_ended_is_passed_on() -> None:
    builder = StreamBuilder()
    builder.blocked("no", Usage(5, 6))
    stream = await FreshIds().transform(builder.stream)

    with pytest.raises(StreamBlocked, match="no"):
        await stream.next()
    assert stream.state is not None
    assert (stream.state.status, stream.state.usage) == (Status.BLOCKED, Usage(5, 6))
