"""Dates in questions: the days they mean, looking back from Wednesday, March 13, 2024."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.dates import MOST_SPANS, Span, spans_in

TODAY = date(2024, 3, 13)

SAID = {
    "what did I do today": ("2024-03-13", "2024-03-13"),
    "what did she say yesterday": ("2024-03-12", "2024-03-12"),
    "the day before yesterday": ("2024-03-11", "2024-03-11"),
    "what happened last week": ("2024-03-04", "2024-03-10"),
    "this week": ("2024-03-11", "2024-03-17"),
    "last weekend": ("2024-03-09", "2024-03-10"),
    "last month": ("2024-02-01", "2024-02-29"),
    "last year": ("2023-01-01", "2023-12-31"),
    "on Friday": ("2024-03-08", "2024-03-08"),
    "last Wednesday": ("2024-03-06", "2024-03-06"),
    "three days ago": ("2024-03-10", "2024-03-10"),
    "two weeks ago": ("2024-02-25", "2024-03-02"),
    "in May": ("2023-05-01", "2023-05-31"),
    "in March": ("2024-03-01", "2024-03-31"),
    "in May 2022": ("2022-05-01", "2022-05-31"),
    "on 9 November, 2022": ("2022-11-09", "2022-11-09"),
    "on November 9th": ("2023-11-09", "2023-11-09"),
    "the 8th of May": ("2023-05-08", "2023-05-08"),
    "on 2023-05-08": ("2023-05-08", "2023-05-08"),
    "in 2022": ("2022-01-01", "2022-12-31"),
    "last summer": ("2023-06-01", "2023-08-31"),
    "in the winter of 2021": ("2021-12-01", "2022-02-28"),
    "昨天说了什么": ("2024-03-12", "2024-03-12"),
    "前天": ("2024-03-11", "2024-03-11"),
    "上周五": ("2024-03-08", "2024-03-08"),
    "星期一": ("2024-03-11", "2024-03-11"),
    "上周": ("2024-03-04", "2024-03-10"),
    "上个月": ("2024-02-01", "2024-02-29"),
    "三天前": ("2024-03-10", "2024-03-10"),
    "五月": ("2023-05-01", "2023-05-31"),
    "去年8月": ("2023-08-01", "2023-08-31"),
    "2023年5月8日": ("2023-05-08", "2023-05-08"),
    "十二月二十五日": ("2023-12-25", "2023-12-25"),
    "去年": ("2023-01-01", "2023-12-31"),
    "2022年": ("2022-01-01", "2022-12-31"),
}


@pytest.mark.parametrize("said", SAID)
def test_a_phrase_names_its_days(said: str) -> None:
    first, last = map(date.fromisoformat, SAID[said])

    assert spans_in(said, TODAY) == (Span(first, last),)


@pytest.mark.parametrize(
    "said", ["", "may I ask", "march of the penguins", "on February 31", "I love spring rolls", "room 2022", "好的"]
)
def test_what_is_no_date_names_none(said: str) -> None:
    assert spans_in(said, TODAY) == ()


def test_two_dates_are_both_found() -> None:
    assert [str(span.first) for span in spans_in("in May 2022 or in June 2023", TODAY)] == ["2022-05-01", "2023-06-01"]


def test_days_are_counted_from_a_span() -> None:
    span = Span(date(2024, 3, 4), date(2024, 3, 10))

    assert [span.days_after(date(2024, 3, day)) for day in (3, 4, 10, 12)] == [-1, 0, 0, 2]


@given(st.text(alphabet="0123456789 -年月日天周前上in of may june last week ago", max_size=60), st.dates())
def test_no_text_breaks_it(text: str, today: date) -> None:
    spans = spans_in(text, today)

    assert len(spans) <= MOST_SPANS
    assert all(span.first <= span.last for span in spans)
