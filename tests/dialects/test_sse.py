"""Events are read from bytes, however those are cut: WHATWG HTML, section 9.2."""

from __future__ import annotations

import pytest

from companion.dialects import WireEvent
from companion.dialects.ndjson import NdjsonReader
from companion.dialects.sse import LARGEST, SseReader
from companion.errors import WireBroken


def events(data: bytes, size: int = 0) -> list[WireEvent]:
    """All that comes of ``data``, in pieces of ``size`` bytes, the rest at its end included."""
    return _read(SseReader(), data, size)


def lines(data: bytes, size: int = 0) -> list[WireEvent]:
    return _read(NdjsonReader(), data, size)


def _read(reader: SseReader | NdjsonReader, data: bytes, size: int) -> list[WireEvent]:
    size = size or len(data) or 1
    found = [event for at in range(0, len(data), size) for event in reader.feed(data[at : at + size])]
    return found + reader.end()


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_any_end_of_a_line_ends_a_line(end: bytes) -> None:
    data = b"event: one\ndata: a\n\ndata: b\n\n".replace(b"\n", end)

    assert events(data) == [WireEvent("one", "a"), WireEvent("", "b")]


def test_every_cut_gives_the_same() -> None:
    data = "\ufeff: hi\r\ndata: a\r\ndata:b\r\n\r\nevent: x\rdata:  c é 🙂\r\rdata\n\nid: 1\ndata: last".encode()
    whole = [WireEvent("", "a\nb"), WireEvent("x", " c é 🙂"), WireEvent("", ""), WireEvent("", "last")]

    assert events(data) == whole
    assert all(events(data, size) == whole for size in range(1, len(data)))


def test_an_event_is_there_as_soon_as_its_last_line_end_is() -> None:
    reader = SseReader()

    assert reader.feed(b"data: a\r\n\r") == [WireEvent("", "a")]
    assert reader.feed(b"\ndata: b\n\n") == [WireEvent("", "b")]


def test_several_lines_of_data_are_one_text() -> None:
    assert events(b"data: {\ndata:  1\ndata:}\n\n") == [WireEvent("", "{\n 1\n}")]


def test_comments_and_times_say_nothing() -> None:
    assert events(b": keep-alive\n\nretry: 10\nid: 4\nid\n\n:\n\n") == []


def test_an_event_without_data_is_none() -> None:
    assert events(b"event: ping\n\ndata: a\n\n") == [WireEvent("", "a")]


def test_an_event_that_was_not_ended_is_told_at_the_end() -> None:
    reader = SseReader()

    assert reader.feed(b"event: x\ndata: [DONE]") == []
    assert reader.end() == [WireEvent("x", "[DONE]")]
    assert reader.end() == []


def test_what_is_no_field_is_kept_and_counted() -> None:
    reader = SseReader()
    reader.feed(b'upstream connect error\n{"error": 1}\ndata: a\n\n')

    assert reader.stray == 'upstream connect error\n{"error": 1}'
    assert reader.strays == 2


def test_bytes_that_are_no_text_are_marked() -> None:
    assert events(b"data: a\xffb\n\n") == [WireEvent("", "a\ufffdb")]


def test_an_event_without_an_end_does_not_fill_the_memory() -> None:
    with pytest.raises(WireBroken, match="larger"):
        events(b"data: " + bytes(LARGEST), 1 << 20)


def test_keep_alives_for_a_day_are_no_large_event() -> None:
    reader = SseReader()
    comment = b":" + b" " * 9998 + b"\n"
    for _ in range(LARGEST // len(comment) + 2):
        reader.feed(comment)

    assert reader.feed(b"data: a\n\n") == [WireEvent("", "a")]


def test_a_line_of_json_is_an_event() -> None:
    data = '{"a": "é"}\r\n\n  \n{"b": 1}\n{"c"'.encode()
    whole = [WireEvent("", '{"a": "é"}'), WireEvent("", '{"b": 1}'), WireEvent("", '{"c"')]

    assert lines(data) == whole
    assert all(lines(data, size) == whole for size in range(1, len(data)))


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    with pytest.raises(WireBroken, match="larger"):
        lines(b"a" * (LARGEST + 1), 1 << 20)
