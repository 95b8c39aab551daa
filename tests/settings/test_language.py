"""Every way the settings allow a tag to be written means the same language everywhere."""

from __future__ import annotations

import pytest

from companion.catalog.manifest import Kind, Manifest
from companion.settings.language import or_english, primary
from companion.settings.schema import General
from companion.talents.spoken.language import is_chinese
from companion.voice.sentences import language_of


@pytest.mark.parametrize("tag", ["zh", "ZH", "zh-CN", "zh_CN", "zh-Hans-CN"])
def test_a_tag_means_its_language_however_it_is_written(tag: str) -> None:
    assert General(language=tag).language == tag
    assert primary(tag) == "zh"
    assert is_chinese(tag)
    assert language_of(tag) == "zh"
    assert Manifest("m", Kind.VOICE, "m", "", "MIT", ("zh",), 1, 1, 1, 1, ()).speaks(tag)


def test_english_stands_in_for_a_language_nobody_has_spoken_yet() -> None:
    assert or_english("auto") == "en"
    assert or_english("zh_CN") == "zh_CN"
