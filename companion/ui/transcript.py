"""The conversation as the window shows it, while it goes on: events in, the next transcript out. Pure; no Qt.

A spoken turn begins with words that may still change, becomes a question, is answered word by word, said piece by
piece, and ends with what was really heard. A typed one begins as a question. What the companion says by itself is a
row without a question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from companion.app.events import EngineEnded, EngineStarted, Shown, Typed, Unanswered
from companion.app.turn_log import TurnRecord, TurnRecorded
from companion.app.turn_notes import TurnNoted, Verdict
from companion.voice.events import (
    Asked,
    Exchanged,
    HeardText,
    Ignored,
    Speaking,
    Spoken,
    State,
    StateChanged,
    TakenBack,
    Trouble,
    Writing,
)

MOST = 500
"""Rows; the window keeps older ones by itself, as long as it wants."""
MOST_LOOKED_AT = 64
"""Rows from the end among which one that goes on is looked for."""
ANSWER, ANNOUNCEMENT, APOLOGY = "answer", "announcement", "apology"


class Stage(StrEnum):
    """How far a row is."""

    HEARING = "hearing"
    WAITING = "waiting"
    ANSWERING = "answering"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Row:
    """A question and its answer, or something the companion says by itself. Private.

    said_to: so many characters of the answer were said, or shown of one that is not spoken.
    turn: the agent's number, while it goes on. at: None while nobody knows. problem: why there is no whole answer.
    """

    asked: str = ""
    answer: str = ""
    said_to: int = 0
    stage: Stage = Stage.OVER
    spoken: bool = True
    interrupted: bool = False
    problem: str = ""
    turn: int = 0
    at: datetime | None = None
    record: TurnRecord | None = None
    verdict: Verdict = Verdict.NONE
    note: str = ""

    @property
    def is_news(self) -> bool:
        """Whether nobody has asked for it."""
        return not self.asked


@dataclass(frozen=True, slots=True)
class Transcript:
    """rows: oldest first. gone: how many were let go of before them. saying: what the voice says now.

    is_speaking: whether it does; what is recognised then may be its own words.
    """

    rows: tuple[Row, ...] = ()
    gone: int = 0
    saying: str = ANSWER
    is_speaking: bool = False


def follow(transcript: Transcript, event: object) -> Transcript:
    """The transcript after an event; the same one where nothing has changed."""
    match event:
        case HeardText() | Typed() | Asked() | TakenBack():
            return _asking(transcript, event)
        case Writing() | Speaking() | Spoken() | Exchanged():
            return _answering(transcript, event)
        case Trouble() | Unanswered() | Ignored():
            return _failing(transcript, event)
        case StateChanged(state, why):
            return _moved(transcript, state, why)
        case TurnRecorded(record):
            return _recorded(transcript, record)
        case TurnNoted(note):
            return _changed(
                transcript,
                lambda row: row.at == note.at,
                lambda row: replace(row, verdict=note.verdict, note=note.note),
            )
        case Shown(text):
            return _with(transcript, Row(answer=text, said_to=len(text), spoken=False))
        case EngineStarted() | EngineEnded():
            return _cut_off(transcript)
        case _:
            return transcript


# -- questions


def _asking(transcript: Transcript, event: object) -> Transcript:
    match event:
        case HeardText(text, _, final):
            if not text.strip():
                return _without_heard(transcript)
            if transcript.is_speaking and not final:
                return transcript
            stage = Stage.WAITING if final else Stage.HEARING
            if _find(transcript, _is_heard) is None:
                return _with(transcript, Row(text, stage=stage))
            return _changed(transcript, _is_heard, lambda row: replace(row, asked=text, stage=stage))
        case Typed(text):
            return _with(transcript, Row(text, stage=Stage.WAITING, spoken=False))
        case Asked():
            return _asked(transcript, event)
        case TakenBack(turn):

            def is_meant(row: Row) -> bool:
                return row.spoken and row.turn == turn and row.stage in (Stage.WAITING, Stage.ANSWERING)

            return _changed(transcript, is_meant, lambda row: Row(row.asked, stage=Stage.HEARING))
        case _:
            return transcript


def _asked(transcript: Transcript, event: Asked) -> Transcript:
    def waits(row: Row) -> bool:
        is_same = row.spoken if event.spoken else not row.spoken and row.asked == event.text
        return is_same and row.stage is Stage.WAITING and row.turn == 0

    if not event.text.strip():
        return transcript
    if _find(transcript, waits) is None:
        row = Row(event.text, stage=Stage.ANSWERING, spoken=event.spoken, turn=event.turn)
        return _with(transcript, row)
    return _changed(transcript, waits, lambda row: replace(row, stage=Stage.ANSWERING, turn=event.turn))


# -- answers


def _answering(transcript: Transcript, event: object) -> Transcript:
    match event:
        case Writing(turn, text):
            return _changed(transcript, _goes_on(turn), lambda row: _written(row, text))
        case Speaking(text):
            return _saying(transcript, text)
        case Spoken(text):
            return _said(transcript, text)
        case Exchanged():
            return _changed(transcript, _is_turn(event.turn), lambda row: _ended(row, event))
        case _:
            return transcript


def _written(row: Row, text: str) -> Row:
    answer = row.answer + text
    return replace(row, answer=answer, said_to=row.said_to if row.spoken else len(answer))


def _saying(transcript: Transcript, text: str) -> Transcript:
    if transcript.saying == APOLOGY:
        return transcript
    if transcript.saying == ANNOUNCEMENT:
        if _find(transcript, _is_announced) is None:
            return _with(transcript, Row(answer=text, said_to=len(text), stage=Stage.ANSWERING))
        return _changed(transcript, _is_announced, lambda row: _announced(row, row.answer + text))
    return _changed(transcript, _is_spoken, lambda row: replace(row, said_to=_behind(row.answer, text, row.said_to)))


def _said(transcript: Transcript, text: str) -> Transcript:
    if transcript.saying != ANNOUNCEMENT or not text.strip():
        return transcript
    if _find(transcript, _is_announced) is None:
        return _with(transcript, Row(answer=text, said_to=len(text)))
    return _changed(transcript, _is_announced, lambda row: replace(_announced(row, text), stage=Stage.OVER))


def _announced(row: Row, text: str) -> Row:
    return replace(row, answer=text, said_to=len(text))


def _ended(row: Row, over: Exchanged) -> Row:
    answer = over.written.strip() or over.heard
    said_to = len(answer) if over.whole else heard_to(answer, over.heard)
    return replace(row, asked=over.text, answer=answer, said_to=said_to, stage=Stage.OVER, interrupted=not over.whole)


def heard_to(written: str, heard: str) -> int:
    """Where in the written text ends what was heard of it; both have the same letters, but not the same spaces."""
    wanted = "".join(heard.split())
    matched = 0
    for place, letter in enumerate(written):
        if matched == len(wanted):
            return place
        if letter.isspace():
            continue
        if letter != wanted[matched]:
            return place
        matched += 1
    return len(written)


def _behind(answer: str, piece: str, start: int) -> int:
    """Where the piece ends that is said next; one that stands nowhere moves nothing."""
    piece = piece.strip()
    found = answer.find(piece, max(start - len(piece), 0)) if piece else -1
    return max(start, found + len(piece)) if found >= 0 else start


# -- what goes wrong, and ends


def _failing(transcript: Transcript, event: object) -> Transcript:
    match event:
        case Trouble(message):
            return _changed(transcript, _is_spoken_on, lambda row: _failed(row, message))
        case Unanswered(text, problem):

            def is_meant(row: Row) -> bool:
                return not row.spoken and row.asked == text and row.stage in (Stage.WAITING, Stage.ANSWERING)

            return _changed(transcript, is_meant, lambda row: replace(_failed(row, problem), stage=Stage.OVER))
        case Ignored():
            return _without_heard(transcript)
        case _:
            return transcript


def _failed(row: Row, problem: str) -> Row:
    return replace(row, problem=problem, stage=Stage.OVER if row.stage is Stage.WAITING else row.stage)


def _moved(transcript: Transcript, state: State, why: str) -> Transcript:
    speaks = state in (State.SPEAKING, State.DUCKED)
    saying = transcript.saying if state is State.DUCKED else why or ANSWER
    saying = saying if speaks else ANSWER
    if (saying, speaks) != (transcript.saying, transcript.is_speaking):
        transcript = replace(transcript, saying=saying, is_speaking=speaks)
    if state in (State.HEARING, State.DECIDING, State.THINKING, State.DUCKED):
        return transcript
    transcript = _without_heard(transcript)
    if state is State.SPEAKING:
        return transcript
    # It rests: a question that still waits was given up before anybody could answer.
    return _changed(transcript, _is_given_up, lambda row: replace(row, stage=Stage.OVER, interrupted=True))


def _without_heard(transcript: Transcript) -> Transcript:
    """What was heard and comes to nothing is not shown any longer."""
    if _find(transcript, _is_heard) is None:
        return transcript
    return replace(transcript, rows=tuple(row for row in transcript.rows if not _is_heard(row)))


def _cut_off(transcript: Transcript) -> Transcript:
    """No turn goes on when its engine has ended, and the next one counts anew."""
    transcript = _without_heard(transcript)
    if all(row.stage is Stage.OVER and not row.turn for row in transcript.rows[-MOST_LOOKED_AT:]):
        return transcript
    rows = tuple(
        row if row.stage is Stage.OVER and not row.turn else replace(row, stage=Stage.OVER, turn=0)
        for row in transcript.rows
    )
    return replace(transcript, rows=rows)


def _recorded(transcript: Transcript, record: TurnRecord) -> Transcript:
    def is_meant(row: Row) -> bool:
        if row.record is not None:
            return row.record.at == record.at
        is_same = row.turn == record.turn if record.turn else row.asked == record.asked
        return is_same and bool(row.asked) and row.stage is Stage.OVER

    problem = record.problems[0] if record.problems and not record.written else ""
    return _changed(
        transcript,
        is_meant,
        lambda row: replace(row, record=record, at=record.at, problem=row.problem or problem),
    )


# -- rows


def _is_heard(row: Row) -> bool:
    return row.spoken and row.stage is Stage.HEARING


def _is_given_up(row: Row) -> bool:
    return row.spoken and row.stage is Stage.WAITING


def _is_spoken(row: Row) -> bool:
    return row.spoken and row.stage is Stage.ANSWERING and not row.is_news


def _is_spoken_on(row: Row) -> bool:
    return row.spoken and row.stage in (Stage.WAITING, Stage.ANSWERING) and not row.is_news


def _is_announced(row: Row) -> bool:
    return row.is_news and row.stage is Stage.ANSWERING


def _goes_on(turn: int) -> Callable[[Row], bool]:
    return lambda row: row.turn == turn and row.stage is Stage.ANSWERING and not row.is_news


def _is_turn(turn: int) -> Callable[[Row], bool]:
    return lambda row: row.turn == turn and row.record is None and not row.is_news


def _find(transcript: Transcript, fits: Callable[[Row], bool]) -> int | None:
    """Where the newest row stands that fits."""
    rows = transcript.rows
    for place in range(len(rows) - 1, max(len(rows) - MOST_LOOKED_AT, 0) - 1, -1):
        if fits(rows[place]):
            return place
    return None


def _changed(transcript: Transcript, fits: Callable[[Row], bool], change: Callable[[Row], Row]) -> Transcript:
    """With the newest row that fits made another."""
    place = _find(transcript, fits)
    if place is None:
        return transcript
    rows = transcript.rows
    return replace(transcript, rows=(*rows[:place], change(rows[place]), *rows[place + 1 :]))


def _with(transcript: Transcript, row: Row) -> Transcript:
    rows = (*transcript.rows, row)
    over = max(len(rows) - MOST, 0)
    return replace(transcript, rows=rows[over:], gone=transcript.gone + over)
