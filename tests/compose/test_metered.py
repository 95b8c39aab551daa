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
from doubles.chat_backend import ScriptedBackend, says

from companion.compose.fallback import Failover
from companion.compose.ledger import MONTHS_KEPT, Ledger, spent_in
from companion.compose.metered import Metered, Price
from companion.compose.tokens import PICTURE_TOKENS, tokens_of
from companion.errors import (
    ContextTooLong,
    EndOfStream,
    MissingKey,
    NobodyAnswered,
    OverBudget,
    ProviderFailed,
    Refused,
    StorageError,
    Throttled,
    Unreachable,
    Unsupported,
    WireBroken,
)
from companion.model import (
    Block,
    ChatRequest,
    ChatRole,
    Contents,
    FuncTool,
    JsonValue,
    Link,
    Message,
    ModelContext,
    ModelParams,
    Resource,
    Thought,
)
from companion.model.deltas import BlobDelta, Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.stream import Blob, Text, Usage

PRICE = Price(prompt=1_000_000.0, completion=2_000_000.0)
"""One for a token read, two for one written."""
QUESTION = ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, "What is it?"),)))


def played(deltas: Sequence[Delta] = (), *, fault: Exception | None = None) -> ScriptedBackend:
    """One that costs money, and answers so."""
    return ScriptedBackend(deltas if fault is None else fault, name="paid/model")


class Hanging:
    """Takes a question, and says nothing for ever."""

    name = "paid/hanging"

    async def ask(self, request: ChatRequest) -> DeltaSource:
        await asyncio.Event().wait()
        raise AssertionError


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
    paid = played([TextDelta("a"), Counted(Usage(10, 5)), Finished(Finish.STOP)])

    await read(await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION))

    assert book.spent == {"2026-11": {"language model: paid/model": 20.0}}
    assert json.loads((tmp_path / "spent.json").read_text()) == book.spent


async def test_an_answer_that_is_left_in_the_middle_is_guessed_by_its_length(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    source = await Metered(played([TextDelta("x" * 30), TextDelta("y")]), book, PRICE, most_tokens=100).ask(QUESTION)
    await source.next()
    await source.close()
    await source.close()

    asked = tokens_of(QUESTION)
    assert book.spent["2026-11"] == {"language model: paid/model": asked + 2 * 10.0}


async def test_what_is_put_down_while_an_answer_comes_is_no_longer_there_to_spend(tmp_path: Path) -> None:
    book = ledger(tmp_path, budget=250.0)
    metered = Metered(played([Finished(Finish.STOP)]), book, PRICE, most_tokens=100)
    first = await metered.ask(QUESTION)

    with pytest.raises(OverBudget, match="left") as refused:
        await metered.ask(QUESTION)
    assert "monthly_budget" in refused.value.mend

    await read(first)
    await (await metered.ask(QUESTION)).close()


async def test_nothing_is_sent_when_the_budget_is_used_up_and_a_new_month_begins_afresh(tmp_path: Path) -> None:
    calendar, paid = Calendar(), played([Counted(Usage(90, 5)), Finished(Finish.STOP)])
    book = ledger(tmp_path, budget=200.0, clock=calendar)
    metered = Metered(paid, book, PRICE, most_tokens=100)
    await read(await metered.ask(QUESTION))

    with pytest.raises(OverBudget):
        await metered.ask(QUESTION)
    assert len(paid.requests) == 1

    calendar.month = 12
    await read(await metered.ask(QUESTION))
    assert set(book.spent) == {"2026-11", "2026-12"}


async def test_a_provider_that_did_not_begin_to_answer_costs_nothing(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    with pytest.raises(Unreachable):
        await Metered(played(fault=Unreachable("gone")), book, PRICE, most_tokens=100).ask(QUESTION)
    assert book.left == 1000.0


async def test_an_answer_is_limited_to_what_one_call_may_have(tmp_path: Path) -> None:
    paid = played([Finished(Finish.STOP)])
    metered = Metered(paid, ledger(tmp_path), PRICE, most_tokens=100)
    longer = replace(QUESTION, context=replace(QUESTION.context, params=ModelParams(max_tokens=500)))
    for request in (QUESTION, longer):
        await (await metered.ask(request)).close()

    asked = tokens_of(QUESTION)
    assert [request.context.params.max_tokens for request in paid.requests] == [100 - asked] * 2
    assert QUESTION.context.params.max_tokens is None


async def test_a_question_above_the_size_of_a_call_is_refused_with_both_numbers(tmp_path: Path) -> None:
    long = ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, "word " * 100),)))
    with pytest.raises(ContextTooLong, match=r"167 tokens.* 100") as refused:
        await Metered(played(), ledger(tmp_path), PRICE, most_tokens=100).ask(long)
    assert (refused.value.needed, refused.value.room) == (183, 100)


