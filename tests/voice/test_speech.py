"""A model's text on its way to speech: pieces early, captions whole, marks passed through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import StreamBlocked, StreamFailed
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    PulledStream,
    Role,
    Status,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    ToolCall,
    Usage,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.laws import check_transformer
from companion.voice.speech import SILENCE, SpeechCutter


def _text(text: str, route: str = "a", **marks: bool) -> MessageChunk:
    return MessageChunk(Role.MODEL, "nabu", Text(text), ctrl=StreamCtrl(route, "reply", **marks))


async def _read(stream: Stream) -> list[MessageChunk]:
    return [chunk async for chunk in stream]


async def _bend(chunks: Iterable[MessageChunk], language: str = "en") -> list[MessageChunk]:
    return await _read(await SpeechCutter(language).transform(stream_of(chunks)))


def _pieces(chunks: Iterable[MessageChunk]) -> list[Text]:
    return [chunk.part for chunk in chunks if isinstance(chunk.part, Text) and chunk.part.spoken]


async def _say(*texts: str, language: str = "en") -> list[tuple[str, str]]:
    return [(piece.text, piece.spoken) for piece in _pieces(await _bend(map(_text, texts), language))]


async def test_pieces_carry_what_is_written_and_what_is_spoken() -> None:
    assert await _say(
        "Sure! ", "It is ", "**14:30**", ", and it ", "costs $5.00", ".", " See ", "[this](https://a.b)."
    ) == [
        ("Sure!", "Sure!"),
        (" It is **14:30**, and it costs $5.00.", "It is two thirty PM, and it costs five dollars."),
        (" See [this](https://a.b).", "See this."),
    ]


async def test_numbers_are_not_cut_and_the_longest_prefix_is_taken() -> None:
    assert await _say("你好，我的朋友。3.14 是一个小数，10:15 是时间", language="zh") == [
        ("你好，我的朋友。3.14 是一个小数，", "你好，我的朋友。三点一四 是一个小数，"),
        ("10:15 是时间", "十点十五分 是时间"),
    ]


async def test_too_little_waits_for_the_end() -> None:
    feed = [_text("好的，"), end_of_stream("a")]
    source = StreamBuilder()
    pieces = await SpeechCutter("zh").transform(source.stream)
    await source.add(*feed, end_of_stream("b"))
    source.done()
    assert [chunk.part and chunk.part.text for chunk in await _read(pieces)] == ["好的，", None, None]


async def test_a_strong_end_is_spoken_before_the_next_word_is_known() -> None:
    source = StreamBuilder()
    pieces = await SpeechCutter("en").transform(source.stream)
    await source.add(_text("Good "), _text("morning"), _text("!"))
    assert _pieces([await pieces.next()]) == [Text("Good morning!", language="en", spoken="Good morning!")]
    await pieces.close()


async def test_marks_roles_and_labels_pass_through() -> None:
    out = await _bend(
        [begin_of_stream("a", role=Role.MODEL, label="reply"), _text("Hello there."), end_of_stream("a", label="reply")]
    )
    assert [(chunk.is_begin, chunk.is_end, chunk.stream_id) for chunk in out] == [
        (True, False, "a"),
        (False, False, "a"),
        (False, True, "a"),
    ]
    piece = out[1]
    assert (piece.role, piece.name, piece.ctrl and piece.ctrl.label) == (Role.MODEL, "nabu", "reply")


async def test_begins_and_ends_that_carry_text_are_taken_apart() -> None:
    out = await _bend([_text("Hello", begin_of_stream=True), _text(" there", end_of_stream=True)])
    assert [(chunk.is_begin, chunk.is_end, chunk.part.text) for chunk in out if isinstance(chunk.part, Text)] == [
        (True, False, ""),
        (False, False, "Hello there"),
        (False, True, ""),
    ]


async def test_routes_are_cut_apart() -> None:
    out = await _bend([_text("One is ", "a"), _text("Two is ", "b"), _text("here. ", "a"), _text("there. ", "b")])
    assert [(chunk.stream_id, piece.text) for chunk, piece in zip(out, _pieces(out), strict=True)] == [
        ("a", "One is here."),
        ("b", "Two is there."),
    ]


async def test_what_is_no_text_passes_without_flushing() -> None:
    sound = MessageChunk(Role.MODEL, part=Blob("audio/pcm; channels=1; rate=16000", b"\0\0"), ctrl=StreamCtrl("a"))
    call = MessageChunk(Role.MODEL, tool_call=ToolCall("1", FuncCall("f", "{}")), ctrl=StreamCtrl("a"))
    out = await _bend([_text("Half a "), sound, call, _text("sentence.")])
    assert out[:2] == [sound, call]
    assert [piece.text for piece in _pieces(out)] == ["Half a sentence."]


async def test_text_that_says_how_it_is_spoken_stays_as_it_is() -> None:
    ready = replace(_text(""), part=Text("14:30", language="en", spoken="half past two"))
    pieces = _pieces(await _bend([_text("Hello there! "), ready, _text(" and <b"), _text(">now</b>")]))
    assert [(piece.text, piece.spoken) for piece in pieces] == [
        ("Hello there!", "Hello there!"),
        (" 14:30", "half past two"),
        (" and <b>now</b>", "and now"),
    ]


async def test_a_text_says_its_own_language() -> None:
    chunks = [replace(_text(""), part=Text("Es sind 21 Grad.", language="de")), _text(" It is 21."), end_of_stream("a")]
    pieces = _pieces(await _bend(chunks[:1]))
    assert pieces == [Text("Es sind 21 Grad.", language="de", spoken="Es sind einundzwanzig Grad.")]


async def test_an_automatic_language_is_known_by_its_script() -> None:
    assert [piece.language for piece in _pieces(await _bend([_text("今天是2号。\nIt is the 2nd.")], "auto"))] == [
        "zh",
        "en",
    ]


async def test_what_is_never_spoken_travels_with_the_next_piece() -> None:
    assert await _say("Here is code:\n", "```python\nx = 1\n```\n", "That was it.") == [
        ("Here is code:\n", "Here is code:"),
        ("```python\nx = 1\n```\nThat was it.", "That was it."),
    ]


async def test_what_is_never_spoken_at_the_end_is_a_silent_piece() -> None:
    assert await _say("Look here: ", "https://example.com") == [
        ("Look here:", "Look here:"),
        (" https://example.com", SILENCE),
    ]


async def test_the_text_of_a_long_link_is_cut_and_its_captions_stay_whole() -> None:
    words = "word " * 30
    pieces = await _say(f"See [{words}](https://a.b/c) now.")
    assert "".join(caption for caption, _ in pieces) == f"See [{words}](https://a.b/c) now."
    assert max(len(spoken) for _, spoken in pieces) <= 80
    assert " ".join(spoken for _, spoken in pieces) == f"See {words}now."


async def test_blank_space_at_the_end_is_dropped() -> None:
    assert await _say("Hello there!", "\n\n", "  ") == [("Hello there!", "Hello there!")]


async def test_thinking_is_in_no_caption_and_in_no_speech() -> None:
    assert await _say("<thi", "nk>Let me see. 42?", " Yes.</th", "ink>", "It is 42.") == [
        ("It is 42.", "It is forty-two.")
    ]
    assert await _say("<think>Let me see. And on and on.") == []


async def test_much_that_is_never_spoken_does_not_pile_up() -> None:
    out = await _say("Look: \n```\n", *["x = 1\n"] * 3000, "```\n", "Done.")
    assert max(len(caption) for caption, _ in out) < 6000
    assert [spoken for _, spoken in out if spoken != SILENCE] == ["Look:", "Done."]


async def test_bullets_are_said_one_by_one_and_dashes_stay() -> None:
    assert await _say("- milk\n", "- bread\n", "Well done -", " really.") == [
        ("- milk\n", "milk."),
        ("- bread\n", "bread."),
        ("Well done - really.", "Well done - really."),
    ]


@pytest.mark.parametrize("status", [Status.DONE, Status.TRUNCATED])
async def test_a_normal_end_flushes_and_tells_how_it_ended(status: Status) -> None:
    source = StreamBuilder()
    pieces = await SpeechCutter("en").transform(source.stream)
    await source.add(_text("And the"))
    (source.done if status is Status.DONE else source.truncated)(Usage(3, 2))
    assert [piece.text for piece in _pieces(await _read(pieces))] == ["And the"]
    assert pieces.state is not None
    assert (pieces.state.status, pieces.state.usage) == (status, Usage(3, 2))


async def test_a_source_that_breaks_flushes_nothing() -> None:
    source = StreamBuilder()
    pieces = await SpeechCutter("en").transform(source.stream)
    await source.add(_text("This is whole. This is"))
    source.abort(OSError("gone"))
    assert _pieces([await pieces.next()])[0].text == "This is whole."
    with pytest.raises(StreamFailed) as failure:
        await pieces.next()
    assert isinstance(failure.value.__cause__, OSError)


async def test_a_refusal_passes_through() -> None:
    source = StreamBuilder()
    pieces = await SpeechCutter("en").transform(source.stream)
    source.blocked("no")
    with pytest.raises(StreamBlocked, match="no"):
        await pieces.next()


async def test_an_end_with_an_error_flushes_nothing() -> None:
    out = await _bend([_text("This is"), end_of_stream("a", error="interrupted")])
    assert len(out) == 1
    assert out[0].is_end


async def test_routes_that_never_end_do_not_pile_up() -> None:
    out = await _bend(_text(f"Half number {number}", f"route {number}") for number in range(200))
    assert len(_pieces(out)) == 200
    assert [chunk.stream_id for chunk in out[:2]] == ["route 0", "route 1"]


async def test_the_source_is_read_no_further_than_the_reader_asks() -> None:
    pulled = 0

    async def words() -> AsyncGenerator[MessageChunk, None]:
        nonlocal pulled
        for _ in range(10):
            pulled += 1
            yield _text("Here we are. ")

    pieces = await SpeechCutter("en").transform(PulledStream(words()))
    assert pulled == 0
    await pieces.next()
    assert pulled == 1
    await pieces.close()


async def test_it_keeps_the_laws_of_a_transformer() -> None:
    feed = [
        begin_of_stream("a"),
        *map(_text, ["Hello the", "re. How are", " you? <th", "ink>x</think>", "Bye"]),
        end_of_stream("a"),
    ]
    await check_transformer(lambda: SpeechCutter("en"), feed)


_WORDS = st.sampled_from(
    [
        "Hello", " world", ".", " 3.14", ", ", "! ", "\n", "\n- ", "**", "`", "https://a.b/c", " [x](y)", "<b>", "</b>",
        "e.g. ", "Dr. ", "😀", "好。", "，", "10:15", "?", " ", "```\n", "(", ")", "#", "|", "a" * 90, "好" * 50,
        "word " * 30, "<", "[", "h", "…",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(_WORDS, max_size=20), st.sampled_from(["en", "zh", ""]))
def test_captions_put_together_are_what_was_written(words: list[str], language: str) -> None:
    asyncio.run(_captions_hold(words, language))


async def _captions_hold(words: list[str], language: str) -> None:
    out = await _bend([*map(_text, words), end_of_stream("a")], language)
    written = "".join(words)
    captions = "".join(piece.text for piece in _pieces(out))
    assert written.startswith(captions)
    assert not written[len(captions) :].strip()
    assert all(len(piece.spoken) < 3000 for piece in _pieces(out))
    assert out[-1].is_end
