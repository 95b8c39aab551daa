"""The desk of the personality: which there are, the user's own text, and how each would answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion.agent.answer import Said
from companion.agent.prompt import PromptBuilder
from companion.app.live import Live
from companion.app.minding.desks import Given, Row
from companion.app.orders import is_text
from companion.app.personality import LONGEST, PERSONAL, personalities, text_of, write_personal
from companion.compose.session import MemorySession
from companion.errors import BadInput, CompanionError, ControlError, ModelMissing, one_line
from companion.model import Generator
from companion.settings.language import or_english
from companion.stream import Text
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

LONGEST_QUESTION = 500
"""Characters."""
PREVIEW_SECONDS = 60.0
CHARACTERS_PER_TOKEN = 3


class PersonalityDesk:
    """Implements ``Desk``.

    file: the user's own text. generator: answers in a preview; None where there is no language model.
    """

    actions = ("list", "write", "preview", "stop")

    def __init__(self, file: Path, live: Live, generator: Generator | None, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._live = live
        self._generator = generator
        self._clock = clock
        self._tasks = Tasks()
        self._preview: asyncio.Task[None] | None = None

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``write`` the user's own ``text``, which answers with the one ``before``; ``preview`` of how a
        personality (``which``, or a ``text`` that is not kept) would answer a ``question``; ``stop`` that.
        """
        match action:
            case "write":
                return await self._write(given.text("text"))
            case "preview":
                return await self._previewed(given)
            case "stop":
                await self._stop()
                return {}
            case _:
                return await finish_in_thread(self._list)

    async def close(self) -> None:
        """End a preview."""
        await self._tasks.close()

    def _list(self) -> Row:
        problem, mend, own = "", "", ""
        try:
            own = text_of(self._file, PERSONAL)
        except CompanionError as fault:
            problem, mend = str(fault), fault.mend
        texts = {PERSONAL: own} | {name: text_of(self._file, name) for name in personalities()[1:]}
        return {
            "personalities": [{"name": name, "text": text} for name, text in texts.items()],
            "chosen": self._live.settings.personality.which,
            "file": str(self._file),
            "longest": LONGEST,
            "can_preview": self._generator is not None,
            "problem": problem,
            "mend": mend,
        }

    async def _write(self, text: str) -> Row:
        if not is_text(text):
            raise BadInput("the text holds broken characters", mend="Write it anew.")

        def keep() -> str:
            before = ""
            with suppress(CompanionError):  # one that cannot be used is replaced
                before = text_of(self._file, PERSONAL)
            write_personal(self._file, text)
            return before

        before = await finish_in_thread(keep)
        await self._live.again()
        return await finish_in_thread(self._list) | {"before": before}

    async def _previewed(self, given: Given) -> Row:
        question = given.text("question").strip()
        if not question or len(question) > LONGEST_QUESTION:
            raise BadInput("the question is empty or too long", mend=f"Up to {LONGEST_QUESTION} characters.")
        text = given.text("text", "") or await finish_in_thread(lambda: text_of(self._file, given.text("which")))
        generator = self._generator
        if generator is None:
            raise ModelMissing(
                "there is no language model that could answer", mend="Get one on the page of the models."
            )
        await self._stop()
        said: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def answer() -> None:
            try:
                async with asyncio.timeout(PREVIEW_SECONDS):
                    _settle(said, await self._answer(generator, text, question))
            except CompanionError as fault:
                _settle(said, fault)
            except TimeoutError:
                _settle(said, ControlError("the answer takes too long", mend="Try a smaller language model."))
            except Exception as error:
                logger.exception("a preview failed")
                _settle(said, ControlError(f"something went wrong inside ({one_line(error)})", mend="See the log."))
            finally:
                _settle(said, ControlError("it was stopped", mend="Try again."))

        self._preview = self._tasks.start(answer(), name="preview of a personality")
        row: Row = {"question": question, "text": await said}
        # The conversation was put out of the model's mind for the preview.
        await self._live.again()
        return row

    async def _answer(self, generator: Generator, personality: str, question: str) -> str:
        settings = self._live.settings
        prompts = PromptBuilder(MemorySession(), personality, settings, _rough_count)
        asked = Said(question, or_english(settings.general.language))
        stream = await generator.generate_stream(prompts.context(asked, self._clock()).context)
        try:
            return "".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)]).strip()
        finally:
            await stream.close()

    async def _stop(self) -> None:
        preview, self._preview = self._preview, None
        if preview is not None and not preview.done():
            preview.cancel()
            await asyncio.wait([preview])


def _settle(said: asyncio.Future[str], outcome: str | Exception) -> None:
    if said.done():
        return
    if isinstance(outcome, str):
        said.set_result(outcome)
    else:
        said.set_exception(outcome)


def _rough_count(text: str) -> int:
    return len(text) // CHARACTERS_PER_TOKEN + 1
