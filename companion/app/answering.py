"""A typed question and its whole answer, kept in the history like a spoken one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.agent.answer import Answer, Answerer, Said
from companion.agent.plugin import Effect
from companion.app.events import Problem
from companion.errors import SessionError
from companion.settings.language import or_english
from companion.settings.schema import Settings
from companion.stream import Text
from companion.voice.events import Asked, Exchanged, Writing
from companion.voice.say import language_of

UNKEPT = "history"
"""The topic of a conversation that could not be kept."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that was given."""

    text: str
    source: str
    """As ``agent.answer.Answer.source``."""
    effects: tuple[Effect, ...] = ()
    """What is to be done besides, by whoever has a voice."""


def typed(text: str, settings: Settings) -> Said:
    """A typed question, in the language of the settings unless its script is another's."""
    return Said(text, language_of(text, or_english(settings.general.language)), spoken=False)


async def answered(
    agent: Answerer,
    said: Said,
    on_text: Callable[[str], None] = lambda piece: None,
    *,
    tell: Callable[[object], None] = lambda event: None,
) -> Answered:
    """The whole answer, kept in the history; what came before a failure is kept as what was read.

    An answer that cannot be kept, as on a full disk, is given all the same, and that is told.

    tell: told of the turn as the voice loop tells of a spoken one.
    """
    answer = await agent.answer(said)
    answer.confirm()
    tell(Asked(answer.turn, said.text, said.language, spoken=False))
    pieces: list[str] = []
    whole = False
    try:
        async for chunk in answer.text:
            if isinstance(chunk.part, Text) and chunk.part.text:
                pieces.append(chunk.part.text)
                on_text(chunk.part.text)
                tell(Writing(answer.turn, chunk.part.text))
        whole = True
    finally:
        text = "".join(pieces).strip()
        tell(Exchanged(answer.turn, said.text, answer.language, answer.source, text, text, whole, spoken=False))
        unkept = await _keep(agent, answer, "".join(pieces), whole=whole)
        if unkept is not None:
            tell(Problem(UNKEPT, f"the conversation could not be kept: {unkept}", unkept.mend))
    return Answered("".join(pieces).strip(), answer.source, answer.effects)


async def _keep(agent: Answerer, answer: Answer, text: str, *, whole: bool) -> SessionError | None:
    """Why it could not be kept; None where it was."""
    await answer.text.close()
    try:
        await agent.commit(answer, text, whole=whole)
    except SessionError as error:
        return error
    return None
