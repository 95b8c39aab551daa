"""Sound files of every kind are read, or refused in one line that names them."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile
from doubles.sounds import SPOKEN, tone

from companion.audio.resample import samples_of
from companion.audio.wave import read_sound, write_sound
from companion.errors import SoundFileError


@pytest.mark.parametrize("channels", [1, 2, 6])
@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 96_000])
@pytest.mark.parametrize("width", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW"])
def test_any_width_rate_and_number_of_channels_is_read(tmp_path: Path, width: str, rate: int, channels: int) -> None:
    sound = np.repeat(tone(440, 0.5, rate=rate)[:, None] / 32768, channels, axis=1)
    soundfile.write(tmp_path / "a.wav", sound, rate, subtype=width)

    samples = samples_of(read_sound(tmp_path / "a.wav"))

    assert abs(len(samples) - 8000) <= 1
    assert abs(samples[1000:7000].astype(float).std() / tone(440, 0.5).astype(float).std() - 1) < 0.05


def test_flac_and_ogg_are_read_too(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.ogg", tone(440, 0.5) / 32768, 16_000)

    assert len(read_sound(tmp_path / "a.ogg")) == 16_000
    assert len(read_sound(SPOKEN / "lj" / "LJ001-0002.flac")) > 32_000


@pytest.mark.parametrize("kept", [46, 100, 1001, 8000])
def test_a_file_cut_short_is_read_as_far_as_it_goes(tmp_path: Path, kept: int) -> None:
    file = tmp_path / "cut.wav"
    soundfile.write(file, tone(440, 0.5) / 32768, 16_000, subtype="PCM_16")
    file.write_bytes(file.read_bytes()[:kept])

    assert len(read_sound(file)) == (kept - 44) // 2 * 2


REFUSED = {
    "empty.wav": b"",
    "words.wav": b"this is no sound at all, whatever its name says",
    "header.wav": b"RIFF\x24\x00\x00\x00WAVEfmt ",
    "norate.wav": b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 0, 0, 2, 16)
    + b"data" + struct.pack("<I", 4) + bytes(4),
    "zeros.flac": bytes(4096),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sound_is_refused_in_one_line_that_names_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(REFUSED[name])

    with pytest.raises(SoundFileError) as caught:
        read_sound(tmp_path / name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SoundFileError, match="no such file"):
        read_sound(tmp_path / "nowhere.wav")
    with pytest.raises(SoundFileError, match="no such file"):
        read_sound(tmp_path / "no\0where.wav")
    with pytest.raises(SoundFileError, match="folder"):
        read_sound(tmp_path)


def test_a_file_without_a_single_sample_is_refused(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "none.wav", np.empty(0), 16_000)

    with pytest.raises(SoundFileError, match="no sound"):
        read_sound(tmp_path / "none.wav")


def test_numbers_that_are_none_become_silence(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "odd.wav", np.array([np.nan, np.inf, -np.inf, 9.0] * 100), 16_000, subtype="FLOAT")

    assert np.isfinite(samples_of(read_sound(tmp_path / "odd.wav"))).all()


@pytest.mark.parametrize("name", ["a.wav", "a.flac", "A.WAV"])
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    write_sound(tmp_path / name, tone(440, 0.2).tobytes(), 16_000)

    assert np.abs(samples_of(read_sound(tmp_path / name)).astype(int) - tone(440, 0.2)).max() <= 1
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a.xyz").write_text("precious")
    with pytest.raises(SoundFileError, match="ending"):
        write_sound(tmp_path / "a.xyz", b"\0\0", 16_000)
    with pytest.raises(SoundFileError, match="cannot be written"):
        write_sound(tmp_path / "missing" / "a.wav", b"\0\0", 16_000)
    (tmp_path / "b.wav").mkdir()
    with pytest.raises(SoundFileError, match="cannot be written"):
        write_sound(tmp_path / "b.wav", b"\0\0", 16_000)

    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.xyz", "b.wav"]
    assert (tmp_path / "a.xyz").read_text() == "precious"


def test_a_header_that_promises_more_than_there_is_memory_is_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "a.flac"
    soundfile.write(file, np.ones((4_800, 8), np.int16), 48_000)
    content = bytearray(file.read_bytes())
    # The number of samples: the lower 36 bits of the eight bytes at 18 (RFC 9639, section 8.2).
    told = int.from_bytes(content[18:26]) | (1 << 36) - 1
    content[18:26] = told.to_bytes(8)
    file.write_bytes(content)

    assert len(read_sound(file)) <= 2 * 1_600


@pytest.mark.parametrize("kind", ["flac", "ogg"])
def test_packed_sound_cut_short_is_read_as_far_as_it_goes(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"cut.{kind}"
    noise = np.random.default_rng(1).normal(0, 0.1, 6 * 16_000)
    soundfile.write(file, noise, 16_000)
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])

    assert 3.0 < len(read_sound(file)) / 32_000 < 4.5


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.wav")
    with pytest.raises(SoundFileError, match="is no file"):
        read_sound(tmp_path / "a.wav")
