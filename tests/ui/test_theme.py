"""Everything that is written can be read: contrast by the rules of WCAG 2, computed from the theme."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from doubles.checkout import TOP

from companion.ui import theme
from companion.ui.sheet import style_sheet
from companion.ui.theme import DARK, LIGHT, Colours, Look

WORDS = ("text", "quiet", "accent", "listening", "thinking", "problem", "good")
GROUNDS = ("ground", "raised", "tint")
SHADES = ("bubble", "hover")
"""Grounds on which nothing is written in the accent or in green."""
FILLED = ("accent", "listening", "thinking", "problem", "good")
READABLE = 4.5
VISIBLE = 3.0

looks = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_is_the_most_there_is() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)


@looks
def test_words_can_be_read_on_every_ground(colours: Colours) -> None:
    pairs = [*product(WORDS, GROUNDS), *product(("text", "quiet", "problem"), SHADES)]
    values = {(word, ground): contrast(getattr(colours, word), getattr(colours, ground)) for word, ground in pairs}

    assert not {pair: round(value, 2) for pair, value in values.items() if value < READABLE}


@looks
def test_words_can_be_read_on_what_is_filled(colours: Colours) -> None:
    values = {name: contrast(colours.on_accent, getattr(colours, name)) for name in FILLED}

    assert not {name: round(value, 2) for name, value in values.items() if value < READABLE}


@looks
def test_the_outline_of_what_can_be_pressed_can_be_seen(colours: Colours) -> None:
    assert contrast(colours.edge, colours.ground) >= VISIBLE
    assert contrast(colours.edge, colours.raised) >= VISIBLE


@looks
def test_the_undo_bar_can_be_read(colours: Colours) -> None:
    assert contrast(colours.ground, colours.text) >= READABLE


def test_the_sheet_grows_with_the_type_of_the_desktop() -> None:
    assert "font-size: 14px" in style_sheet(Look(LIGHT))
    assert "font-size: 28px" in style_sheet(Look(LIGHT, scale=2.0))


def test_nobody_else_names_a_colour() -> None:
    places = [
        f"{file.relative_to(TOP)}:{number}"
        for file in sorted(Path(TOP, "companion", "ui").rglob("*.py"))
        if file != Path(theme.__file__)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"#[0-9A-Fa-f]{6}\b|QColor\(\s*\d|GlobalColor\.(?!transparent)", line)
    ]

    assert not places
