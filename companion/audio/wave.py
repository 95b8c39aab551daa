"""Sound files: any rate, width and number of channels in; written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.audio.resample import HIGHEST_RATE, Samples, resample, to_int16
from companion.errors import SoundFileError
from companion.voice.contract import RATE

if TYPE_CHECKING:
    import soundfile

LONGEST_SECONDS = 3600
_BLOCK = 4096
"""Frames read at a time."""
_FORMATS = {".wav": "WAV", ".flac": "FLAC", ".ogg": "OGG"}


def read_sound(path: Path, rate: int = RATE) -> bytes:
    """The sound in a file as mono signed 16-bit little-endian bytes at ``rate``.

    A file that was cut short is read as far as it goes.

    Raises:
        SoundFileError: missing, not a sound file, without sound, or longer than an hour.
    """
    samples, own_rate = _read(path)
    return resample(samples, own_rate, rate).astype("<i2").tobytes()


def _read(path: Path) -> tuple[Samples, int]:
    import soundfile

    _refuse_what_is_no_file(path)
    try:
        with soundfile.SoundFile(path) as file:
            rate = int(file.samplerate)
            if not 1000 <= rate <= HIGHEST_RATE:
                raise _error(path, f"has a rate of {rate} Hz", mend="convert it to 16000 Hz")
            mixed = _mixed(path, file, rate)
    except (soundfile.SoundFileError, OSError, TypeError, ValueError) as error:
        raise _error(path, "is not a sound file that can be read", mend="give a WAV, FLAC or OGG file") from error
    if not len(mixed):
        raise _error(path, "holds no sound")
    return mixed, rate


def _mixed(path: Path, file: soundfile.SoundFile, rate: int) -> Samples:
    """All of it as one channel, read piece by piece: a header may speak of more sound than there is memory."""
    pieces: list[Samples] = []
    left = rate * LONGEST_SECONDS
    for sound in _blocks(file):
        left -= len(sound)
        if left < 0:
            raise _error(path, "is longer than an hour", mend="cut it into shorter files")
        mono = np.nan_to_num(sound, posinf=1.0, neginf=-1.0).mean(axis=1)
        pieces.append(to_int16(np.clip(mono, -1.0, 1.0) * np.float32(32767)))
    return np.concatenate(pieces) if pieces else np.empty(0, np.int16)


def _blocks(file: soundfile.SoundFile) -> Iterator[npt.NDArray[np.float32]]:
    """The sound up to where the file ends, or is cut or damaged; small blocks, for one that breaks is lost whole."""
    import soundfile

    is_first = True
    while True:
        try:
            sound = file.read(_BLOCK, dtype="float32", always_2d=True)
        except soundfile.SoundFileError:
            if is_first:
                raise
            return
        if not len(sound):
            return
        is_first = False
        yield sound


def _refuse_what_is_no_file(path: Path) -> None:
    try:
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "no such file"
        raise _error(path, f"cannot be read: {reason.lower()}") from error
    if path.is_dir():
        raise _error(path, "is a folder", mend="name a sound file")
    if not path.is_file():
        # A pipe nobody writes to would be waited for without end.
        raise _error(path, "is no file", mend="write the sound to a file first")
    if size == 0:
        raise _error(path, "is empty")


def write_sound(path: Path, pcm: bytes, rate: int) -> None:
    """Write mono signed 16-bit little-endian ``pcm``; the ending says whether WAV, FLAC or OGG.

    Raises:
        SoundFileError: unknown ending, or the place cannot be written. What was there before stays.
    """
    import soundfile

    kind = _FORMATS.get(path.suffix.lower())
    if kind is None:
        raise _error(path, "has an ending of no known kind of sound", mend="end it in .wav, .flac or .ogg")
    unfinished = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        unfinished = Path(name)
        with os.fdopen(handle, "wb") as file:
            soundfile.write(file, np.frombuffer(pcm, "<i2"), rate, format=kind)
        unfinished.chmod(0o644)
        unfinished.replace(path)
    except (soundfile.SoundFileError, OSError) as error:
        if unfinished is not None:
            with suppress(OSError):
                unfinished.unlink()
        reason = (error.strerror if isinstance(error, OSError) else None) or "the disk may be full"
        raise _error(path, f"cannot be written: {reason.lower()}") from error


def _error(path: Path, what: str, *, mend: str = "") -> SoundFileError:
    return SoundFileError(f"{path}: {what}", file=str(path), mend=mend)
