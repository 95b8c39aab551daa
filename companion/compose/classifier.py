"""Chooses a route as a small model says, and by another strategy where it says nothing of use."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence

from companion.compose.router import RoundRobin, Route, Strategy
from companion.errors import ModelError, StreamError
from companion.model import (
    ChatBackend,
    ChatRequest,
    ChatRole,
    Message,
    ModelContext,
    ModelParams,
    SystemPrompt,
    Thinking,
)
from companion.model.gathered import gather

logger = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds the small model may take."""
MOST_CHARACTERS = 2000
"""Of what the user said, its end."""
_MOST_TOKENS = 24

_ORDER = """You choose who answers a question. These can:
{choices}
Reply with the name before the colon of the best one, and nothing else."""


class Smart:
    """Asks ``model``, in a conversation of its own, which route fits what the user said last.

    otherwise: chooses where the model does not answer in time, or with nothing that is a route.
    """

    def __init__(self, model: ChatBackend, *, otherwise: Strategy | None = None, patience: float = PATIENCE) -> None:
        self._model = model
        self._otherwise = otherwise or RoundRobin()
        self._patience = patience

    async def choose(self, request: ChatRequest, routes: Sequence[Route]) -> Route:
        said = _last_words(request)
        chosen = await self._asked(said, routes) if said else None
        return chosen or await self._otherwise.choose(request, routes)

    async def _asked(self, said: str, routes: Sequence[Route]) -> Route | None:
        try:
            async with asyncio.timeout(self._patience):
                answer = await self._answer(_question(said, routes))
        except (ModelError, StreamError, TimeoutError) as error:
            logger.info("%s could not choose a route: %s", self._model.name, type(error).__name__)
            return None
        found = route_in(answer, routes)
        if found is None:
            logger.info("%s chose no route", self._model.name)
        return found

    async def _answer(self, question: ChatRequest) -> str:
        source = await self._model.ask(question)
        try:
            return (await gather(source, silence=self._patience, trailing=0.0)).text
        finally:
            await source.close()


def route_in(answer: str, routes: Sequence[Route]) -> Route | None:
    """The route that ``answer`` names: it is its id, or the only one of which it holds the id as a word."""
    words = answer.strip().strip("\"'`*.: ").casefold()
    exact = [route for route in routes if route.id.casefold() == words]
    held = [route for route in routes if re.search(rf"(?<!\w){re.escape(route.id.casefold())}(?!\w)", words)]
    return next(iter(exact or (held if len(held) == 1 else [])), None)


def _question(said: str, routes: Sequence[Route]) -> ChatRequest:
    choices = "\n".join(f"{route.id}: {route.desc}" for route in routes)
    return ChatRequest(
        ModelContext(
            prompts=(SystemPrompt("choose", _ORDER.format(choices=choices)),),
            messages=(Message.of(ChatRole.USER, said),),
            params=ModelParams(max_tokens=_MOST_TOKENS, temperature=0.0, thinking=Thinking(enabled=False)),
        )
    )


def _last_words(request: ChatRequest) -> str:
    said = (one.text for one in reversed(request.context.messages) if one.role is ChatRole.USER and one.text)
    return next(said, "")[-MOST_CHARACTERS:]
