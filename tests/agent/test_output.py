"""The one way out, and the one word that says what became of it."""

from __future__ import annotations

import asyncio

import pytest
from doubles import virtual_time

from companion.agent.bus import Bus
from companion.agent.guests import Guests
from companion.agent.output import (
    LONGEST,
    Carries,
    Content,
    Delivery,
    File,
    Outputs,
    Receipt,
    Structured,
    TextChannel,
    kind_of,
)
from companion.errors import PluginError
from companion.stream import Blob


class Wall:
    """A channel for pictures."""

    name = "wall"
    carries = frozenset({Carries.IMAGE, Carries.STRUCTURED})

    def __init__(self) -> None:
        self.shown: list[Content] = []

    async def send(self, delivery: Delivery) -> None:
        self.shown.append(delivery.content)


def outputs() -> tuple[Outputs, list[str], Wall]:
    guests = Guests()
    own, written, wall = Outputs(Bus(guests), guests), [], Wall()
    own.add(TextChannel("screen", lambda delivery: written.append(str(delivery.content))))
    own.add(wall, owner="wall plugin")
    return own, written, wall


@pytest.mark.parametrize(
    ("channel", "content", "receipt"),
    [
        ("screen", "Hello.", Receipt.SENT),
        ("screen", "  ", Receipt.EMPTY),
        ("screen", "a" * (LONGEST + 1), Receipt.TOO_LONG),
        ("door", "Hello.", Receipt.UNKNOWN),
        ("", "Hello.", Receipt.UNKNOWN),
        ("screen", Blob("image/png", b"x"), Receipt.UNSUPPORTED),
        ("wall", "Hello.", Receipt.UNSUPPORTED),
        ("wall", Blob("image/png", b"x"), Receipt.SENT),
        ("wall", Structured({"a": 1}), Receipt.SENT),
    ],
)
async def test_a_receipt_is_one_word(channel: str, content: Content, receipt: Receipt) -> None:
    own, _, _ = outputs()

    assert await own.send(channel, content) is receipt
    assert " " not in receipt.value


async def test_what_was_sent_has_arrived() -> None:
    own, written, wall = outputs()
    await own.send("screen", "Hello.")
    await own.send("wall", Structured({"a": 1}))

    assert (written, wall.shown) == (["Hello."], [Structured({"a": 1})])


def test_every_content_needs_something_of_its_channel() -> None:
    contents: list[Content] = [
        "a",
        Blob("audio/ogg", b""),
        Blob(" Image/PNG", b""),
        Blob("text/csv", b""),
        File("a", Blob("x/y", b"")),
        Structured(None),
    ]

    assert [kind_of(one).value for one in contents] == ["text", "audio", "image", "file", "file", "structured"]


async def test_a_name_is_given_once_and_free_again_when_its_channel_goes() -> None:
    own, _, _ = outputs()
    with pytest.raises(PluginError, match="a channel 'wall' already"):
        own.add(Wall())
    remove = own.add(TextChannel("lamp", lambda delivery: None))
    remove()
    remove()

    assert own.names == ("screen", "wall")
    own.add(TextChannel("lamp", lambda delivery: None))


@pytest.mark.parametrize("name", ["", "_consolidation_"])
async def test_the_channels_of_the_self_are_nobodys(name: str) -> None:
    with pytest.raises(PluginError):
        outputs()[0].add(TextChannel(name, lambda delivery: None))


def test_a_channel_that_fails_or_hangs_is_a_failed_delivery_and_nothing_worse() -> None:
    async def hang(delivery: Delivery) -> None:
        await asyncio.sleep(3600)

    async def fail(delivery: Delivery) -> None:
        raise OSError("unplugged")

    async def scene() -> None:
        own, _, _ = outputs()
        own.add(TextChannel("slow", hang), owner="slow")
        own.add(TextChannel("broken", fail), owner="broken")

        assert await own.send("slow", "Hello.") is Receipt.FAILED
        assert await own.send("broken", "Hello.") is Receipt.FAILED

    virtual_time.run(scene())
