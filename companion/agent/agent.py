"""Answers turns: by a talent when a rule understands the sentence, else by the language model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from companion.agent.actions import Acting, Surroundings, freely
from companion.agent.answer import Answer, Said
from companion.agent.commands import FAILED, Commands, acted_in, in_language, told_in
from companion.agent.output import SCREEN, VOICE, Receipt
from companion.agent.pipeline import Asking, Limits, Pipeline
from companion.agent.plugin import Foresight, Talent
from companion.agent.prompt import PromptBuilder
from companion.agent.registry import Registry
from companion.agent.remembering import Afterwords, TurnMemory
from companion.agent.reply import at_once, reply_at_once
from companion.agent.safety import Consent, NobodyToAsk
from companion.agent.scheduler import Input, Run, Scheduler
from companion.agent.stages import About, Origin
from companion.agent.teachings import Taught
from companion.agent.turns import Details, Ending, Turn, Turns
from companion.compose.entry import Entry
from companion.compose.session import Session
from companion.insight.match import Matcher
from companion.model import ChatRole, Generator, Message, ModelContext
from companion.model.prompt import Prompt
from companion.settings.schema import Settings
from companion.stream import Stream, Text, Transformer, stream_of
from companion.stream.tasks import Tasks

CLOSE_SECONDS = 5.0
"""How long what follows a turn may still take when the companion ends."""
NO_MODEL = "notice:no-model"
"""Source of the answer given in place of a model's: see ``Answer.source``."""
UNKNOWN = ("unknown",)
"""Marks what nobody can tell any more whose words it may hold."""
ENDS = " ?？.。!！"
MODEL = "model:"
STAGE = "stage:"

_NO_MODEL = (
    "I can't chat yet, because there is no language model here. "
    "Run companion models pull on this computer, then start me again.",
    "我还不能聊天，因为这里没有语言模型。请在这台电脑上运行 companion models pull，然后重新启动我。",
)


