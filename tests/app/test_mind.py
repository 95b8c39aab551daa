"""The mind answers with what is there, and says what is not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.agent.answer import Said
from companion.app.mind import Mind, build_mind, matchers
from companion.app.paths import Paths
from companion.errors import SessionError, SetupError, StorageError
from companion.settings.schema import History, Settings


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    return paths


@asynccontextmanager
async def built(paths: Paths, settings: Settings | None = None) -> AsyncIterator[Mind]:
    mind = await build_mind(settings or Settings(), paths, None)
    try:
        yield mind
    finally:
        await mind.close()


async def answered(mind: Mind, text: str, language: str = "en") -> str:
    answer = await mind.agent.answer(Said(text, language))
    said = "".join([chunk.part.text async for chunk in answer.text if chunk.part is not None])  # type: ignore[union-attr]
    await mind.agent.commit(answer, said, whole=True)
    return said


async def test_commands_need_no_model(paths: Paths) -> None:
    async with built(paths) as mind:
        assert mind.problems == {}
        assert await answered(mind, "what is six times seven") == "That's 42."
        assert "models pull" in await answered(mind, "tell me about the sea")


async def test_a_first_run_leaves_the_user_s_own_personality(paths: Paths) -> None:
    async with built(paths):
        assert paths.personal.read_text().strip()


async def test_turns_are_kept_unless_the_user_does_not_want_it(paths: Paths) -> None:
    async with built(paths) as mind:
        await answered(mind, "what is six times seven")
        assert "six times seven" in (paths.sessions / "default.messages.ndjson").read_text()

        async with built(paths, Settings(history=History(keep=False, session="other"))) as private:
            await answered(private, "what is six times seven")
            assert not (paths.sessions / "other.messages.ndjson").exists()


async def test_a_timer_is_still_there_after_a_restart(paths: Paths) -> None:
    async with built(paths) as first:
        await answered(first, "set a timer for ten minutes")
        async with built(paths) as second:
            assert second.timers is not None
            assert second.timers.next_due() is not None


async def test_what_cannot_be_used_is_a_problem_not_an_end(paths: Paths) -> None:
    paths.personal.write_text("")
    paths.timers.write_text("nonsense\n")
    async with built(paths, Settings(history=History(session="../out"))) as mind:
        assert set(mind.problems) == {"personality", "history", "timers"}
        assert isinstance(mind.problems["history"], SessionError)
        assert all(problem.mend for problem in mind.problems.values())
        assert await answered(mind, "what is six times seven") == "That's 42."


async def test_timers_that_may_not_be_read_are_not_written_over(paths: Paths) -> None:
    paths.timers.mkdir()
    async with built(paths) as mind:
        assert mind.timers is None
        assert isinstance(mind.problems["timers"], StorageError)


def test_a_program_without_rules_is_broken(tmp_path: Path) -> None:
    with pytest.raises(SetupError):
        matchers(tmp_path)


def test_our_rules_know_english_and_chinese() -> None:
    from companion.app.paths import bundled

    assert set(matchers(bundled("assets") / "commands")) == {"en", "zh"}


async def test_what_the_model_reads_ahead_is_what_was_said_before(paths: Paths) -> None:
    async with built(paths) as mind:
        assert mind.agent.past().messages == ()
        await answered(mind, "what is six times seven")
        ahead = mind.agent.past()
        assert [message.text for message in ahead.messages] == ["what is six times seven", "That's 42."]
        assert paths.personal.read_text().strip() in [prompt.text for prompt in ahead.prompts]


async def test_timers_that_cannot_be_read_are_not_promised(paths: Paths) -> None:
    paths.timers.mkdir()
    async with built(paths) as mind:
        assert isinstance(mind.problems["timers"], StorageError)
        assert (
            await answered(mind, "Set a timer for five minutes.") == "Sorry, I can't get at your timers and reminders."
        )
        assert await answered(mind, "我有哪些提醒", "zh") == "抱歉，我现在读不到您的计时器和提醒。"
