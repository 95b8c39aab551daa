"""The recogniser on real voices, on nothing at all, and on what it cannot hear."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
import soundfile
import soxr

from companion.errors import ModelBroken, StreamFailed, StreamInterrupted, Unsupported
from companion.providers.local.espeak import EspeakSynthesiser
from companion.providers.local.faster_whisper import WhisperRecogniser
from companion.providers.local.whisper_model import WhisperModel
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    Stream,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    pcm_format,
    stream_of,
)

RATE = 16_000
PATIENCE = 20.0
SPOKEN = Path(__file__).parent.parent / "spoken"


def spoken(file: Path) -> bytes:
    samples, rate = soundfile.read(file, dtype="int16")
    return (samples if rate == RATE else soxr.resample(samples, rate, RATE)).astype("<i2").tobytes()


def made(samples: np.ndarray) -> bytes:
    return (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()


def route(sound: bytes, stream_id: str = "s", *, piece: int = 3200, error: str = "") -> list[MessageChunk]:
    """A route of microphone sound."""
    ctrl = StreamCtrl(stream_id, label="mic")
    pieces = [sound[place : place + piece] for place in range(0, len(sound), piece)]
    return [
        begin_of_stream(stream_id, role=Role.USER, label="mic"),
        *[MessageChunk(role=Role.USER, part=pcm(data, RATE), ctrl=ctrl) for data in pieces],
        end_of_stream(stream_id, role=Role.USER, label="mic", part=pcm(b"", RATE)),
        end_of_stream(stream_id, role=Role.USER, label="mic", error=error),
    ]


@asynccontextmanager
async def recogniser(folder: Path, language: str = "en") -> AsyncIterator[WhisperRecogniser]:
    model = WhisperRecogniser(folder, language=language, threads=2)
    try:
        yield model
    finally:
        await model.close()


async def read(stream: Stream) -> list[MessageChunk]:
    return [chunk async for chunk in stream]


def words(chunks: list[MessageChunk]) -> list[Text]:
    return [chunk.part for chunk in chunks if isinstance(chunk.part, Text) and not chunk.is_end]


async def test_orders_are_heard(shelf_folder: Path) -> None:
    labels = json.loads((SPOKEN / "commands" / "labels.json").read_text())
    wanted = heard = 0
    async with recogniser(shelf_folder / "whisper-base") as model:
        for file in sorted((SPOKEN / "commands").glob("*.flac"))[:8]:
            text = (await model.hear(spoken(file))).text.lower()
            entry = labels.get(file.name) or labels[file.with_suffix(".wav").name]
            slots = " ".join(entry.get("slots", entry).values()).lower().split()
            wanted += len(slots)
            heard += sum(slot in text for slot in slots if slot.isalpha())
        assert model.report.speed > 0
    assert heard / wanted > 0.7


async def test_one_word_is_heard_once(shelf_folder: Path) -> None:
    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        texts = [(await model.hear(spoken(file))).text for file in sorted((SPOKEN / "alexa").glob("*.flac"))[:4]]
    assert all(text.lower().count("lexa") <= 1 for text in texts), texts
    assert sum("lexa" in text.lower() for text in texts) >= 3, texts


async def test_a_route_becomes_its_words_between_the_same_begin_and_end(shelf_folder: Path) -> None:
    source = stream_of(route(spoken(next((SPOKEN / "lj").glob("*.flac")))))
    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        begin, text, text_end, end = await read(await model.transform(source))

    assert (begin.is_begin, begin.stream_id) == (True, "s")
    assert text.role is Role.USER
    assert text.ctrl == StreamCtrl("s", label="mic")
    assert isinstance(text.part, Text)
    assert len(text.part.text.split()) > 3
    assert text.part.language == "en"
    assert text.part.confidence is not None
    assert 0.3 < text.part.confidence <= 1.0
    assert text_end.is_end
    assert text_end.mime_type == "text/plain"
    assert (end.is_end, end.part, end.ctrl and end.ctrl.label) == (True, None, "mic")


async def test_silence_noise_and_music_say_nothing(shelf_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(7)
    time = np.arange(5 * RATE) / RATE
    melody = sum(np.sin(2 * np.pi * 220 * 2 ** (note / 12) * time) * (time % 1 > note / 12) for note in (0, 4, 7))
    sounds = [
        b"",
        bytes(2 * RATE * 3),
        made(chance.standard_normal(len(time)) * 0.05),
        made(np.sin(2 * np.pi * 50 * time) * 0.3),
        made(np.asarray(melody) * 0.2),
    ]

    def encode(*_: object) -> None:
        raise AssertionError("the encoder was asked about silence")

    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        await model.load()
        monkeypatch.setattr(WhisperModel, "_encode", encode)
        assert [(await model.hear(sound)).text for sound in sounds] == [""] * len(sounds)


async def test_speech_longer_than_the_model_hears_at_once_is_heard_whole(shelf_folder: Path) -> None:
    first, last = sorted((SPOKEN / "lj").glob("*.flac"))
    between = sorted((SPOKEN / "commands").glob("*.flac"))[:8]
    sound = b"".join(spoken(file) for file in (first, *between, last))
    assert 30 < len(sound) / 2 / RATE < 60
    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        heard = (await model.hear(sound)).text.lower()
    for file in (first, last):
        said = file.with_suffix(".txt").read_text().lower().replace(",", "").replace(".", "").split()
        assert sum(word in heard for word in said) > 0.7 * len(said), heard


async def test_the_language_is_detected_where_nobody_says_it(shelf_folder: Path) -> None:
    async with recogniser(shelf_folder / "whisper-base", "auto") as model:
        text = await model.hear(spoken(next((SPOKEN / "lj").glob("*.flac"))))
    assert text.language == "en"


async def test_a_model_for_english_refuses_other_languages(shelf_folder: Path) -> None:
    async with recogniser(shelf_folder / "whisper-tiny.en", "zh") as model:
        with pytest.raises(Unsupported, match="only English") as caught:
            await model.load()
        assert "whisper-base" in caught.value.mend


@pytest.mark.parametrize(
    ("language", "foreign", "english"),
    [
        ("de", "Ich habe heute keine Zeit, vielleicht morgen.", "no time today"),
        ("fr", "Bonjour, je voudrais un café, s'il vous plaît.", "coffee"),
    ],
)
async def test_what_is_said_in_another_language_is_written_in_english(
    shelf_folder: Path, language: str, foreign: str, english: str
) -> None:
    program = shutil.which("espeak-ng")
    assert program, "espeak-ng is not installed"
    speaker = EspeakSynthesiser(Path(program), language=language, speed=0.9)
    blobs = [blob async for blob in speaker.speak(Text(foreign, language))]
    form = pcm_format(blobs[0].mime_type)
    assert form is not None
    samples = np.frombuffer(b"".join(blob.data for blob in blobs), "<i2")
    sound = soxr.resample(samples, form.rate, RATE).astype("<i2").tobytes()
    translator = WhisperRecogniser(shelf_folder / "whisper-base", language="auto", translate=True, threads=2)
    try:
        (text,) = words(await read(await translator.transform(stream_of(route(sound)))))
    finally:
        await translator.close()
    assert english in text.text.lower()
    assert text.language == "en"


async def test_a_model_for_english_refuses_to_translate(shelf_folder: Path) -> None:
    model = WhisperRecogniser(shelf_folder / "whisper-tiny.en", translate=True)
    with pytest.raises(Unsupported, match="cannot translate"):
        await model.load()
    await model.close()


async def test_two_routes_at_once_keep_their_words_apart(shelf_folder: Path) -> None:
    first = route(spoken(next((SPOKEN / "lj").glob("*.flac"))), "a")
    second = route(bytes(6400), "b")
    mixed = [chunk for pair in zip(first, second, strict=False) for chunk in pair] + first[len(second) :]
    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        chunks = await read(await model.transform(stream_of(mixed)))
    texts = {chunk.stream_id: chunk.part.text for chunk in chunks if isinstance(chunk.part, Text) and not chunk.is_end}
    assert texts["b"] == ""
    assert texts["a"]


async def test_a_route_that_broke_is_passed_on_without_words(tmp_path: Path) -> None:
    async with recogniser(tmp_path) as model:
        chunks = await read(await model.transform(stream_of(route(bytes(6400), error="the microphone is gone"))))
        assert not model.report.loaded
    assert words(chunks) == []
    assert chunks[-1].ctrl is not None
    assert chunks[-1].ctrl.error == "the microphone is gone"


@pytest.mark.parametrize(
    "part",
    [
        Blob("audio/ogg", b"x"),
        Blob("audio/pcm; rate=44100; channels=1", b"xx"),
        Blob("audio/pcm; rate=16000; channels=2", b"xxxx"),
        Text("typed"),
    ],
)
async def test_what_it_cannot_hear_is_refused_before_any_work(tmp_path: Path, part: Blob | Text) -> None:
    async with recogniser(tmp_path) as model:
        stream = await model.transform(stream_of([MessageChunk(Role.USER, "ann", part, ctrl=StreamCtrl("s", "mic"))]))
        end = await stream.next()
        assert (end.is_end, end.part, end.role, end.name) == (True, None, Role.USER, "ann")
        assert end.ctrl is not None
        assert (end.stream_id, end.ctrl.label) == ("s", "mic")
        assert end.ctrl.error.startswith("a recogniser hears")
        with pytest.raises(StreamFailed) as caught:
            await stream.next()
        assert isinstance(caught.value.__cause__, Unsupported)
        assert not model.report.loaded


async def test_a_route_without_end_cannot_fill_the_memory(tmp_path: Path) -> None:
    async with recogniser(tmp_path) as model:
        stream = await model.transform(stream_of(route(bytes(61 * 2 * RATE), piece=2 * RATE)))
        assert [(await stream.next()).is_end for _ in range(2)] == [False, True]
        with pytest.raises(StreamFailed, match="at most 60 s"):
            await stream.next()


async def test_a_recogniser_that_fails_ends_its_routes_and_then_the_stream(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{")
    begin, end = begin_of_stream("s", role=Role.USER), end_of_stream("s", role=Role.USER)
    waits = MessageChunk(Role.USER, "bob", pcm(bytes(640), RATE), ctrl=StreamCtrl("t"))
    async with recogniser(tmp_path) as model:
        stream = await model.transform(stream_of([begin, waits, end]))
        told = [await stream.next() for _ in range(3)]
        with pytest.raises(StreamFailed) as caught:
            await stream.next()
    assert isinstance(caught.value.__cause__, ModelBroken)
    assert [(chunk.stream_id, chunk.name, chunk.is_end) for chunk in told] == [
        ("s", "", False),
        ("t", "bob", True),
        ("s", "", True),
    ]
    assert all("does not load" in chunk.ctrl.error for chunk in told[1:] if chunk.ctrl)


async def test_sound_without_a_stream_id_gets_a_fresh_one(shelf_folder: Path) -> None:
    begin, end = MessageChunk(ctrl=StreamCtrl(begin_of_stream=True)), MessageChunk(ctrl=StreamCtrl(end_of_stream=True))
    sound = MessageChunk(Role.USER, "ann", pcm(bytes(640), RATE))
    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        once = await read(await model.transform(stream_of([begin, sound, end, sound])))
    assert len({chunk.stream_id for chunk in once[:4]}) == len({chunk.stream_id for chunk in once[4:]}) == 1
    assert "" not in {chunk.stream_id for chunk in once}
    assert [chunk.is_end for chunk in once] == [False, False, True, True, False, True, True]
    assert once[4].name == "ann"


async def test_files_that_are_no_model_are_broken(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{")
    async with recogniser(tmp_path) as model:
        with pytest.raises(ModelBroken, match="does not load"):
            await model.load()


async def test_a_guess_thrown_away_frees_its_reader_at_once_and_the_model_at_the_next_step(
    shelf_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = spoken(next((SPOKEN / "lj").glob("*.flac")))
    begun, go_on, decoded = Event(), Event(), list[str]()
    encode, decode = WhisperModel._encode, WhisperModel._decode

    def slow_encode(self: WhisperModel, *arguments: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE)
        return encode(self, *arguments)

    def noted_decode(self: WhisperModel, *arguments: Any, **named: Any) -> Any:
        guess = decode(self, *arguments, **named)
        decoded.append(guess.text)
        return guess

    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        await model.load()
        monkeypatch.setattr(WhisperModel, "_encode", slow_encode)
        monkeypatch.setattr(WhisperModel, "_decode", noted_decode)
        early = await model.transform(stream_of(route(sound)))
        await early.next()
        async with asyncio.TaskGroup() as tasks:
            reader = tasks.create_task(outcome(early.next()))
            assert await asyncio.to_thread(begun.wait, PATIENCE)
            await early.close()
            assert isinstance(await asyncio.wait_for(reader, PATIENCE), StreamInterrupted)
            go_on.set()
        again = words(await read(await model.transform(stream_of(route(sound)))))
    assert [text.text for text in again] == decoded


async def outcome(work: Awaitable[object]) -> object:
    try:
        return await work
    except StreamInterrupted as error:
        return error


async def test_nothing_is_said_on_the_terminal(shelf_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with recogniser(shelf_folder / "whisper-tiny.en") as model:
        await model.hear(spoken(next((SPOKEN / "lj").glob("*.flac"))))
    assert capfd.readouterr() == ("", "")
