"""Scenes of the talk page: empty, in full conversation, hearing, speaking, interrupted, with details, and searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from companion.agent.stages import Recalled
from companion.app.events import WentOut
from companion.app.turn_log import TurnRecord
from companion.app.turn_notes import Verdict
from companion.ui.pages.talk.page import TalkPage
from companion.ui.scenes.scene import AWAKE, SMALL_SIZE, page_scene
from companion.ui.state import UiState
from companion.ui.transcript import Row, Stage, Transcript
from companion.ui.window import Window
from companion.voice.events import State

NOON = datetime(2026, 3, 1, 12, 4, tzinfo=UTC)
TIMES = (("wait", 0.42), ("recogniser", 0.2), ("first_token", 0.11), ("first_sound", 0.19))
BIRTHDAY = "Emma's birthday is on 12 June. That is a Friday this year, and you wanted to bake her a cake with plums."
STORY = (
    "Mount Everest is the highest mountain on land: 8,849 metres. It grows by about four millimetres a year, because "
    "the plates below it still push against each other. The first people known to have stood on top of it were there "
    "in May 1953."
)


def _row(number: int, asked: str, answer: str, **more: object) -> Row:
    at = NOON + timedelta(minutes=number)
    record = TurnRecord(at, number, asked, spoken=True, source="rule:clock.time", seconds=TIMES, total=0.72)
    row = Row(asked, answer, len(answer), at=at, record=record)
    return replace(row, **more)  # type: ignore[arg-type]


def _recalled(row: Row) -> Row:
    assert row.record is not None
    fact, turn = "fact, said by user", "turn, said by user"
    memories = (
        Recalled(f'(2026-01-03, {fact}) "Emma has birthday 12 June"', fact, 0.9, "asked for birthday of Emma"),
        Recalled(f'(2026-02-20, {turn}) "I want to bake Emma a cake"', turn, 0.8, "near the words bake, Emma"),
    )
    out = WentOut("Groq", "api.groq.com", 2048, ("text",))
    served = (("language model", "Groq"),)
    record = replace(row.record, source="model:llama", recalled=memories, left=(out,), served=served)
    return replace(row, record=record)


TIME = _row(1, "What time is it?", "It is four minutes past twelve.")
TIMER = _row(2, "Set a timer for the eggs, seven minutes.", "Seven minutes for the eggs, starting now.")
EMMA = _recalled(_row(3, "When is Emma's birthday, and what did I want to bake?", BIRTHDAY))
NEWS = Row(answer="The seven minutes for the eggs are over.", said_to=40, at=NOON + timedelta(minutes=9))
EVEREST = _row(10, "How high is Mount Everest?", STORY, stage=Stage.ANSWERING, said_to=61)
WRONG = replace(TIMER, verdict=Verdict.WRONG, note="It was eight minutes")
FAILED = _row(
    4,
    "And what about tomorrow?",
    "",
    problem="I could not think of an answer. The model ended unexpectedly.",
    record=None,
)
CHINESE = _row(5, "明天早上七点叫我起床。", "好的，明天早上七点叫你起床。")


def _state(*rows: Row, **more: object) -> UiState:
    return replace(AWAKE, transcript=Transcript(rows), **more)  # type: ignore[arg-type]


def _details(place: int) -> Callable[[Window], object]:
    def open_it(window: Window) -> None:
        page = window.page
        assert isinstance(page, TalkPage)
        page.show_details(page.model.row(place))

    return open_it


def _search(words: str) -> Callable[[Window], object]:
    def look(window: Window) -> None:
        page = window.page
        assert isinstance(page, TalkPage)
        page.search.setText(words)
        page.look_for(words)

    return look


def _choose(window: Window) -> None:
    page = window.page
    assert isinstance(page, TalkPage)
    page.view.setFocus()
    page.view.setCurrentIndex(page.model.index(2, 0))


PAST = [
    {"at": (NOON - timedelta(days=number)).isoformat(), "asked": asked, "said": said, "verdict": verdict}
    for number, (asked, said, verdict) in enumerate(
        [
            ("What did I say about plums?", "You wanted to bake a cake with plums.", "good"),
            ("Buy plums, remind me at six.", "I'll remind you at six.", ""),
        ]
    )
]
FOUND = {"talk.search": {"turns": PAST, "more": False}, "talk.older": {"turns": [], "before": 0}}
INTERRUPTED = replace(EVEREST, stage=Stage.OVER, interrupted=True)
TEN_PAST = NOON + timedelta(minutes=10)

SCENES = (
    page_scene("talk", "empty"),
    page_scene("talk", "conversation", state=_state(TIME, WRONG, EMMA, NEWS, CHINESE), then=_choose),
    page_scene(
        "talk",
        "hearing",
        state=_state(
            TIME, EMMA, Row("and how high is the mountain", stage=Stage.HEARING), phase=State.HEARING, level=-24.0
        ),
    ),
    page_scene(
        "talk", "thinking", state=_state(TIME, Row("How high is it?", stage=Stage.WAITING), phase=State.THINKING)
    ),
    page_scene("talk", "speaking", state=_state(TIME, EMMA, EVEREST, phase=State.SPEAKING, why="answer")),
    page_scene("talk", "interrupted", state=_state(TIME, INTERRUPTED, FAILED)),
    page_scene("talk", "details", state=_state(TIME, TIMER, EMMA), then=_details(2)),
    page_scene("talk", "details-wrong", state=_state(TIME, WRONG, INTERRUPTED), then=_details(1)),
    page_scene("talk", "search", state=_state(TIME), answers=FOUND, then=_search("plums")),
    page_scene("talk", "small", state=_state(TIME, TIMER, EMMA, EVEREST, phase=State.SPEAKING), size=SMALL_SIZE),
    page_scene(
        "talk", "quiet", state=_state(TIME, hushed=True, ears_closed=True, phase=State.MUTED, closed_until=TEN_PAST)
    ),
)
