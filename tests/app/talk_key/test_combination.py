"""Keys are read as people write them, and written as each way wants them."""

from __future__ import annotations

import pytest

from companion.app.talk_key.combination import Combination
from companion.errors import BadInput
from companion.settings.schema import Desktop


@pytest.mark.parametrize(
    ("written", "kept", "trigger", "hotkey"),
    [
        ("ctrl+alt+space", "ctrl+alt+space", "CTRL+ALT+space", "<ctrl>+<alt>+<space>"),
        ("Alt + Control + T", "ctrl+alt+t", "CTRL+ALT+t", "<ctrl>+<alt>+t"),
        ("Win+Shift+2", "shift+super+2", "SHIFT+LOGO+2", "<shift>+<cmd>+2"),
        ("f9", "f9", "F9", "<f9>"),
        ("pause", "pause", "Pause", "<pause>"),
        ("ctrl+home", "ctrl+home", "CTRL+Home", "<ctrl>+<home>"),
    ],
)
def test_keys_are_kept_in_one_order_and_told_in_the_words_of_each_way(
    written: str, kept: str, trigger: str, hotkey: str
) -> None:
    keys = Combination.read(written)

    assert (str(keys), keys.trigger, keys.hotkey) == (kept, trigger, hotkey)
    assert Combination.read(kept) == keys
    assert Desktop(talk_key=kept).talk_key == kept


@pytest.mark.parametrize(
    "written", ["", "space", "t", "ctrl", "ctrl+", "+", "hyper+t", "ctrl+alt", "ctrl+f99", "ctrl+ä"]
)
def test_what_is_no_key_or_one_that_people_write_with_is_refused(written: str) -> None:
    with pytest.raises(BadInput) as refused:
        Combination.read(written)

    assert "ctrl+alt+space" in refused.value.mend
