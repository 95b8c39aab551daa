"""Stop texts: found in pieces as in one, nothing of them said, and nothing held back for longer than needed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.providers.local.stop_text import StopText


def said(stops: list[str], *pieces: str) -> tuple[str, bool]:
    stop = StopText(stops)
    text = "".join(stop.take(piece) for piece in pieces)
    return text + stop.rest(), stop.has_stopped


def test_an_answer_ends_before_the_stop_wherever_it_is_cut() -> None:
    text = "one\nUser: two"
    for place in range(len(text)):
        assert said(["\nUser:"], text[:place], text[place:]) == ("one", True)


def test_what_only_begins_like_a_stop_is_said() -> None:
    stop = StopText(["###"])

    assert stop.take("a#") == "a"
    assert stop.take("#b") == "##b"
    assert stop.take("c##") == "c"
    assert stop.rest() == "##"
    assert not stop.has_stopped


def test_the_first_to_become_whole_counts_and_of_two_the_longer() -> None:
    assert said(["b", "abcd"], "xabcd") == ("xa", True)
    assert said(["c", "abc"], "xabcd") == ("x", True)


def test_without_stops_all_of_it_is_said() -> None:
    assert said([], "a", "b") == ("ab", False)
    assert said([""], "a", "b") == ("ab", False)


@given(st.lists(st.text("ab", min_size=1, max_size=4), max_size=3), st.text("abc", max_size=16), st.data())
def test_where_it_is_cut_makes_no_difference(stops: list[str], text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    told, has_stopped = said(stops, *pieces)

    assert (told, has_stopped) == said(stops, *text)
    assert has_stopped == any(stop in text for stop in stops)
    assert text.startswith(told)
    assert not any(stop in told for stop in stops)
