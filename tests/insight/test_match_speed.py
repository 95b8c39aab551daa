"""Five hundred rules are matched in under a millisecond, whatever they have in common."""

import pytest
from bench.match_speed import BOOKS, RULES, measure


@pytest.mark.parametrize("name", BOOKS)
def test_five_hundred_rules_answer_within_a_millisecond(name: str) -> None:
    speed = measure(BOOKS[name](RULES, 200), rounds=1)

    assert speed.rules == RULES
    assert 0 < speed.understood < 1
    assert speed.median_ms < 1
    assert speed.p95_ms < 1
