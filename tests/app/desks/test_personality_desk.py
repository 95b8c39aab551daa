"""A personality is chosen, written and tried out, and nothing of a try is kept."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.app.desks.personality_desk import PersonalityDesk
from companion.app.events import Telling
from companion.app.live import Live
from companion.app.minding.desks import Given
from companion.app.personality import LONGEST
from companion.errors import BadInput, ControlError, ModelMissing
from companion.model import Generator, ModelContext
from companion.providers.scripted import ScriptedGenerator
from companion.settings.schema import Settings
from companion.stream import Stream

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)


class Asked(ScriptedGenerator):
    """Answers, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(["I am calm."])
        self.contexts: list[ModelContext] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        return await super().generate_stream(context, model=model)


class Stuck(ScriptedGenerator):
    """Never answers."""

    def __init__(self) -> None:
        super().__init__([""])
        self.asked = asyncio.Event()

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


class Home:
    def __init__(self, folder: Path, generator: Generator | None = None) -> None:
        self.file = folder / "personal.md"
        self.followed = 0
        self.live = Live(Settings(), Telling())
        self.live.follow(self._follow)
        self.desk = PersonalityDesk(self.file, self.live, generator, lambda: NOW)

    async def _follow(self, before: Settings, now: Settings) -> None:
        self.followed += 1

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(given))))


async def test_all_are_listed_with_their_texts_the_user_s_own_first(tmp_path: Path) -> None:
    told = await Home(tmp_path).tend("list")
    names = [one["name"] for one in told["personalities"]]
    assert names[0] == "personal"
    assert {"default", "concise", "warm", "playful"} <= set(names)
    assert all(one["text"] for one in told["personalities"])
    assert (told["chosen"], told["can_preview"], told["problem"]) == ("personal", False, "")


async def test_a_text_that_is_written_holds_at_once_and_says_what_was_before(tmp_path: Path) -> None:
    home = Home(tmp_path)
    await home.tend("write", text="You are a pirate.")
    told = await home.tend("write", text="You are a gardener.")
    assert told["before"] == "You are a pirate."
    assert home.file.read_text() == "You are a gardener.\n"
    assert home.followed == 2
    assert told["personalities"][0]["text"] == "You are a gardener."


@pytest.mark.parametrize("text", ["", " \n", "x" * (LONGEST + 1), "\udcff"])
def test_a_text_that_cannot_be_used_changes_nothing(tmp_path: Path, text: str) -> None:
    home = Home(tmp_path)
    home.file.write_text("You are a pirate.")
    with pytest.raises(BadInput):
        asyncio.run(home.desk.perform("write", Given({"text": text})))
    assert home.file.read_text() == "You are a pirate."
    assert home.followed == 0


async def test_one_that_was_broken_by_hand_is_told_and_can_be_written_anew(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.file.write_bytes(b"caf\xe9")
    told = await home.tend("list")
    assert "UTF-8" in told["problem"]
    assert told["mend"]
    assert not (await home.tend("write", text="You are calm."))["problem"]


async def test_a_preview_answers_as_that_personality_would_and_is_not_kept(tmp_path: Path) -> None:
    generator = Asked()
    home = Home(tmp_path, generator)
    told = await home.tend("preview", text="You are a pirate.", question="Who are you?")
    assert told == {"question": "Who are you?", "text": "I am calm."}
    (context,) = generator.contexts
    assert "You are a pirate." in [prompt.text for prompt in context.prompts]
    assert [message.text for message in context.messages] == ["Who are you?"]
    assert not home.file.exists()
    await home.tend("preview", which="warm", question="Who are you?")
    assert any("good friend" in prompt.text for prompt in generator.contexts[1].prompts)
    await home.desk.close()


async def test_a_preview_that_was_stopped_says_so(tmp_path: Path) -> None:
    generator = Stuck()
    home = Home(tmp_path, generator)
    asked = asyncio.ensure_future(home.tend("preview", which="warm", question="Who are you?"))
    async with asyncio.timeout(10):
        await generator.asked.wait()
    await home.tend("stop")
    with pytest.raises(ControlError, match="stopped"):
        await asked
    await home.desk.close()


async def test_without_a_language_model_there_is_no_preview(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        await Home(tmp_path).tend("preview", which="warm", question="Who are you?")


@pytest.mark.parametrize("given", [{"which": "warm", "question": " "}, {"which": "../secrets", "question": "Who?"}])
async def test_what_cannot_be_tried_is_refused(tmp_path: Path, given: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        await Home(tmp_path, Asked()).tend("preview", **given)
