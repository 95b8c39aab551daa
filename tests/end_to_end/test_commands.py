"""The commands of a user, on real models and real sound files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from end_to_end.commands import typed
from end_to_end.running import furnish, history_of
from end_to_end.voices import RATE, Listener, Speech, likeness, plain

from companion.app.paths import Paths
from companion.audio.resample import samples_of
from companion.audio.wave import read_sound, write_sound
from companion.errors import SoundFileError

QUESTION = "What is seventeen times twelve?"
SENTENCE = "The quick brown fox jumps over the lazy dog."


@pytest.fixture
def home(tmp_path: Path, shelf_folder: Path) -> Path:
    furnish(tmp_path / "home", shelf_folder)
    return tmp_path / "home"


# -- what works


async def test_a_conversation_through_files(home: Path, speech: Speech, listener: Listener) -> None:
    sound = speech.say(QUESTION) + bytes(2 * RATE * 12) + speech.say("And what day is it tomorrow?")
    write_sound(home.parent / "q.wav", sound, RATE)
    done = await typed(home, "talk", "--in", "q.wav", "--out", "a.wav", "--json")

    assert (done.status, done.errors) == (0, "")
    first, second = json.loads(done.output)["turns"]
    assert plain(first["heard"]) == plain(QUESTION)
    assert "two hundred and four" in plain(first["said"])
    assert "tomorrow is" in plain(second["said"])
    assert first["whole"]
    assert second["whole"]
    heard = await listener.words(samples_of(read_sound(home.parent / "a.wav")))
    assert likeness(heard, f"two hundred and four {second['said']}") >= 0.8
    assert [kept["text"] for kept in history_of(Paths.under(home))] == [
        *(first["heard"], first["said"]),
        *(second["heard"], second["said"]),
    ]


async def test_a_file_in_which_nobody_speaks_is_no_conversation(home: Path) -> None:
    write_sound(home.parent / "q.wav", bytes(2 * RATE * 3), RATE)
    done = await typed(home, "talk", "--in", "q.wav")
    assert (done.status, done.output, done.errors) == (0, "(nothing was said)\n", "")
    assert history_of(Paths.under(home)) == []


async def test_a_command_is_answered_in_writing_without_a_model(home: Path) -> None:
    done = await typed(home, "ask", "--json", QUESTION)
    assert (done.status, done.errors) == (0, "")
    answer = json.loads(done.output)
    assert "204" in answer["text"]
    assert answer["source"].startswith("rule:")


async def test_a_question_is_answered_in_writing_by_the_model(home: Path) -> None:
    done = await typed(home, "ask", "Why is the sky blue?")
    assert (done.status, done.errors) == (0, "")
    assert len(done.output.split()) >= 3
    asked, answered = history_of(Paths.under(home))
    assert asked["text"] == "Why is the sky blue?"
    assert answered["text"] == done.output.strip()


@pytest.mark.parametrize("ending", ["wav", "flac"])
async def test_a_sentence_is_said_into_a_file(ending: str, home: Path, listener: Listener) -> None:
    out = home.parent / f"a.{ending}"
    done = await typed(home, "say", SENTENCE, "--out", out)
    assert (done.status, done.errors) == (0, "")
    assert likeness(await listener.words(samples_of(read_sound(out))), SENTENCE) >= 0.8


async def test_a_file_is_written_down(home: Path, speech: Speech) -> None:
    sound = stretched(speech.say(SENTENCE), 44_100)
    soundfile.write(home.parent / "q.wav", np.column_stack([sound, sound]), 44_100, subtype="PCM_24")
    done = await typed(home, "listen", "--in", "q.wav")
    assert (done.status, done.errors) == (0, "")
    assert likeness(done.output, SENTENCE) >= 0.8


# -- sound files of every kind


@pytest.mark.parametrize(
    ("rate", "channels", "width", "ending"),
    [
        (8_000, 1, "PCM_U8", "wav"),
        (11_025, 2, "PCM_16", "wav"),
        (22_050, 1, "PCM_24", "wav"),
        (44_100, 6, "PCM_32", "wav"),
        (48_000, 2, "FLOAT", "wav"),
        (96_000, 1, "DOUBLE", "wav"),
        (8_000, 1, "ULAW", "wav"),
        (32_000, 2, "PCM_16", "flac"),
        (48_000, 1, "VORBIS", "ogg"),
    ],
)
async def test_sound_of_any_shape_is_heard(
    rate: int, channels: int, width: str, ending: str, tmp_path: Path, speech: Speech, listener: Listener
) -> None:
    sound = stretched(speech.say(SENTENCE), rate)
    file = tmp_path / f"q.{ending}"
    soundfile.write(file, np.column_stack([sound] * channels), rate, subtype=width)
    assert likeness(await listener.words(samples_of(read_sound(file))), SENTENCE) >= 0.8


def test_a_file_cut_anywhere_is_read_as_far_as_it_goes_or_refused(tmp_path: Path, speech: Speech) -> None:
    file, cut = tmp_path / "q.wav", tmp_path / "cut.wav"
    sound = speech.say(SENTENCE)
    write_sound(file, sound, RATE)
    whole = file.read_bytes()
    read = []
    for length in (*range(1, 64), *range(64, len(whole), len(whole) // 40)):
        cut.write_bytes(whole[:length])
        try:
            read.append(len(read_sound(cut)))
        except SoundFileError as error:
            read.append(0 if str(cut) in str(error) else -1)
    assert read == sorted(read)
    assert read[0] == 0
    assert read[-1] > 0.8 * len(sound)


async def test_half_of_a_file_is_written_down(home: Path, speech: Speech) -> None:
    write_sound(home.parent / "q.wav", speech.say(SENTENCE), RATE)
    whole = (home.parent / "q.wav").read_bytes()
    (home.parent / "half.wav").write_bytes(whole[: len(whole) // 2 + 1])
    done = await typed(home, "listen", "--in", "half.wav")
    assert (done.status, done.errors) == (0, "")
    assert "quick brown" in plain(done.output)
    assert "lazy" not in plain(done.output)


# -- what is refused


@pytest.mark.parametrize(
    "name", ["missing.wav", "folder", "empty.wav", "words.wav", "head.wav", "noise.flac", "/dev/zero"]
)
async def test_what_is_no_sound_file_is_refused_in_one_line(name: str, home: Path) -> None:
    room = home.parent
    (room / "folder").mkdir()
    (room / "empty.wav").touch()
    (room / "words.wav").write_text("dear diary\n" * 100)
    write_sound(room / "head.wav", b"", RATE)
    (room / "noise.flac").write_bytes(np.random.default_rng(3).bytes(10_000))

    done = await typed(home, "listen", "--in", name, patience=20)
    assert (done.status, done.output) == (2, "")
    assert name in done.complaint


@pytest.mark.parametrize("out", ["a.mp3", "missing/a.wav", "folder.wav"])
async def test_a_place_that_cannot_be_written_is_refused_before_the_work(out: str, home: Path) -> None:
    (home.parent / "folder.wav").mkdir()
    done = await typed(home, "say", SENTENCE, "--out", out)
    assert (done.status, done.output) == (2, "")
    assert out in done.complaint
    assert sorted(home.parent.glob(f"{out}*")) == ([home.parent / out] if out == "folder.wav" else [])


async def test_a_recogniser_that_is_cut_short_is_refused_before_it_is_read(
    tmp_path: Path, shelf_folder: Path, speech: Speech
) -> None:
    home, whole = spoilt(tmp_path, shelf_folder, "whisper-base", "model.bin")
    (home / "models" / "whisper-base" / "model.bin").write_bytes(whole[: 1 << 20])
    (home / "settings.toml").write_text('[models]\nrecogniser = "whisper-base"\n')
    write_sound(tmp_path / "q.wav", speech.say(SENTENCE), RATE)

    for command in (("listen", "--in", "q.wav"), ("talk", "--in", "q.wav", "--out", "a.wav")):
        done = await typed(home, *command)
        assert done.status != 0
        assert done.output == ""
        assert "whisper-base/model.bin" in done.complaint
        assert "companion models pull whisper-base" in done.complaint
    assert not (tmp_path / "a.wav").exists()


async def test_a_voice_with_a_wrong_byte_is_refused_before_it_is_read(tmp_path: Path, shelf_folder: Path) -> None:
    name = "en_US-joe-medium.onnx.json"
    home, whole = spoilt(tmp_path, shelf_folder, "piper-en_US-joe-medium", name)
    (home / "models" / "piper-en_US-joe-medium" / name).write_bytes(whole[:-20] + b"?" + whole[-19:])
    done = await typed(home, "say", SENTENCE, "--out", "a.wav")
    assert done.status != 0
    assert name in done.complaint
    assert "companion models pull piper-en_US-joe-medium" in done.complaint
    assert not (tmp_path / "a.wav").exists()


async def test_without_models_it_says_what_is_missing_and_how_to_bring_it(tmp_path: Path, speech: Speech) -> None:
    write_sound(tmp_path / "q.wav", speech.say(SENTENCE), RATE)
    for command in (("listen", "--in", "q.wav"), ("talk", "--in", "q.wav", "--out", "a.wav"), ()):
        done = await typed(tmp_path / "home", *command)
        assert done.status != 0
        assert "missing" in done.complaint
        assert "whisper-" in done.complaint
        assert "companion models pull" in done.complaint
        assert "/media/stick" in done.complaint


async def test_broken_settings_are_named_kept_and_survived(home: Path, speech: Speech) -> None:
    write_sound(home.parent / "q.wav", speech.say(SENTENCE), RATE)
    good = '[models]\nrecogniser = "whisper-tiny.en"\n'
    (home / "settings.toml").write_text(good)
    assert (await typed(home, "ask", QUESTION)).errors == ""

    broken = "[sound]\nvolume = 9\n"
    (home / "settings.toml").write_text(broken)
    done = await typed(home, "listen", "--in", "q.wav")
    assert done.status == 0
    assert likeness(done.output, SENTENCE) >= 0.8
    assert "settings.toml line 2: sound.volume is 9" in done.complaint
    assert (home / "settings.toml").read_text() == good
    assert kept_as(home, broken) in done.complaint


def kept_as(folder: Path, text: str) -> str:
    """The name of the one file there that holds ``text``."""
    (file,) = [file for file in folder.glob("settings*") if file.read_text() == text]
    return file.name


def stretched(sound: bytes, rate: int) -> np.ndarray:
    """The sound at another rate, -1 to 1."""
    return soxr.resample(samples_of(sound).astype(np.float32) / 32768, RATE, rate)


def spoilt(tmp_path: Path, shelf: Path, model: str, name: str) -> tuple[Path, bytes]:
    """A home whose models are those of the shelf, but one, whose file can be spoilt; and its bytes."""
    home = tmp_path / "home"
    furnish(home, None)
    for folder in shelf.iterdir():
        if folder.is_dir() and folder.name != model:
            (home / "models").mkdir(exist_ok=True)
            (home / "models" / folder.name).symlink_to(folder)
    own = home / "models" / model
    own.mkdir()
    for file in (shelf / model).iterdir():
        if file.name != name and not file.name.startswith("."):
            (own / file.name).symlink_to(file)
    return home, (shelf / model / name).read_bytes()
