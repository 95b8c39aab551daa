"""Which settings count at once is said by name, and what has no form is no setting."""

from __future__ import annotations

import pytest

from companion.settings.applies import AT_ONCE, differing, taking
from companion.settings.describe import Form, described, written
from companion.settings.schema import Models, Settings, Sound
from companion.settings.store import value_from


def test_every_name_that_counts_at_once_is_a_setting() -> None:
    assert set(described()) >= AT_ONCE


def test_what_differs_is_told_by_name() -> None:
    assert differing(Settings(), Settings(sound=Sound(volume=0.5), models=Models(speed=1.5))) == (
        "sound.volume",
        "models.speed",
    )


def test_only_what_counts_at_once_is_taken_over() -> None:
    fresh = Settings(sound=Sound(volume=0.5), models=Models(speed=1.5, temperature=0.1))
    taken = taking(Settings(), fresh)
    assert taken == Settings(sound=Sound(volume=0.5), models=Models(temperature=0.1))
    assert differing(taken, fresh) == ("models.speed",)


@pytest.mark.parametrize("name", list(described()))
def test_every_value_can_be_written_as_a_person_types_it_and_read_back(name: str) -> None:
    setting = described()[name]
    assert value_from(setting, written(setting.default)) == setting.default
    for choice in setting.choices:
        assert value_from(setting, choice) == choice


def test_each_setting_says_what_form_it_has() -> None:
    forms = {name: setting.form for name, setting in described().items()}
    assert forms["sound.chimes"] is Form.SWITCH
    assert forms["wake.word"] is Form.CHOICE
    assert forms["models.threads"] is Form.WHOLE
    assert forms["sound.volume"] is Form.NUMBER
    assert forms["general.name"] is Form.TEXT
    assert forms["knowledge.folders"] is Form.TEXTS
    assert (described()["sound.gain"].low, described()["sound.gain"].high) == (-20, 40)
    assert described()["wake.word"].choices[0] == "okay_nabu"