async def test_what_was_put_down_when_the_program_was_killed_counts(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    await Metered(played([TextDelta("a")]), book, PRICE, most_tokens=100).ask(QUESTION)

    assert spent_in(tmp_path / "spent.json") == book.spent
    assert book.left < 1000.0


@pytest.mark.parametrize("text", ["{", "[]", '{"2026-11": 5}', '{"2026-11": {"x": -1}}', '{"2026-11": {"x": "1"}}'])
def test_a_ledger_that_cannot_be_read_spends_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "spent.json").write_text(text)
    with pytest.raises(StorageError, match=r"spent\.json"):
        ledger(tmp_path)
    assert (tmp_path / "spent.json").read_text() == text


async def test_nothing_is_sent_when_it_cannot_be_written_down(tmp_path: Path) -> None:
    paid, book = played([Finished(Finish.STOP)]), ledger(tmp_path / "gone")
    (tmp_path / "gone").write_text("no folder")

    with pytest.raises(StorageError):
        await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION)
    assert not paid.requests
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
    paid = played([TextDelta("a"), Counted(Usage(10, 5)), Finished(Finish.STOP)])
    source = await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION)
    put_down = book.left
    shutil.rmtree(folder)
    folder.write_text("no folder")

    assert [await source.next() for _ in range(3)] == [TextDelta("a"), Counted(Usage(10, 5)), Finished(Finish.STOP)]
    await source.close()
    assert put_down < book.left < 1000.0


@pytest.mark.parametrize(
    ("fault", "is_paid"),
    [
        (Unreachable("nobody there"), False),
        (Unreachable("the line broke", was_sent=True), True),
        (Refused("no such model", status=404), False),
        (Throttled("later"), False),
        (ProviderFailed("out of order", status=500), False),
        (ProviderFailed("nobody behind the gateway", status=504), True),
        (MissingKey("no key"), False),
        (Unsupported("no sound"), False),
        (TimeoutError("it did not begin to answer"), True),
        (WireBroken("no JSON"), True),
        (NobodyAnswered((("a", Refused("no")), ("b", TimeoutError("late")))), True),
    ],
)
async def test_a_question_that_was_read_is_paid_for_though_no_answer_came(
    tmp_path: Path, fault: Exception, is_paid: bool
) -> None:
    book = ledger(tmp_path)
    with pytest.raises(type(fault)):
        await Metered(played(fault=fault), book, PRICE, most_tokens=100).ask(QUESTION)
    assert 1000.0 - book.left == (tokens_of(QUESTION) if is_paid else 0)