class Agent:
    """Implements ``agent.answer.Answerer``. Every turn goes through the pipeline: talents first, then the model.

    matchers: the rules by language ("en", "zh"); a sentence is tried against its own language first.
    generator: None where no language model is there; commands work all the same.
    model: its name, for ``Answer.source``.
    count_tokens: tokens of a text, by the model's tokeniser.
    clock: the local time, with its zone.
    registry: what plugins have brought; None for nothing but ``talents``.
    memory: None where nothing is remembered. consent: asks the user; nobody says yes without.
    cut: makes the pieces in which a reply passes its stages: the speech cutter.
    afterwords: knows what the program says behind a reply.
    may_run: whether tasks of the self may run now. teaches: whether the model is one that talents can teach.

    Raises:
        PluginError: two talents answer the same command.
    """

    def __init__(
        self,
        *,
        matchers: Mapping[str, Matcher],
        talents: Sequence[Talent],
        generator: Generator | None,
        session: Session,
        personality: str,
        settings: Settings,
        clock: Callable[[], datetime],
        count_tokens: Callable[[str], int],
        model: str = "local",
        registry: Registry | None = None,
        memory: TurnMemory | None = None,
        consent: Consent | None = None,
        cut: Transformer | None = None,
        afterwords: Afterwords | None = None,
        limits: Limits | None = None,
        may_run: Callable[[], bool] = lambda: True,
        teaches: bool = True,
    ) -> None:
        self._model = model
        self._teaches = teaches
        self._generator = generator
        self._session = session
        self._clock = clock
        self._prompts = PromptBuilder(session, personality, settings, count_tokens)
        self.registry = registry or Registry()
        for talent in talents:
            self.registry.add_talent(talent)
        self.scheduler = Scheduler(self.perform, may_run=may_run)
        self._turns = Turns(self.registry.bus, self._turn_begins, self._turn_ends)
        around = Surroundings(self.registry.handlers, self.registry.bus, consent or NobodyToAsk(), cut, afterwords)
        self._pipeline = Pipeline(around, self._turns, tools=lambda: self.registry.tools, memory=memory, limits=limits)
        self._tasks = Tasks()
        self._newest: asyncio.Task[None] | None = None
        """What follows the newest turn; it waits for what follows the one before."""
        self._commands = Commands(matchers, self.registry, has_model=generator is not None)
        self.registry.handlers.add(self._commands.handler())

    @property
    def last_turn(self) -> Details | None:
        """What is to be known of the turn that has ended last."""
        return self._turns.last

    def is_command(self, said: Said) -> bool:
        """Whether a rule understands all of it, and a talent answers that rule."""
        return self.registry.is_command(said.text) or self._commands.understood(said) is not None

    def may_go_on(self, said: Said) -> bool:
        """Whether it is a command that more words may belong to ("remind me at six to call ..."), so that a short
        silence does not end it."""
        understood = self._commands.understood(said)
        return understood is not None and understood[0].open_ended

    async def answer(self, said: Said) -> Answer:
        """Begin an answer; see Answerer.

        Raises:
            ModelError: the model cannot be loaded or cannot carry the conversation.
        """
        channel = said.channel or (VOICE if said.spoken else SCREEN)
        about = About(
            self._turns.next_number(), channel, said.language, self._clock(), Origin.USER, said.spoken, said.text
        )
        turn = self._turns.begin(Turn(about, said.text))
        try:
            return await self._answer(turn, said)
        except BaseException as error:
            self._give_up(turn, error)
            raise

    async def commit(self, answer: Answer, heard: str, *, whole: bool) -> None:
        """Write a turn to the history; see Answerer.

        Orders to the loudspeaker ("louder", "stop", "say that again"), the notice that there is no model, what a
        handler answered and what was forgotten are not part of the conversation. A reply nobody heard leaves the
        question only.

        Raises:
            SessionError: the turn could not be kept.
        """
        turn = self._turns.of(answer.turn)
        if turn is not None:
            self._turns.reported(turn)
            turn.confirm()
            _note_afterword(turn, heard.strip())
        try:
            if not (answer.effects or answer.source == NO_MODEL or answer.source.startswith(STAGE) or _passes(turn)):
                await self._session.add(*self._entries(answer, turn, heard.strip(), whole=whole))
        finally:
            if turn is not None:
                await self._follow_up(turn, heard.strip(), is_model=answer.source.startswith(MODEL))

    def adopt(self, personality: str, settings: Settings) -> None:
        """Be somebody else, or go by other settings, from the next turn on."""
        self._prompts.adopt(personality, settings)

    async def perform(self, given: Input, run: Run) -> None:
        """Answer an input that came by the scheduler, and send the answer on its channel; one of the self's own stays
        inside, or is part of the conversation.

        Raises:
            ModelError, StreamError: the model failed.
            SessionError: what was said could not be kept.
        """
        about = About(
            self._turns.next_number(),
            given.channel,
            given.language,
            self._clock(),
            given.origin,
            spoken=False,
            words=given.text,
        )
        may = given.may if given.origin is Origin.SELF else frozenset()
        turn = self._turns.begin(Turn(about, given.text, may=may))
        if given.origin is not Origin.USER:
            turn.taint.add(given.read, given.source)
        turn.confirm()
        try:
            said = Said(given.text, given.language, spoken=False, channel=given.channel)
            answer = await self._answer(turn, said, run.acting)
            text = await _read(answer.text)
            heard = await self._give_out(given, turn, text, run)
            self._turns.reported(turn)
            await self._pipeline.finish(turn, heard, goes_into_context=answer.source.startswith(MODEL))
            if heard and given.is_said_to_user:
                reply = Message.of(ChatRole.ASSISTANT, heard, language=given.language)
                await self._session.add(Entry(reply, self._clock(), quotes=turn.taint.marks))
        except BaseException as error:
            self._give_up(turn, error)
            raise

    def past(self) -> ModelContext:
        """What the model will be given before the next question, for reading it ahead."""
        context = self._prompts.context(Said("", "en"), self._clock(), tools=tuple(self._pipeline.tools)).context
        return replace(context, messages=context.messages[:-1], closing="")

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        """Sentences worth synthesising beforehand."""
        replies = [reply for talent in self.registry.own_talents for reply in talent.frequent_replies(language)]
        return tuple(dict.fromkeys([*replies, in_language(language, FAILED)]))

    def likely_replies(self, language: str) -> tuple[str, ...]:
        """Sentences it would say if it were asked now."""
        now = self._clock()
        seers = [talent for talent in self.registry.own_talents if isinstance(talent, Foresight)]
        return tuple(reply for talent in seers for reply in talent.likely_replies(language, now))

    async def settle(self) -> None:
        """Return when what follows the turns so far is done, and everybody has been told."""
        if self._newest is not None:
            await asyncio.wait([self._newest])
        await self.registry.bus.settle()

    async def close(self) -> None:
        """End what is under way; what was heard has been written, and what follows has a little time."""
        await self.scheduler.close()
        if self._newest is not None:
            await asyncio.wait([self._newest], timeout=CLOSE_SECONDS)
        await self._tasks.close()
        self._turns.close()
        await self.registry.bus.close()

    # -- one turn

    async def _answer(self, turn: Turn, said: Said, acting: Acting = freely) -> Answer:
        await self._pipeline.take(turn)
        if turn.response is not None:
            return self._given(turn, said)
        if self._generator is None:
            language = told_in(said.language)
            text = reply_at_once(turn, in_language(language, _NO_MODEL), language, self._turns.closed)
            return Answer(said, text, language, NO_MODEL, turn=turn.number, confirm=turn.confirm)
        remembered = await self._pipeline.recall(turn)
        asked = replace(said, text=turn.message)
        tools = tuple(self._pipeline.tools)
        taught = await self.registry.taught(Prompt.of(asked.text)) if self._teaches else Taught()
        prompted = self._prompts.context(asked, turn.about.now, remembered=remembered, tools=tools, taught=taught)
        turn.taint.quote((*prompted.quotes, *taught.marks))
        asking = Asking(prompted.context, self._generator, taught.teachings, in_language(said.language, FAILED))
        stream = await self._pipeline.think(turn, asking, acting=acting)
        if stream is None:
            return self._given(turn, said)
        source = f"{MODEL}{self._model}"
        return Answer(said, stream, said.language, source, turn=turn.number, confirm=turn.confirm)

    def _given(self, turn: Turn, said: Said) -> Answer:
        """The answer that a handler has set."""
        turn.confirm()
        acted = acted_in(turn)
        if acted is not None:
            turn.taint.quote(acted.quotes)
            text = reply_at_once(turn, acted.reply.text, acted.language, self._turns.closed)
            effects, follow_up = acted.reply.effects, acted.reply.follow_up
            source = f"rule:{acted.rule}"
            return Answer(said, text, acted.language, source, effects, follow_up, turn.number, turn.confirm)
        text = reply_at_once(turn, turn.response or "", said.language, self._turns.closed)
        source = f"{STAGE}{turn.answered_by}"
        return Answer(said, text, said.language, source, turn=turn.number, confirm=turn.confirm)

    def _entries(self, answer: Answer, turn: Turn | None, heard: str, *, whole: bool) -> list[Entry]:
        now, said = self._clock(), answer.said
        words = turn.message if turn is not None else said.text
        # What has ended before it was reported may have read anything.
        marks = turn.taint.marks if turn is not None else UNKNOWN
        by_others = marks if words != said.text else ()
        name = turn.about.now.isoformat() if turn is not None else ""
        entries = [Entry.of(ChatRole.USER, words, language=said.language, at=now, quotes=by_others, turn=name)]
        if heard:
            reply = Message.of(ChatRole.ASSISTANT, heard, language=answer.language)
            entries.append(Entry(reply, now, not whole, marks))
        return entries

    async def _follow_up(self, turn: Turn, heard: str, *, is_model: bool) -> None:
        """What nobody waits for goes on beside the conversation, one turn after the other."""
        if not self._pipeline.has_more_to_do(is_model=is_model):
            await self._pipeline.finish(turn, heard, goes_into_context=is_model)
            return
        before = self._newest

        async def finish() -> None:
            try:
                if before is not None:
                    await asyncio.wait([before])
                await self._pipeline.finish(turn, heard, goes_into_context=is_model)
            finally:
                self._turns.end(turn, Ending.DROPPED)

        self._newest = self._tasks.start(finish(), name=f"behind turn {turn.number}")

    async def _give_out(self, given: Input, turn: Turn, text: str, run: Run) -> str:
        """What of the answer was given out."""
        if given.stays_inside:
            given.on_answer(text)
            return text
        if not text:
            return ""
        async with run.acting():
            receipt = await self.registry.outputs.send(given.channel, text, language=given.language, turn=turn.number)
        return text if receipt is Receipt.SENT else ""

    def _give_up(self, turn: Turn, error: BaseException) -> None:
        turn.failure = error
        self._turns.end(turn, Ending.FAILED if isinstance(error, Exception) else Ending.DROPPED)

    def _turn_begins(self, turn: Turn) -> None:
        if turn.about.origin is Origin.USER:
            self.scheduler.user_begins()

    def _turn_ends(self, turn: Turn) -> None:
        if turn.about.origin is Origin.USER:
            self.scheduler.user_ends()


def said_at_once(text: str, language: str) -> Stream:
    """A stream of one sentence, or of nothing where ``text`` is empty."""
    return stream_of(at_once(text, language))


def _note_afterword(turn: Turn, heard: str) -> None:
    """What was said behind a reply has asked something, if it was heard to its end."""
    if turn.afterword is not None and heard.rstrip(ENDS).endswith(turn.afterword.words.rstrip(ENDS)):
        turn.afterword.asked()


def _passes(turn: Turn | None) -> bool:
    """Whether a talent has said that the turn is not to be kept."""
    acted = acted_in(turn) if turn is not None else None
    return acted is not None and not acted.reply.is_kept


async def _read(text: Stream) -> str:
    """All its words; it is closed behind them."""
    try:
        return "".join([chunk.part.text async for chunk in text if isinstance(chunk.part, Text)]).strip()
    finally:
        await text.close()
