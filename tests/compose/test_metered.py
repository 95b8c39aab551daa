"""A backend that costs money asks before it spends, and writes down what it spent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from companion.compose.ledger import Ledger
from companion.compose.metered import Metered, Price, tokens_of
from companion.errors import ContextTooLong, EndOfStream, OverBudget, StorageError, Unreachable
from companion.model import ChatRequest, ChatRole, Message, ModelContext, ModelParams
from companion.model.deltas import Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.stream import Usage

PRICE = Price(prompt=1_000_000.0, completion=2_000_000.0)
"""One for a token read, two for one written."""
QUESTION = ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, "What is it?"),)))


class Played:
    """Answers with the deltas it was given."""

    name = "paid/model"

    def __init__(self, deltas: Sequence[Delta] = (), *, fault: Exception | None = None) -> None:
        self._deltas = deltas
        self._fault = fault
        self.asked: list[ChatRequest] = []

    async def ask(self, request: ChatRequest) -> DeltaSource:
        self.asked.append(request)
        if self._fault is not None:
            raise self._fault
        return Source(list(self._deltas))


class Source:
    def __init__(self, deltas: list[Delta]) -> None:
        self._deltas = deltas

    async def next(self) -> Delta:
        if not self._deltas:
            raise EndOfStream
        return self._deltas.pop(0)

    async def close(self) -> None:
        self._deltas.clear()


class Calendar:
    def __init__(self, month: int = 11) -> None:
        self.month = month

    def __call__(self) -> datetime:
        return datetime(2026, self.month, 15)  # noqa: DTZ001 - local time


def ledger(folder: Path, budget: float = 1000.0, clock: Calendar | None = None) -> Ledger:
    return Ledger(folder / "spent.json", budget=budget, clock=clock or Calendar())


async def read(source: DeltaSource) -> None:
    with contextlib.suppress(EndOfStream):
        while True:
            await source.next()


async def test_an_answer_costs_what_its_provider_has_counted(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    paid = Played([TextDelta("a"), Counted(Usage(10, 5)), Finished(Finish.STOP)])

    await read(await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION))

    assert book.spent == {"2026-11": {"language model: paid/model": 20.0}}
    assert json.loads((tmp_path / "spent.json").read_text()) == book.spent


async def test_an_answer_that_is_left_in_the_middle_is_guessed_by_its_length(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    source = await Metered(Played([TextDelta("x" * 30), TextDelta("y")]), book, PRICE, most_tokens=100).ask(QUESTION)
    await source.next()
    await source.close()
    await source.close()

    asked = tokens_of(QUESTION.context)
    assert book.spent["2026-11"] == {"language model: paid/model": asked + 2 * 10.0}


async def test_what_is_put_down_while_an_answer_comes_is_no_longer_there_to_spend(tmp_path: Path) -> None:
    book = ledger(tmp_path, budget=250.0)
    metered = Metered(Played([Finished(Finish.STOP)]), book, PRICE, most_tokens=100)
    first = await metered.ask(QUESTION)

    with pytest.raises(OverBudget, match="left") as refused:
        await metered.ask(QUESTION)
    assert "monthly_budget" in refused.value.mend

    await read(first)
    await (await metered.ask(QUESTION)).close()


async def test_nothing_is_sent_when_the_budget_is_used_up_and_a_new_month_begins_afresh(tmp_path: Path) -> None:
    calendar, paid = Calendar(), Played([Counted(Usage(90, 5)), Finished(Finish.STOP)])
    book = ledger(tmp_path, budget=200.0, clock=calendar)
    metered = Metered(paid, book, PRICE, most_tokens=100)
    await read(await metered.ask(QUESTION))

    with pytest.raises(OverBudget):
        await metered.ask(QUESTION)
    assert len(paid.asked) == 1

    calendar.month = 12
    await read(await metered.ask(QUESTION))
    assert set(book.spent) == {"2026-11", "2026-12"}


async def test_a_provider_that_did_not_begin_to_answer_costs_nothing(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    with pytest.raises(Unreachable):
        await Metered(Played(fault=Unreachable("gone")), book, PRICE, most_tokens=100).ask(QUESTION)
    assert book.left == 1000.0


async def test_an_answer_is_limited_to_what_one_call_may_have(tmp_path: Path) -> None:
    paid = Played([Finished(Finish.STOP)])
    metered = Metered(paid, ledger(tmp_path), PRICE, most_tokens=100)
    longer = replace(QUESTION, context=replace(QUESTION.context, params=ModelParams(max_tokens=500)))
    for request in (QUESTION, longer):
        await (await metered.ask(request)).close()

    asked = tokens_of(QUESTION.context)
    assert [request.context.params.max_tokens for request in paid.asked] == [100 - asked] * 2
    assert QUESTION.context.params.max_tokens is None


async def test_a_question_above_the_size_of_a_call_is_refused_with_both_numbers(tmp_path: Path) -> None:
    long = ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, "word " * 100),)))
    with pytest.raises(ContextTooLong, match=r"167 tokens.* 100") as refused:
        await Metered(Played(), ledger(tmp_path), PRICE, most_tokens=100).ask(long)
    assert (refused.value.needed, refused.value.room) == (183, 100)


async def test_what_was_put_down_when_the_program_was_killed_counts(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    await Metered(Played([TextDelta("a")]), book, PRICE, most_tokens=100).ask(QUESTION)

    assert ledger(tmp_path).left == book.left < 1000.0


@pytest.mark.parametrize("text", ["{", "[]", '{"2026-11": 5}', '{"2026-11": {"x": -1}}', '{"2026-11": {"x": "1"}}'])
def test_a_ledger_that_cannot_be_read_spends_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "spent.json").write_text(text)
    with pytest.raises(StorageError, match=r"spent\.json"):
        ledger(tmp_path)
    assert (tmp_path / "spent.json").read_text() == text


async def test_nothing_is_sent_when_it_cannot_be_written_down(tmp_path: Path) -> None:
    paid, book = Played([Finished(Finish.STOP)]), ledger(tmp_path / "gone")
    (tmp_path / "gone").write_text("no folder")

    with pytest.raises(StorageError):
        await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION)
    assert not paid.asked
    assert book.left == 1000.0


async def test_who_is_called_off_while_a_price_is_put_down_pays_nothing(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    asking = asyncio.ensure_future(book.reserve("there", 10.0))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    assert asking.cancelled()
    assert book.left == 1000.0


async def test_an_answer_is_not_lost_when_what_it_cost_cannot_be_written_down(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    book = ledger(folder)
    paid = Played([TextDelta("a"), Counted(Usage(10, 5)), Finished(Finish.STOP)])
    source = await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION)
    put_down = book.left
    shutil.rmtree(folder)
    folder.write_text("no folder")

    assert [await source.next() for _ in range(3)] == [TextDelta("a"), Counted(Usage(10, 5)), Finished(Finish.STOP)]
    await source.close()
    assert put_down < book.left < 1000.0