async def test_a_question_whose_answer_nobody_had_the_patience_for_is_paid_for(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    paid = Metered(Hanging(), book, PRICE, most_tokens=100)
    here = ScriptedBackend(says("Here."))
    await read(await Failover([paid, here], patience=0.05, rounds=1).ask(QUESTION))

    assert 1000.0 - book.left == tokens_of(QUESTION)


async def test_what_was_counted_at_the_beginning_does_not_make_a_long_answer_short(tmp_path: Path) -> None:
    book = ledger(tmp_path, budget=100_000.0)
    deltas = [Counted(Usage(40, 1)), TextDelta("x" * 300), BlobDelta(Blob("image/png", b"\x89PNG"))]
    source = await Metered(played(deltas), book, PRICE, most_tokens=100).ask(QUESTION)
    for _ in deltas:
        await source.next()
    await source.close()

    assert 100_000.0 - book.left == 40 + 2 * (100 + PICTURE_TOKENS)


@pytest.mark.parametrize(
    "part",
    [
        Blob("image/png", b"\x89PNG"),
        Blob("audio/mpeg", bytes(100_000)),
        Blob("application/pdf", bytes(10_000)),
        Link("image/png", "https://example.org/a.png"),
        Link("application/pdf", "https://example.org/a.pdf"),
        Resource("file:///a", text="word " * 1000),
        Resource("file:///a", "application/pdf", data=bytes(10_000)),
        Thought("word " * 1000),
        Thought("", redacted="x" * 5000),
    ],
)
async def test_whatever_a_question_holds_counts_for_its_size(tmp_path: Path, part: Block) -> None:
    message = Message(ChatRole.USER, Contents((Text("See"), part)))
    paid = played()
    with pytest.raises(ContextTooLong):
        await Metered(paid, ledger(tmp_path), PRICE, most_tokens=1000).ask(ChatRequest(ModelContext((), (message,))))
    assert not paid.requests


async def test_the_form_of_an_answer_counts_for_the_size_of_a_question(tmp_path: Path) -> None:
    form = FuncTool("answer", "word " * 1000, {"type": "object"})
    with pytest.raises(ContextTooLong):
        await Metered(played(), ledger(tmp_path), PRICE, most_tokens=1000).ask(replace(QUESTION, answer_form=form))


@pytest.mark.parametrize(
    "extra",
    [
        {"max_tokens": 100_000, "max_completion_tokens": 9000, "max_output_tokens": 9000},
        {"options": {"num_predict": -1}},
        {"generationConfig": {"maxOutputTokens": 9000}},
        {"parameters": {"max_tokens": 9000}},
    ],
)
async def test_no_extra_field_raises_the_limit_of_a_call(tmp_path: Path, extra: dict[str, JsonValue]) -> None:
    paid = played([Finished(Finish.STOP)])
    params = ModelParams(extra_fields={**extra, "logit_bias": {"n": 1}})
    asked = replace(QUESTION, context=replace(QUESTION.context, params=params))
    await (await Metered(paid, ledger(tmp_path), PRICE, most_tokens=100).ask(asked)).close()

    (sent,) = paid.requests
    assert sent.context.params.max_tokens == 100 - tokens_of(sent) > 0
    assert "9000" not in str(sent)
    assert "100000" not in str(sent)
    assert "-1" not in str(sent)
    assert sent.context.params.extra_fields["logit_bias"] == {"n": 1}


async def test_a_lower_limit_among_the_extra_fields_is_kept(tmp_path: Path) -> None:
    paid = played([Finished(Finish.STOP)])
    asked = replace(QUESTION, context=replace(QUESTION.context, params=ModelParams(extra_fields={"max_tokens": 20})))
    await (await Metered(paid, ledger(tmp_path), PRICE, most_tokens=100).ask(asked)).close()
    assert paid.requests[0].context.params.max_tokens == 20


@pytest.mark.parametrize("params", [ModelParams(n=4), ModelParams(extra_fields={"n": 4})])
async def test_several_answers_share_what_one_call_may_have(tmp_path: Path, params: ModelParams) -> None:
    paid, book = played([]), ledger(tmp_path)
    asked = replace(QUESTION, context=replace(QUESTION.context, params=params))
    await Metered(paid, book, PRICE, most_tokens=100).ask(asked)

    each = (100 - tokens_of(QUESTION)) // 4
    (sent,) = paid.requests
    assert (sent.context.params.n, sent.context.params.max_tokens) == (4, each)
    assert 1000.0 - book.left == tokens_of(QUESTION) + 2 * 4 * each


@pytest.mark.parametrize("usage", [Usage(10**400, 5), Usage(-50, 5)])
async def test_no_count_of_a_provider_breaks_the_ledger(tmp_path: Path, usage: Usage) -> None:
    book = ledger(tmp_path)
    await read(
        await Metered(played([Counted(usage), Finished(Finish.STOP)]), book, PRICE, most_tokens=100).ask(QUESTION)
    )
    assert book.left in (0.0, 990.0 - tokens_of(QUESTION))


async def test_a_question_that_its_provider_did_not_count_is_paid_for(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    paid = played([Counted(Usage(0, 5)), Finished(Finish.STOP)])
    await read(await Metered(paid, book, PRICE, most_tokens=100).ask(QUESTION))
    assert 1000.0 - book.left == tokens_of(QUESTION) + 10.0


async def test_extra_fields_count_for_the_size_of_a_question(tmp_path: Path) -> None:
    params = ModelParams(extra_fields={"messages": [{"role": "user", "content": "word " * 1000}]})
    paid = played()
    asked = replace(QUESTION, context=replace(QUESTION.context, params=params))
    with pytest.raises(ContextTooLong):
        await Metered(paid, ledger(tmp_path), PRICE, most_tokens=1000).ask(asked)
    assert not paid.requests


async def test_an_extra_field_that_is_no_json_is_left_to_whoever_writes_the_request(tmp_path: Path) -> None:
    params = ModelParams(extra_fields={"temperature": float("nan")})
    paid = played(fault=Unsupported("it is no JSON"))
    asked = replace(QUESTION, context=replace(QUESTION.context, params=params))
    with pytest.raises(Unsupported):
        await Metered(paid, ledger(tmp_path), PRICE, most_tokens=100).ask(asked)


async def test_who_is_called_off_while_a_price_is_put_down_leaves_none_in_the_file(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    asking = asyncio.ensure_future(book.reserve("there", 10.0))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert json.loads((tmp_path / "spent.json").read_text()) == {"2026-11": {"there": 0.0}}


@pytest.mark.parametrize("cost", [float("nan"), -1.0, float("inf")])
async def test_what_is_no_cost_is_neither_put_down_nor_settled(tmp_path: Path, cost: float) -> None:
    book = ledger(tmp_path)
    with pytest.raises(OverBudget):
        await book.reserve("there", cost)
    await book.settle(await book.reserve("there", 10.0), cost)
    assert book.left == 990.0


async def test_months_of_a_clock_that_was_wrong_once_do_not_make_this_one_free(tmp_path: Path) -> None:
    months = {f"{2030 + number // 12}-{number % 12 + 1:02}": {"there": 1.0} for number in range(MONTHS_KEPT)}
    (tmp_path / "spent.json").write_text(json.dumps(months))
    book = ledger(tmp_path, budget=10.0)
    await book.reserve("there", 9.0)
    with pytest.raises(OverBudget):
        await book.reserve("there", 9.0)


async def test_two_ledgers_of_one_file_spend_one_budget(tmp_path: Path) -> None:
    one, other = ledger(tmp_path, budget=10.0), ledger(tmp_path, budget=10.0)
    await one.reserve("here", 6.0)
    assert other.left == 4.0
    await other.reserve("there", 3.0)
    assert json.loads((tmp_path / "spent.json").read_text()) == {"2026-11": {"here": 6.0, "there": 3.0}}
