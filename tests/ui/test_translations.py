"""Every text of the window is there in both languages, nothing is stale, and what Qt reads is what was written."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from doubles.checkout import TOP
from PySide6.QtCore import QEvent, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from companion.ui.counts import Counts
from companion.ui.pages.home.times import left
from companion.ui.places import PLACES
from companion.ui.translations import CHINESE, ENGLISH, _wear, speak, window_language

FOLDER = TOP / "assets" / "translations"
TOOLS = Path(sys.executable).parent
PLACEHOLDER = re.compile(r"\{\w*\}|%n|%\d")
HAN = re.compile(r"[\u4e00-\u9fff]")
UNIT = re.compile(r"\b(?:[MG]B|dB)\b")
"""Written alike in both languages."""


def tool(name: str, *arguments: str | Path) -> None:
    """Run one of Qt's own tools, as ``packaging/translate.sh`` does."""
    subprocess.run(
        [TOOLS / f"pyside6-{name}", *map(str, arguments)], check=True, capture_output=True, timeout=60, cwd=TOP
    )


def messages(file: Path) -> dict[tuple[str, str], list[str]]:
    """What is written for each text, by where it stands and what it is; several forms where things are counted."""
    found: dict[tuple[str, str], list[str]] = {}
    for context in ElementTree.parse(file).iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            assert translation.get("type") is None, f"unfinished or gone: {message.findtext('source')}"
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            found[context.findtext("name", ""), message.findtext("source", "")] = forms
    return found


@pytest.fixture
def speaking() -> Iterator[None]:
    """Whatever is spoken in a test, it is English afterwards."""
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(("language", "only"), [(CHINESE, ()), (ENGLISH, ("-pluralonly",))])
def test_every_text_of_the_program_is_translated_and_none_is_stale(
    tmp_path: Path, language: str, only: tuple[str, ...]
) -> None:
    committed = FOLDER / f"companion_{language}.ts"
    fresh = tmp_path / committed.name
    shutil.copy(committed, fresh)
    sources = sorted((TOP / "companion" / "ui").rglob("*.py"))
    tool("lupdate", "-no-obsolete", "-locations", "none", *only, *sources, "-ts", fresh)

    assert messages(fresh) == messages(committed), "run packaging/translate.sh, then translate what is unfinished"


@pytest.mark.parametrize("language", [CHINESE, ENGLISH])
def test_what_qt_reads_was_made_of_what_is_written(tmp_path: Path, language: str) -> None:
    fresh = tmp_path / "fresh.qm"
    tool("lrelease", "-silent", FOLDER / f"companion_{language}.ts", "-qm", fresh)

    assert fresh.read_bytes() == (FOLDER / f"companion_{language}.qm").read_bytes()


@pytest.mark.parametrize("language", [CHINESE, ENGLISH])
def test_every_translation_keeps_what_is_filled_in(language: str) -> None:
    lost = {}
    for (_, source), forms in messages(FOLDER / f"companion_{language}.ts").items():
        wanted = set(PLACEHOLDER.findall(source))
        for form in forms:
            # Where there is one, its number may go without saying.
            missing = wanted - set(PLACEHOLDER.findall(form)) - ({"%n", "{most}"} if language == ENGLISH else set())
            strange = set(PLACEHOLDER.findall(form)) - wanted
            if missing or strange or not form:
                lost[source] = form

    assert not lost


def test_chinese_is_chinese() -> None:
    left_alone = [
        source
        for (_, source), (form, *_) in messages(FOLDER / f"companion_{CHINESE}.ts").items()
        if not HAN.search(form) and re.search("[A-Za-z]", UNIT.sub("", PLACEHOLDER.sub("", form)))
    ]

    assert not left_alone


def test_the_window_speaks_the_language_it_is_told(speaking: None, qapp: QApplication) -> None:
    speak(CHINESE)
    assert [place.shown for place in PLACES] == ["对话", "记忆", "知识", "家中", "设置", "状态"]
    assert left(200_000) == "2 天"
    assert QLocale().language() is QLocale.Language.Chinese
    speak(ENGLISH)
    assert [place.shown for place in PLACES][:2] == ["Talk", "Memory"]


def test_what_is_spoken_no_more_is_let_go_of(speaking: None, qapp: QApplication) -> None:
    def held() -> int:
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return len(qapp.findChildren(QTranslator))

    speak(CHINESE)
    before = held()
    for language in (ENGLISH, CHINESE) * 5:
        speak(language)

    assert held() == before
    _wear("companion_of_nobody", FOLDER)
    assert held() == before, "one that could not be loaded is let go of, too"


@pytest.mark.parametrize(("count", "told"), [(1, "1 minute"), (2, "2 minutes"), (0, "0 minutes")])
def test_english_counts_one_and_many(speaking: None, qapp: QApplication, count: int, told: str) -> None:
    speak(ENGLISH)

    assert Counts().minutes(count) == told


@pytest.mark.parametrize(
    ("spoken", "shown"), [("en", ENGLISH), ("zh", CHINESE), ("zh-CN", CHINESE), ("de", ENGLISH), ("zh_TW", CHINESE)]
)
def test_the_language_of_the_window_is_that_which_is_spoken_where_it_can_be(spoken: str, shown: str) -> None:
    assert window_language(spoken) == shown
