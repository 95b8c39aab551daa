"""The mind answers with what is there, and says what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.minds import a_mind, say

from companion.app.mind import matchers
from companion.app.paths import Paths
from companion.errors import SessionError, SetupError, StorageError
from companion.settings.schema import History


async def test_commands_need_no_model(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        assert mind.problems == {}
        assert await say(mind, "what is six times seven") == "That's 42."
        assert "models pull" in await say(mind, "tell me about the sea")


async def test_a_first_run_leaves_the_user_s_own_personality(paths: Paths) -> None:
    async with a_mind(paths):
        assert paths.personal.read_text().strip()


async def test_turns_are_kept_unless_the_user_does_not_want_it(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "what is six times seven")
        assert "six times seven" in (paths.sessions / "default.messages.ndjson").read_text()

        async with a_mind(paths, history=History(keep=False, session="other")) as private:
            await say(private, "what is six times seven")
            assert not (paths.sessions / "other.messages.ndjson").exists()


async def test_a_timer_is_still_there_after_a_restart(paths: Paths) -> None:
    async with a_mind(paths) as first:
        await say(first, "set a timer for ten minutes")
        async with a_mind(paths) as second:
            assert second.timers is not None
            assert second.timers.next_due() is not None


async def test_what_cannot_be_used_is_a_problem_not_an_end(paths: Paths) -> None:
    paths.personal.write_text("")
    paths.timers.write_text("nonsense\n")
    async with a_mind(paths, history=History(session="../out")) as mind:
        assert set(mind.problems) == {"personality", "history", "timers"}
        assert isinstance(mind.problems["history"], SessionError)
        assert all(problem.mend for problem in mind.problems.values())
        assert await say(mind, "what is six times seven") == "That's 42."


async def test_timers_that_may_not_be_read_are_not_written_over(paths: Paths) -> None:
    paths.timers.mkdir()
    async with a_mind(paths) as mind:
        assert mind.timers is None
        assert isinstance(mind.problems["timers"], StorageError)


def test_a_program_without_rules_is_broken(tmp_path: Path) -> None:
    with pytest.raises(SetupError):
        matchers(tmp_path)


def test_our_rules_know_english_and_chinese() -> None:
    from companion.app.paths import bundled

    assert set(matchers(bundled("assets") / "commands")) == {"en", "zh"}


async def test_what_the_model_reads_ahead_is_what_was_said_before(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        assert mind.agent.past().messages == ()
        await say(mind, "what is six times seven")
        ahead = mind.agent.past()
        assert [message.text for message in ahead.messages] == ["what is six times seven", "That's 42."]
        assert paths.personal.read_text().strip() in [prompt.text for prompt in ahead.prompts]


async def test_timers_that_cannot_be_read_are_not_promised(paths: Paths) -> None:
    paths.timers.mkdir()
    async with a_mind(paths) as mind:
        assert isinstance(mind.problems["timers"], StorageError)
        assert await say(mind, "Set a timer for five minutes.") == "Sorry, I can't get at your timers and reminders."
        assert await say(mind, "我有哪些提醒", "zh") == "抱歉，我现在读不到您的计时器和提醒。"
