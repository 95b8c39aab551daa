"""What was set last is remembered."""

from __future__ import annotations

from companion.stream.newest import Newest


def test_the_oldest_is_forgotten_and_what_is_set_again_is_new() -> None:
    names: Newest[str, int] = Newest(2)
    names["a"], names["b"] = 1, 2
    names["a"] = 3
    names["c"] = 4

    assert dict(names) == {"a": 3, "c": 4}
