"""What travels: MIME types, roles, marks and ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    StreamCtrl,
    Text,
    begin_of_stream,
    canonical_mime,
    end_of_stream,
    new_stream_id,
    pcm,
    pcm_format,
)
from companion.stream.chunk import PcmFormat


def test_a_mime_type_is_lowered_and_its_value_keeps_its_case() -> None:
    assert canonical_mime(" Audio/OGG; CODECS=opus ") == "audio/ogg; codecs=opus"
    assert canonical_mime("audio/ogg; codecs=Opus") == "audio/ogg; codecs=Opus"


def test_parameters_in_any_order_name_one_channel() -> None:
    one = canonical_mime("audio/L16; rate=16000; channels=1")

    assert one == canonical_mime("AUDIO/l16;CHANNELS=1;RATE=16000") == "audio/l16; channels=1; rate=16000"


def test_a_quoted_parameter_names_the_same_channel_as_a_plain_one() -> None:
    assert canonical_mime('audio/ogg; codecs="opus"') == canonical_mime("audio/ogg; codecs=opus")
    assert canonical_mime('a/b; x="y \\" z"') == 'a/b; x="y \\" z"'


@pytest.mark.parametrize("mime", ["audio/ogg; codecs", "", "audio", "audio/", "a b/c", "a/b; c=d; C=e", "a/b; =c"])
def test_what_does_not_parse_has_no_channel_and_raises_nothing(mime: str) -> None:
    assert canonical_mime(mime) is None
    assert MessageChunk(part=Blob(mime, b"")).mime_type is None


@given(st.text(max_size=40))
def test_no_text_breaks_the_parser_and_canonical_is_a_fixed_point(text: str) -> None:
    once = canonical_mime(text)

    assert once is None or canonical_mime(once) == once


@given(st.integers(1, 192_000), st.integers(1, 8))
def test_the_format_of_sound_is_read_back(rate: int, channels: int) -> None:
    assert pcm_format(pcm(b"", rate, channels).mime_type) == PcmFormat(rate, channels)


@pytest.mark.parametrize("mime", ["audio/pcm", "audio/pcm; rate=x", "audio/pcm; rate=0", "audio/wav; rate=1", "x"])
def test_what_is_not_sound_has_no_format(mime: str) -> None:
    assert pcm_format(mime) is None


def test_sound_with_odd_parameters_still_has_a_format() -> None:
    assert pcm_format('audio/pcm; rate=16000; note="a; b"') == PcmFormat(16_000, 1)


def test_text_has_a_channel_even_when_empty_and_control_has_none() -> None:
    assert end_of_stream("r", part=Text("")).mime_type == "text/plain"
    assert end_of_stream("r").mime_type is None


def test_a_chunk_without_marks_begins_and_ends_nothing() -> None:
    bare = MessageChunk(Role.USER, part=Text("hi"))

    assert not bare.is_begin
    assert not bare.is_end
    assert bare.stream_id == ""


def test_marks_carry_role_label_and_error() -> None:
    begin = begin_of_stream("r", role=Role.USER, label="mic")
    end = end_of_stream("r", role=Role.USER, label="mic", error="unplugged")

    assert begin.ctrl == StreamCtrl("r", "mic", begin_of_stream=True)
    assert end.ctrl == StreamCtrl("r", "mic", "unplugged", end_of_stream=True)


def test_zero_is_a_time_and_unset_is_none() -> None:
    assert StreamCtrl().timestamp is None
    assert StreamCtrl(timestamp=0).timestamp == 0


def test_stream_ids_differ_and_are_plain_letters() -> None:
    ids = {new_stream_id() for _ in range(1000)}

    assert len(ids) == 1000
    assert all(name.isascii() and name.isalnum() for name in ids)
