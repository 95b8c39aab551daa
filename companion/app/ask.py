"""One typed question and its answer, by the running companion or, where none runs, by one put together for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from companion.agent.clock import local_clock
from companion.agent.plugin import SetVolume
from companion.app.answering import Answered, answered, typed
from companion.app.events import Problem, Telling
from companion.app.lock import Lock
from companion.app.mind import Mind, Thinker, build_mind
from companion.app.minding.furnish import let_others_in
from companion.app.minding.memory_room import MemoryRoom
from companion.app.models import ModelRoom
from companion.app.orders import LONGEST_TEXT, is_text
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.catalog.manifest import Kind
from companion.errors import BadInput, ModelMissing, StorageError
from companion.settings.schema import Settings
from companion.stream.threads import finish_in_thread

if TYPE_CHECKING:
    from companion.providers.local.llama_cpp import LlamaGenerator

YES = "yes"
NOBODY_WAITS = Problem(
    "question",
    "nobody waits for your answer, because no companion is running",
    "Start one by `companion` and ask again; `companion memory forget` asks by itself.",
)

NOBODY_RINGS = Problem(
    "timers",
    "no companion is running; it is told at its time if one runs then, else when one starts",
    "Run `companion`.",
)
NOBODY_SPEAKS = Problem(
    "volume",
    "no companion is running whose volume could be changed",
    "Change it for the next start: `companion settings set sound.volume 0.5`.",
)


def checked(text: str) -> str:
    """A question that can be asked.

    Raises:
        BadInput: it is empty, too long, or no text.
    """
    if not text.strip():
        raise BadInput("there is nothing to ask", mend='Give the question in quotes: companion ask "what time is it".')
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"the question is longer than {LONGEST_TEXT} characters", mend="Shorten it.")
    if not is_text(text):
        raise BadInput("the question is no UTF-8 text", mend="Type it in a terminal that is set to UTF-8.")
    return text.strip()


async def ask_here(
    settings: Settings,
    paths: Paths,
    text: str,
    *,
    telling: Telling,
    on_text: Callable[[str], None] = lambda piece: None,
) -> Answered:
    """Ask in this process, and keep the turn in the history.

    on_text: told each piece of the answer as it comes.

    Raises:
        AlreadyRunning: a companion owns the data folder; ask that one.
        CompanionError: the model failed, or a setting is wrong, or nobody can tell what providers have cost.
    """
    lock = Lock.take(paths.lock_file)
    try:
        room = ModelRoom.of(settings, paths, build_shelf(paths.shelf))
        local = _thinker(room)
        name = room.manifest(Kind.LANGUAGE_MODEL).name if local else settings.cloud.chat_model
        async with AsyncExitStack() as open_things:
            if local is not None:
                open_things.push_async_callback(local.close)
            thinker: Thinker | None = local
            if settings.cloud.is_wanted:
                from companion.app.cloud import Office

                office = Office.open(settings, paths, telling, clock=local_clock())
                open_things.push_async_callback(office.close)
                thinker = office.think(local)
            mind = await build_mind(settings, paths, thinker, model=name, telling=telling)
            open_things.push_async_callback(mind.close)
            for topic, problem in mind.problems.items():
                telling.tell(Problem(topic, str(problem), problem.mend))
            await _let_others_in(mind, settings, paths)
            if mind.around.memory is not None and thinker is not None:
                await _open(mind.around.memory)
            before = _set_in(mind)
            given = await answered(mind.agent, typed(text, settings), on_text, tell=telling.tell)
            for undone in _undone(mind, before, given):
                telling.tell(undone)
            return given
    finally:
        lock.release()


def _set_in(mind: Mind) -> set[int]:
    return set() if mind.timers is None else {timer.id for timer in mind.timers.pending}


def _undone(mind: Mind, before: set[int], given: Answered) -> Iterator[Problem]:
    """What only a companion that goes on running can do."""
    if mind.around.registry.is_command(YES):
        yield NOBODY_WAITS
    if _set_in(mind) - before:
        yield NOBODY_RINGS
    if any(isinstance(effect, SetVolume) for effect in given.effects):
        yield NOBODY_SPEAKS


async def _let_others_in(mind: Mind, settings: Settings, paths: Paths) -> None:
    """Load the user's plugins, where any is turned on; looking for them takes a moment."""
    if "plugins" in mind.problems or not settings.plugins.others:
        return
    choices = await finish_in_thread(mind.around.choices.load)
    if any(choice.enabled for choice in choices.values()):
        await let_others_in(mind.around.host, paths.plugins)


async def _open(memory: MemoryRoom) -> None:
    """A question is answered without memory where that cannot be opened; what wants it says so."""
    with contextlib.suppress(StorageError):
        await memory.opened()


def _thinker(room: ModelRoom) -> LlamaGenerator | None:
    try:
        return room.language_model()
    except ModelMissing:  # commands are answered all the same, and the agent says what is missing
        return None
