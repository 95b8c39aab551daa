"""A talk with a provider puts down the price of each answer before it can be asked for."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from companion.compose.breaker import Circuit, CircuitState
from companion.compose.ledger import Ledger
from companion.compose.metered import Price
from companion.errors import OverBudget, Unreachable
from companion.providers.paid import Till
from companion.providers.paid_talk import TalkMeter
from companion.stream import Usage

PRICE = Price(prompt=1_000_000.0, completion=2_000_000.0)
"""One for a token read, two for one written."""
ANSWER = Usage(10, 5)


def meter(folder: Path, budget: float = 1000.0, threshold: int = 1) -> tuple[TalkMeter, Ledger, Circuit]:
    clock = datetime(2026, 11, 15)  # noqa: DTZ001 - local time
    book = Ledger(folder / "spent.json", budget=budget, clock=lambda: clock)
    circuit = Circuit("There", threshold=threshold, clock=lambda: 0.0)
    return TalkMeter(Till(book, circuit, "talk: there"), PRICE, most_tokens=50), book, circuit


def cost(book: Ledger) -> float:
    return sum(book.spent.get("2026-11", {}).values())


async def test_each_answer_costs_what_was_counted_and_the_next_one_is_put_down(tmp_path: Path) -> None:
    talk, book, _ = meter(tmp_path)
    await talk.open()
    assert cost(book) == 100.0
    await talk.counted(ANSWER)
    assert cost(book) == 20.0
    await talk.put_down()
    await talk.put_down()
    assert cost(book) == 20.0 + 100.0
    await talk.counted(ANSWER)
    await talk.close(None, is_owed=False)
    assert cost(book) == 40.0


async def test_two_who_ask_at_once_put_down_one_price(tmp_path: Path) -> None:
    talk, book, _ = meter(tmp_path)
    await asyncio.gather(talk.open(), talk.put_down())
    assert cost(book) == 100.0
    await talk.close(None, is_owed=False)
    assert cost(book) == 0.0


async def test_an_answer_that_was_left_in_the_middle_counts_in_full(tmp_path: Path) -> None:
    talk, book, _ = meter(tmp_path)
    await talk.open()
    await talk.lost()
    await talk.put_down()
    await talk.close(None, is_owed=True)
    await talk.close(None, is_owed=False)
    assert cost(book) == 200.0


async def test_a_talk_ends_where_the_next_answer_would_pass_the_budget(tmp_path: Path) -> None:
    talk, book, circuit = meter(tmp_path, budget=110.0)
    await talk.open()
    await talk.counted(ANSWER)
    with pytest.raises(OverBudget) as over:
        await talk.put_down()
    await talk.close(over.value, is_owed=False)
    assert cost(book) == 20.0
    assert circuit.state is CircuitState.CLOSED


async def test_a_provider_that_was_not_there_is_left_alone(tmp_path: Path) -> None:
    talk, book, circuit = meter(tmp_path)
    await talk.open()
    await talk.close(Unreachable("gone"), is_owed=False)
    assert circuit.state is CircuitState.OPEN
    with pytest.raises(Unreachable, match="left alone"):
        await talk.open()
    assert cost(book) == 0.0


async def test_what_cannot_be_written_down_in_the_end_fails_nobody(tmp_path: Path) -> None:
    talk, book, _ = meter(tmp_path / "gone")
    (tmp_path / "gone").mkdir()
    await talk.open()
    (tmp_path / "gone" / "spent.json").unlink()
    (tmp_path / "gone").rmdir()
    (tmp_path / "gone").write_text("no folder")
    await talk.close(None, is_owed=False)
    assert cost(book) == 0.0


async def test_a_talk_in_which_nobody_spoke_says_nothing_against_the_provider(tmp_path: Path) -> None:
    now = 0.0
    clock = datetime(2026, 11, 15)  # noqa: DTZ001 - local time
    book = Ledger(tmp_path / "spent.json", budget=1000.0, clock=lambda: clock)
    circuit = Circuit("There", threshold=1, clock=lambda: now)
    talk = TalkMeter(Till(book, circuit, "talk: there"), PRICE, most_tokens=50)
    await talk.open()
    talk.ready()
    now = 60.0
    await talk.close(None, is_owed=False)
    assert circuit.state is CircuitState.CLOSED
