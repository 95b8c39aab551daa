"""What the engine says of its troubles is said in the language of the window; what nobody knows stays as it is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from doubles.checkout import TOP, our_files, program_files
from PySide6.QtWidgets import QApplication

from companion.ui.engine_words import MENDS, NOTES, SENTENCES, in_window_language
from companion.ui.translations import CHINESE, ENGLISH, speak
from companion.ui.widgets.notice import sentence


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    speak(CHINESE)
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("there is no microphone named 'USB Audio'", "找不到名为“USB Audio”的麦克风"),
        ("the microphone 'Emma's headset' has been unplugged", "麦克风“Emma's headset”被拔掉了"),
        ("plug it in again", "请重新插上"),
        ("Plug it in again.", "请重新插上"),
        ("/home/x could not be written: No space left on device", "无法写入 /home/x：磁盘已满"),
        ("0.4 GB free", "还剩 0.4 GB"),
        ("the disk is haunted", "the disk is haunted"),
        ("", ""),
    ],
)
def test_a_sentence_is_known_by_its_form_and_keeps_what_is_in_it(chinese: None, said: str, shown: str) -> None:
    assert in_window_language(said) == shown


def test_a_sentence_within_a_sentence_is_said_too(chinese: None) -> None:
    said = "settings.toml line 3: this is no TOML (odd); the defaults are used, and the broken file is kept as x.toml"

    assert (
        in_window_language(said)
        == "settings.toml line 3：这不是有效的 TOML（odd）；改用默认设置，损坏的文件保存为 x.toml"
    )


def test_in_english_nothing_is_touched(qapp: QApplication) -> None:
    speak(ENGLISH)

    assert in_window_language("there is no microphone") == "there is no microphone"
    assert sentence("there is no microphone") == "There is no microphone."
    speak(CHINESE)
    assert sentence("there is no microphone") == "没有麦克风。"
    speak(ENGLISH)


def test_every_model_says_what_it_is_good_for() -> None:
    manifests = [tomllib.loads((TOP / path).read_text()) for path in our_files() if path.match("models/*.toml")]

    assert sorted(map(str, NOTES)) == sorted(manifest["note"] for manifest in manifests)


def test_every_sentence_that_is_known_is_one_the_program_says() -> None:
    """A sentence that was changed in the engine is found here, not by a person who reads it in the wrong language."""
    program = "\n".join(
        (TOP / path).read_text(encoding="utf-8") for path in program_files() if path.name != "engine_words.py"
    )
    # Texts that run over several lines are one text.
    joined = re.sub(r'"\s*\n\s*f?"', "", program)
    from_the_system = {
        "No space left on device",
        "Permission denied",
        "Read-only file system",
        "No such file or directory",
    }
    stale = []
    for known in map(str, (*SENTENCES, *MENDS)):
        if known in from_the_system:
            continue
        parts = [
            part for part in re.split(r"\{\w+\}|microphone|loudspeaker| used|; ", known) if len(part.strip(" .'")) > 3
        ]
        if not all(part.strip(" .'") in joined for part in parts):
            stale.append(known)

    assert not stale
