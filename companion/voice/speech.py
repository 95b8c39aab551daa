"""Cuts a model's text into pieces a voice can say while the rest is still being written.

Every piece carries its caption as written, for the history, and its words as spoken, for the voice.
The captions of a route, put together, are what was written: what is never spoken (an address, a code
block) travels in the caption of the piece behind it, or, at the very end, in a silent piece of its own.
Only thinking, and blank space at the end, are dropped.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

from companion.settings.language import AUTO
from companion.stream import MessageChunk, PulledStream, Stream, StreamCtrl, Text
from companion.voice.say import guess, is_readable, prepare, verbalise
from companion.voice.say.cut import cut_at
from companion.voice.say.markup import Markup, Run

SILENCE = " "
"""What a silent piece says: nothing, and not "as written"."""
_LONGEST_SILENT = 4096
"""Characters that are never spoken and wait for the next piece; beyond, they leave as a silent piece."""
_MOST_ROUTES = 64


class SpeechCutter:
    """Transformer: text chunks of each route become pieces, ``Text(caption, language, spoken)``.

    Begins, ends and everything that is no text pass through in their order; only the end of a route's
    text flushes it. Text that already says how it is spoken passes as one piece. A source that breaks,
    and an end that carries an error, lose the sentence they were in the middle of.

    language: of text that does not say its own; empty guesses each piece by its script.
    """

    def __init__(self, language: str = "") -> None:
        self._language = "" if language == AUTO else language
        prepare(self._language)

    async def transform(self, source: Stream) -> PulledStream:
        """Return the stream of pieces. It holds no task: it reads as it is read."""
        desk = _Desk(self._language)

        async def pieces() -> AsyncGenerator[MessageChunk, None]:
            async for chunk in source:
                for piece in desk.take(chunk):
                    yield piece
            for piece in desk.flush():
                yield piece

        return PulledStream(pieces(), source)


class _Desk:
    """Where the texts of all routes of one stream are cut."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._texts: dict[str, _RouteText] = {}

    def take(self, chunk: MessageChunk) -> Iterator[MessageChunk]:
        if isinstance(chunk.part, Text):
            yield from self._take_text(chunk, chunk.part)
            return
        if chunk.is_end and chunk.part is None:
            yield from self._end(chunk)
        yield chunk

    def flush(self) -> Iterator[MessageChunk]:
        """What is left when the source has ended without ending its routes."""
        for route in list(self._texts):
            yield from self._texts.pop(route).finish()

    def _take_text(self, chunk: MessageChunk, text: Text) -> Iterator[MessageChunk]:
        if chunk.is_begin:
            yield replace(chunk, part=Text("", language=text.language), ctrl=_marks(chunk, begin=True))
        if text.text:
            yield from self._route(chunk).take(chunk, text)
            yield from self._forget_oldest()
        if chunk.is_end:
            yield from self._end(chunk)
            yield replace(chunk, part=Text("", language=text.language), ctrl=_marks(chunk, end=True))

    def _route(self, chunk: MessageChunk) -> _RouteText:
        return self._texts.setdefault(chunk.stream_id, _RouteText(self._language))

    def _forget_oldest(self) -> Iterator[MessageChunk]:
        """Routes that are begun and never ended do not pile up."""
        while len(self._texts) > _MOST_ROUTES:
            yield from self._texts.pop(next(iter(self._texts))).finish()

    def _end(self, chunk: MessageChunk) -> Iterator[MessageChunk]:
        text = self._texts.pop(chunk.stream_id, None)
        if text is not None and chunk.ctrl is not None and not chunk.ctrl.error:
            yield from text.finish()


class _RouteText:
    """The text of one route that has not yet been cut."""

    def __init__(self, language: str) -> None:
        self._default_language = language
        self._language = language
        self._markup = Markup()
        self._pending = _Pending()
        self._unsaid = ""
        self._is_first = True
        self._at_line_start = True
        self._last = MessageChunk()

    def take(self, chunk: MessageChunk, text: Text) -> Iterator[MessageChunk]:
        self._last = chunk
        self._language = text.language or self._default_language
        if text.spoken:
            yield from self._drain()
            yield self._chunk(replace(text, text=self._unsaid + text.text, language=self._language))
            self._unsaid, self._is_first = "", False
        else:
            self._pending.add(self._markup.feed(text.text))
            yield from self._cut()

    def finish(self) -> Iterator[MessageChunk]:
        """What is left, though no boundary ends it."""
        yield from self._drain()
        if self._unsaid.strip():
            yield self._silent()

    def _drain(self) -> Iterator[MessageChunk]:
        self._pending.add(self._markup.finish())
        self._markup = Markup()
        yield from self._cut()
        yield from self._piece(*self._pending.take(len(self._pending.said)))

    def _cut(self) -> Iterator[MessageChunk]:
        while at := cut_at(self._pending.said, is_first=self._is_first):
            yield from self._piece(*self._pending.take(at))
        if len(self._unsaid) + self._pending.unsaid_length > _LONGEST_SILENT:
            yield from self._piece(*self._pending.take(len(self._pending.said)))
            if self._unsaid:
                yield self._silent()

    def _piece(self, written: str, said: str) -> Iterator[MessageChunk]:
        language = self._language or guess(said)
        spoken = verbalise(said, language, line_start=self._at_line_start)
        self._at_line_start = said.rstrip(" \t").endswith(("\n", "\r")) if said.strip(" \t") else self._at_line_start
        caption = self._unsaid + written
        if is_readable(spoken):
            self._unsaid = ""
            self._is_first = False
            yield self._chunk(Text(caption, language=language, spoken=spoken))
        else:
            self._unsaid = caption

    def _silent(self) -> MessageChunk:
        caption, self._unsaid = self._unsaid, ""
        return self._chunk(Text(caption, language=self._language or guess(caption), spoken=SILENCE))

    def _chunk(self, piece: Text) -> MessageChunk:
        return replace(self._last, part=piece, ctrl=_marks(self._last))


class _Pending:
    """Runs in order, and what is said of them as one text to look for boundaries in."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self.said = ""
        self.unsaid_length = 0

    def add(self, runs: list[Run]) -> None:
        self._runs += runs
        self.said += "".join(run.said for run in runs)
        self.unsaid_length += sum(len(run.written) - len(run.said) for run in runs)

    def take(self, length: int) -> tuple[str, str]:
        """Take the runs that say the first ``length`` characters, and return what is (written, said).

        A cut inside the text of a link falls there in what is written, too; one inside other markup
        falls behind it.
        """
        written, said = "", ""
        while self._runs and (len(said) < length or (length == len(self.said))):
            run = self._runs.pop(0)
            over = len(said) + len(run.said) - length
            place = run.written.find(run.said) if over > 0 else -1
            if place >= 0:
                keep = len(run.said) - over
                self._runs.insert(0, Run(run.written[place + keep :], run.said[keep:]))
                run = Run(run.written[: place + keep], run.said[:keep])
            written += run.written
            said += run.said
        self.said = self.said[len(said) :]
        self.unsaid_length -= len(written) - len(said)
        return written, said


def _marks(chunk: MessageChunk, *, begin: bool = False, end: bool = False) -> StreamCtrl | None:
    if chunk.ctrl is None:
        return None
    return replace(chunk.ctrl, begin_of_stream=begin, end_of_stream=end)
