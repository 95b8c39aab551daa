"""Phrases kept on disk: known ones need no voice, damaged ones are made again, old ones make room."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.providers.local.phrases import PhraseCache
from companion.providers.scripted import RATE, ScriptedSynthesiser
from companion.stream import Text

PLENTY = 10_000_000


def kept(folder: Path) -> list[Path]:
    """What is on disk, oldest used first."""
    return sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)


async def sound(cache: PhraseCache, text: str, language: str = "en") -> bytes:
    return b"".join([blob.data async for blob in cache.speak(Text(text, language))])


async def test_a_known_phrase_needs_no_voice_and_sounds_the_same(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    cache = PhraseCache(voice, tmp_path, max_bytes=PLENTY)
    await cache.prepare(["Yes.", "No."], "en")
    assert voice.said == ["Yes.", "No."]

    known = await sound(cache, "Yes.")
    assert voice.said == ["Yes.", "No."]
    assert known == await sound(PhraseCache(voice, tmp_path / "other", max_bytes=PLENTY), "Yes.")
    kinds = {blob.mime_type async for blob in cache.speak(Text("Yes.", "en"))}
    assert kinds == {f"audio/pcm; channels=1; rate={RATE}"}


async def test_it_is_known_by_what_is_spoken_not_by_how_it_is_written(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    cache = PhraseCache(voice, tmp_path, max_bytes=PLENTY)
    await cache.prepare(["half past two"], "en")
    voice.said.clear()
    assert [blob async for blob in cache.speak(Text("14:30", "en", spoken="half past two"))]
    assert voice.said == []


async def test_phrases_outlive_the_program(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    await PhraseCache(voice, tmp_path, max_bytes=PLENTY).prepare(["Yes."], "en")
    await PhraseCache(voice, tmp_path, max_bytes=PLENTY).prepare(["Yes."], "en")
    assert voice.said == ["Yes."]


async def test_another_voice_or_language_is_another_sound(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    await PhraseCache(voice, tmp_path, max_bytes=PLENTY, voice="joe 1.0").prepare(["Hm."], "en")
    await PhraseCache(voice, tmp_path, max_bytes=PLENTY, voice="amy 1.0").prepare(["Hm."], "en")
    await PhraseCache(voice, tmp_path, max_bytes=PLENTY, voice="amy 1.0").prepare(["Hm."], "de")
    assert voice.said == ["Hm."] * 3


async def test_an_unknown_phrase_is_spoken_and_not_kept(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    cache = PhraseCache(voice, tmp_path, max_bytes=PLENTY)
    assert await sound(cache, "private words")
    assert kept(tmp_path) == []


@pytest.mark.parametrize("damage", [b"", b"short", None])
async def test_a_damaged_phrase_is_made_again(tmp_path: Path, damage: bytes | None) -> None:
    voice = ScriptedSynthesiser()
    cache = PhraseCache(voice, tmp_path, max_bytes=PLENTY)
    await cache.prepare(["Yes."], "en")
    whole = await sound(cache, "Yes.")
    (file,) = kept(tmp_path)
    raw = file.read_bytes()
    file.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]) if damage is None else damage)

    assert await sound(cache, "Yes.") == whole
    assert voice.said == ["Yes.", "Yes."]
    await cache.prepare(["Yes."], "en")
    assert await sound(cache, "Yes.") == whole
    assert voice.said == ["Yes."] * 3


async def test_what_was_used_longest_ago_makes_room(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    await PhraseCache(voice, tmp_path, max_bytes=PLENTY).prepare(["aaaa", "bbbb"], "en")
    for age, file in enumerate(kept(tmp_path)):
        os.utime(file, (age, age))
    size = file.stat().st_size
    cache = PhraseCache(voice, tmp_path, max_bytes=2 * size)

    await sound(cache, "aaaa")
    await cache.prepare(["cccc"], "en")
    voice.said.clear()
    await sound(cache, "aaaa")
    await sound(cache, "cccc")
    assert voice.said == []
    await sound(cache, "bbbb")
    assert voice.said == ["bbbb"]


async def test_preparing_gives_way_to_a_reply(tmp_path: Path) -> None:
    voice = ScriptedSynthesiser()
    cache = PhraseCache(voice, tmp_path, max_bytes=PLENTY)
    speak = voice.speak

    async def interrupted(text: Text):  # type: ignore[no-untyped-def]
        async for blob in speak(text):
            if text.text == "second":
                await sound(cache, "a reply")
            yield blob

    voice.speak = interrupted  # type: ignore[method-assign]
    await cache.prepare(["first", "second", "third"], "en")
    assert "third" not in voice.said
    assert len(kept(tmp_path)) == 1


async def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "phrases").write_text("a file")
    cache = PhraseCache(ScriptedSynthesiser(), tmp_path / "phrases", max_bytes=PLENTY)
    with pytest.raises(StorageError, match="cannot be kept"):
        await cache.prepare(["Yes."], "en")
    assert await sound(cache, "Yes.")


async def test_nothing_is_left_half_written(tmp_path: Path) -> None:
    cache = PhraseCache(ScriptedSynthesiser(), tmp_path, max_bytes=PLENTY)
    await cache.prepare(["Yes."], "en")
    assert [file.suffix for file in kept(tmp_path)] == [".phrase"]


async def test_a_folder_that_cannot_be_written_still_serves_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice = ScriptedSynthesiser()
    cache = PhraseCache(voice, tmp_path, max_bytes=PLENTY)
    await cache.prepare(["Yes."], "en")
    voice.said.clear()

    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "utime", read_only)
    assert await sound(cache, "Yes.")
    assert voice.said == []

    monkeypatch.setattr(Path, "unlink", read_only)
    kept(tmp_path)[0].write_bytes(b"damaged")
    assert await sound(cache, "Yes.")
    assert voice.said == ["Yes."]


async def test_a_phrase_that_cannot_be_kept_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(StorageError):
        await PhraseCache(ScriptedSynthesiser(), tmp_path, max_bytes=PLENTY).prepare(["Yes."], "en")

    assert kept(tmp_path) == []
