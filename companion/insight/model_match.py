"""Understands what somebody says by asking a model which rules fit; hands on each match as soon as it is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from types import TracebackType

from companion.errors import CompanionError, EndOfStream
from companion.insight.answer_lines import AnswerLines
from companion.insight.rule import Rule, check_rules
from companion.insight.rule_prompt import rule_prompt
from companion.insight.understood import Match
from companion.model import Generator, ModelContext, SystemPrompt
from companion.stream import MessageChunk, Role, Status, Stream, Text


class ModelMatcher:
    """Rules, made ready for a model to read. Changes never, so it may be shared.

    Raises:
        RuleError: a rule cannot be used; the message names it.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = {rule.name: rule for rule in check_rules(rules)}
        self.prompt = rule_prompt(self._rules.values())
        """What a model is told behind the system texts of its context."""

    def match(self, generator: Generator, context: ModelContext, *, model: str = "") -> Matches:
        """The matches of the answer to ``context``. Nothing is asked before the first is wanted.

        generator, model: who is asked; see ``Generator.generate_stream``.
        """
        asked = replace(context, prompts=(*context.prompts, SystemPrompt("match", self.prompt)))
        return Matches(lambda: generator.generate_stream(asked, model=model), AnswerLines(self._rules))


class Matches:
    """The matches of one answer, as they come::

        async with matcher.match(generator, context) as matches:
            async for match in matches: ...

    Leaving the block ends the answer. An error of the answer is raised behind the matches that were whole before it;
    what it cut off is no match. A last line that a limit cut off is handed on as words.
    """

    def __init__(self, start: Callable[[], Awaitable[Stream]], lines: AnswerLines) -> None:
        self._start = start
        self._lines = lines
        self._stream: Stream | None = None
        self._ready: deque[Match] = deque()
        self._failure: CompanionError | None = None
        self._is_over = False

    def __aiter__(self) -> Matches:
        return self

    async def __anext__(self) -> Match:
        """The next match.

        Raises:
            ModelError: the model cannot be loaded, cannot carry the context, or its answer is none.
            StreamError: the answer was refused or broke.
        """
        while not self._ready and not self._is_over:
            await self._read()
        if self._ready:
            return self._ready.popleft()
        if self._failure is None:
            raise StopAsyncIteration
        failure, self._failure = self._failure, None
        raise failure

    async def _read(self) -> None:
        try:
            if self._stream is None:
                self._stream = await self._start()
            self._take(await self._stream.next())
        except EndOfStream:
            self._end()
            await self._release()
        except CompanionError as error:
            self._is_over, self._failure = True, error
            await self._release()
        except BaseException:
            await self.close()
            raise

    def _take(self, chunk: MessageChunk) -> None:
        if isinstance(chunk.part, Text) and chunk.role in (Role.MODEL, None):
            for match in self._lines.feed(chunk.part.text):
                self._ready.append(match)

    def _end(self) -> None:
        self._is_over = True
        state = self._stream.state if self._stream else None
        self._ready.extend(self._lines.rest(whole=state is None or state.status is not Status.TRUNCATED))

    async def _release(self) -> None:
        if self._stream is not None:
            await self._stream.close()

    async def close(self) -> None:
        """End the answer and forget what was not taken. Idempotent."""
        self._is_over = True
        self._ready.clear()
        self._failure = None
        await self._release()

    async def __aenter__(self) -> Matches:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
