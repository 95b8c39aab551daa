"""Pictures of every page: each scene is found, drawn as it was told, and saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from companion.errors import BadInput
from companion.ui.places import PLACES
from companion.ui.scenes.scene import AWAKE, StillLook, all_scenes, page_scene
from companion.ui.screenshots import all_looks, draw, take


def test_every_place_has_scenes_and_no_two_have_one_name() -> None:
    names = [scene.name for scene in all_scenes()]

    assert len(names) == len(set(names))
    for place in PLACES:
        assert [name for name in names if name.startswith(place.name)], place.name


def test_there_are_eight_looks() -> None:
    assert len(set(all_looks())) == 8


def test_a_picture_is_as_large_as_was_asked_and_of_the_shade(qtbot) -> None:
    scene = page_scene("talk", "test", state=AWAKE, size=(800, 600))

    light = draw(scene, StillLook(is_dark=False, percent=100, language="en"))
    dark = draw(scene, StillLook(is_dark=True, percent=200, language="en"))

    assert (light.width(), light.height()) == (800, 600)
    assert (dark.width(), dark.height()) == (1600, 1200)
    assert light.pixelColor(400, 590).lightness() > 200
    assert dark.pixelColor(800, 1180).lightness() < 80


def test_pictures_are_saved(qtbot, tmp_path: Path) -> None:
    files = take(
        tmp_path / "pictures", only="window-marks", looks=[StillLook(is_dark=False, percent=100, language="en")]
    )

    assert [file.name for file in files] == ["window-marks.light.100.en.png"]
    assert not QImage(str(files[0])).isNull()


def test_a_scene_that_is_not_there_is_named(qtbot, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no scene"):
        take(tmp_path, only="nothing-like-it")
