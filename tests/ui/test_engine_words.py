"""What the engine says of its troubles is said in the language of the window; what nobody knows stays as it is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubles.checkout import TOP, our_files, program_files
from doubles.told_sentences import told_by, told_in
from PySide6.QtWidgets import QApplication

from companion.ui.engine_words import LAST, NOTES, SENTENCES, form_of, in_window_language
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
        ("there is no microphone. plug one in", "没有麦克风。请插上一个"),
        ("there is no microphone. A ghost took it", "there is no microphone. A ghost took it"),
        ("no voice in the catalogue knows Chinese", "目录中没有支持 中文 的嗓音"),
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


NOT_FOR_THE_WINDOW = (
    *("app/bench/", "app/ask.py", "app/say.py", "app/virtual_sound.py"),  # commands
    *("app/orders.py", "app/control.py"),  # the control socket
    *("cli/", "ui/", "mcp/", "api/"),
    *("agent/", "dialects/", "insight/", "model/", "stream/"),  # who writes a plugin or a program
    *("catalog/unzip.py", "compose/fallback.py", "compose/interceptor.py", "compose/loader/"),
    *("compose/one_answer.py", "compose/patterns.py", "compose/router.py"),
    *("providers/heard.py", "providers/spoken.py", "voice/dock.py", "providers/remote/realtime"),
    *("providers/local/gbnf.py", "providers/local/llama_", "providers/local/rerank.py"),
    *("providers/local/safetensors_file.py", "providers/local/static_embed.py", "providers/local/told_tools.py"),
)
"""Whose sentences are read by those who give commands, or who write plugins and programs."""
MADE_OF_OUR_WORDS = frozenset(
    {
        "the 7 is in use by another program",
        "the 7 will not open: 7",
        "7; 7 used",
        "7 in 7",
        "7 has failed 7 times and is left alone 7",
        "7there are 7",
        "7See `companion models list`.",
        "7, or set 7.",
        "the tokenizer has no 7",
        "say in words what it shall be like",
        "Read answers to their end, or close them.",
        "this answer already has a reader",
    }
)
"""What is filled in there is one of a few words, with each of which the sentence is known; or it never happens."""
FROM_THE_SYSTEM = re.compile(r"[A-Z][a-z-]+( [a-z]+){1,4}|No such file or directory|Input/output error|timed out")
"""Words of the operating system."""


def told() -> dict[str, str]:
    """The sentences a window may have to show, and where they stand."""
    files = [path for path in program_files() if path.parts[0] == "companion"]
    return told_by([path for path in files if not _is_one_of(path, NOT_FOR_THE_WINDOW)], TOP)


def _is_one_of(path: Path, begins: tuple[str, ...]) -> bool:
    return path.as_posix().removeprefix("companion/").startswith(begins)


def test_every_sentence_in_which_the_engine_tells_of_trouble_can_be_said_in_the_language_of_the_window() -> None:
    unknown = {
        sentence: where
        for sentence, where in told().items()
        if form_of(sentence) in ("", LAST) and sentence not in MADE_OF_OUR_WORDS
    }

    assert not unknown, "put it into companion/ui/engine_sentences, and run packaging/translate.sh"


def test_every_sentence_that_is_known_is_one_the_program_says() -> None:
    """A sentence that was changed in the engine is found here, not by a person who reads it in the wrong language."""
    program = "\n".join(
        (TOP / path).read_text(encoding="utf-8") for path in program_files() if "engine_sentences" not in path.parts
    )
    # Texts that run over several lines are one text, and quotation marks in them are written as they are.
    joined = re.sub(r'"\s*\n\s*f?"', "", program).replace('\\"', '"')
    stale, said = [], {form_of(sentence) for sentence in told()}
    for known in map(str, SENTENCES):
        if known in said or FROM_THE_SYSTEM.fullmatch(known):
            continue
        words = re.split(r"\{\w+\}|microphone|loudspeaker| used|; |: |for another |until |See |there ", known)
        parts = [part for part in words if len(part.strip(" .'(),")) > 3]
        if not all(part.strip(" .'\"()") in joined for part in parts):
            stale.append(known)

    assert not stale, "\n".join(stale)


def test_of_two_forms_that_fit_the_one_that_says_more_is_taken() -> None:
    assert form_of("Emma's headset: it cannot be opened: odd") == "{place}: {reason}"
    assert form_of("the microphone will not open: odd") == "the microphone will not open: {reason}"
    assert form_of('"x" is no key to talk') == "'{keys}' is no key to talk"


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ('raise BadInput(f"{x} is {y!r}", mend="Mend it.")', ["7 is '7'", "Mend it."]),
        ('WHY = "gone"\ntell(Problem("a", f"it is {WHY}", mend="a" if b else "b"))', ["it is gone", "a", "b"]),
        ('warn("disk", "little " + size, "Free some.")', ["little 7", "Free some."]),
        ('raise ValueError("not ours")', []),
        ("raise BadInput(made_up())", []),
    ],
)
def test_the_sentences_of_a_module_are_found(source: str, sentences: list[str]) -> None:
    assert [sentence for _, sentence in told_in(source)] == sentences
