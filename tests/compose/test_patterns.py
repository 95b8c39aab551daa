"""Which pattern is meant by a name, against a plain model that tries everything."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.compose.patterns import PatternTable, Registration
from companion.errors import NotRegistered, PatternError


def table_of(*patterns: str) -> PatternTable[str]:
    table: PatternTable[str] = PatternTable()
    for pattern in patterns:
        table.register(pattern, f"value of {pattern}")
    return table


@pytest.mark.parametrize(
    ("name", "pattern"), [("a/x/state", "a/+/state"), ("a/b/c", "a/b/c"), ("a/q/z/w", "a/#"), ("a/b/d", "a/#")]
)
def test_the_exact_one_wins_over_one_segment_and_that_over_the_rest(name: str, pattern: str) -> None:
    found = table_of("a/b/c", "a/+/state", "a/#").find(name)

    assert (found.pattern, found.value) == (pattern, f"value of {pattern}")


@pytest.mark.parametrize("pattern", ["a/#/b", "#/a", "a/#/#", "", "/"])
def test_what_is_no_pattern_is_refused_by_name(pattern: str) -> None:
    with pytest.raises(PatternError, match=r"pattern|name") as refused:
        table_of(pattern)
    assert refused.value.pattern == pattern


@pytest.mark.parametrize("again", ["a/+/state", "a/+/state/"])
def test_a_pattern_is_taken_once(again: str) -> None:
    table = table_of("a/+/state")
    with pytest.raises(PatternError, match=r"already registered under 'a/\+/state"):
        table.register(again, "another")
    assert table.find("a/b/state").value == "value of a/+/state"


def test_nothing_cannot_be_registered() -> None:
    table: PatternTable[str | None] = PatternTable()
    with pytest.raises(PatternError, match="there is no value"):
        table.register("a", None)


def test_a_miss_names_what_was_asked_for() -> None:
    with pytest.raises(NotRegistered, match="'a/c'") as missed:
        table_of("a/b").find("a/c")
    assert missed.value.name == "a/c"


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("a/#", "a"),  # "#" is one segment or more
        ("a/+", "a"),
        ("a/+", "a/b/c"),
        ("/a", "a"),  # a slash at the beginning makes an empty segment
        ("a", "/a"),
        ("a+", "ab"),  # a sign within a segment is a letter
        ("c#", "cd"),
    ],
)
def test_what_does_not_match(pattern: str, name: str) -> None:
    with pytest.raises(NotRegistered):
        table_of(pattern).find(name)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("a/b/", "a/b"),
        ("a/b", "a/b/"),
        ("/a", "/a"),
        ("+/a", "/a"),
        ("#", "a/b"),
        ("#", ""),
        ("a/+", "a/#"),
        ("c#", "c#"),
    ],
)
def test_what_matches(pattern: str, name: str) -> None:
    assert table_of(pattern).find(name).pattern == pattern


def test_a_way_that_leads_nowhere_is_left() -> None:
    table = table_of("a/b/c/d", "a/+/c/e", "a/b/#", "+/b/c/f")

    assert table.find("a/b/c/e").pattern == "a/b/#"
    assert table.find("a/x/c/e").pattern == "a/+/c/e"
    assert table.find("z/b/c/f").pattern == "+/b/c/f"


def test_an_unregistered_pattern_makes_room_for_the_next_best() -> None:
    table = table_of("a/b", "a/+", "a/#")
    assert table.unregister("a/b") == "value of a/b"
    assert table.find("a/b").pattern == "a/+"
    table.unregister("a/+/")
    assert table.find("a/b").pattern == "a/#"
    table.unregister("a/#")
    for gone in ("a/b", "a/x/y"):
        with pytest.raises(NotRegistered):
            table.unregister(gone)
    assert table.patterns == ()


def test_patterns_are_told_oldest_first() -> None:
    assert table_of("b", "a/#", "a/+").patterns == ("b", "a/#", "a/+")


def test_an_exchange_that_cannot_be_made_changes_nothing() -> None:
    table = table_of("a", "b")
    old = table.find("a")
    with pytest.raises(PatternError, match="'b'"):
        table.exchange([old], [Registration("c", "new"), Registration("b", "new")])
    with pytest.raises(NotRegistered, match="'d'"):
        table.exchange([Registration("d", "")], [Registration("c", "new")])

    assert table.patterns == ("a", "b")
    assert table.find("a") is old


def test_what_is_in_use_is_freed_when_its_last_user_has_gone() -> None:
    freed: list[str] = []
    table: PatternTable[str] = PatternTable()
    table.register("a", "old", when_free=lambda: freed.append("old"))
    first, second = table.take("a"), table.take("a")
    table.unregister("a")
    assert first.users == 2
    first.give_back()
    assert freed == []
    second.give_back()
    assert freed == ["old"]


def test_what_nobody_uses_is_freed_at_once_and_once() -> None:
    freed: list[str] = []
    table: PatternTable[str] = PatternTable()
    registration = table.register("a", "old", when_free=lambda: freed.append("old"))
    with table.using("a") as value:
        assert value == "old"
    assert freed == []
    table.unregister("a")
    registration.retire()
    assert freed == ["old"]


SEGMENTS = st.sampled_from(["a", "b", "", "+", "#", "a+"])
NAMES = st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join)
PATTERNS = NAMES.filter(lambda text: bool(text) and "#" not in text.removesuffix("/").split("/")[:-1])


def meant(patterns: set[tuple[str, ...]], name: tuple[str, ...]) -> tuple[str, ...] | None:
    """The best of all that match, found by trying each: at the first segment where two differ, exact, "+", "#"."""

    def matches(pattern: tuple[str, ...]) -> bool:
        if pattern[-1] == "#":
            return len(name) >= len(pattern) and all(map(fits, pattern[:-1], name))
        return len(name) == len(pattern) and all(map(fits, pattern, name))

    def fits(sign: str, segment: str) -> bool:
        return sign in ("+", segment)

    ranks = {"+": 1, "#": 2}
    return min(filter(matches, patterns), key=lambda pattern: [ranks.get(sign, 0) for sign in pattern], default=None)


@given(st.lists(st.tuples(st.booleans(), PATTERNS), max_size=30), st.lists(NAMES, min_size=1, max_size=10))
def test_any_table_finds_what_a_plain_search_finds(steps: list[tuple[bool, str]], names: list[str]) -> None:
    table: PatternTable[str] = PatternTable()
    held: set[tuple[str, ...]] = set()
    for is_added, pattern in steps:
        segments = tuple(pattern.removesuffix("/").split("/"))
        if segments == ("",):
            continue
        try:
            if is_added:
                table.register(pattern, "/".join(segments))
                assert segments not in held
                held.add(segments)
            else:
                table.unregister(pattern)
                held.remove(segments)
        except PatternError:
            assert segments in held
        except NotRegistered:
            assert segments not in held
        for name in names:
            expected = meant(held, tuple(name.removesuffix("/").split("/")))
            try:
                assert table.find(name).value == "/".join(expected or ("missed",))
            except NotRegistered:
                assert expected is None
    assert {tuple(pattern.removesuffix("/").split("/")) for pattern in table.patterns} == held


def test_a_name_of_many_segments_is_answered_at_once() -> None:
    """Each node is tried once: wild cards at every level do not multiply."""
    deep = [first + "/+" * 15 + "/x" for first in ("a", "+")] + ["/".join(["a", "+"] * 8) + "/y", "+/" * 500 + "z"]
    table = table_of(*deep)

    with pytest.raises(NotRegistered):
        table.find("/".join(["a"] * 17))
    with pytest.raises(NotRegistered):
        table.find("/".join(["+"] * 17))
    assert table.find("a/" * 500 + "z").pattern.endswith("z")


@pytest.fixture
def _eager_threads() -> Iterator[None]:
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("_eager_threads")
def test_many_threads_may_register_look_up_and_unregister_at_once() -> None:
    threads, rounds = 8, 600
    freed: list[int] = []
    table: PatternTable[int] = PatternTable()
    table.register("room/#", -1)
    start = threading.Barrier(threads)

    def work(number: int) -> int:
        won = 0
        start.wait(timeout=20)
        for turn in range(rounds):
            with contextlib.suppress(PatternError):
                table.register("room/shared", number, when_free=lambda: freed.append(number))
                won += 1
            with table.using("room/shared") as value:
                assert value in range(-1, threads)
            own = table.register(f"room/{number}/{turn}", number)
            assert table.find(f"room/{number}/{turn}") is own
            assert table.unregister(f"room/{number}/{turn}") == number
            assert table.find(f"room/{number}/{turn}").value == -1
            with contextlib.suppress(NotRegistered):
                table.unregister("room/shared")
        return won

    with ThreadPoolExecutor(threads) as pool:
        won = sum(pool.map(work, range(threads)))

    assert table.patterns == ("room/#",)
    assert table.find("room/#").users == 0
    assert len(freed) == won > 0
