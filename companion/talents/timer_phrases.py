"""What is said about timers, alarms and reminders."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from companion.agent.plugin import Request
from companion.talents.phrases import Phrases
from companion.talents.spoken.durations import say_duration, say_roughly
from companion.talents.spoken.language import is_chinese
from companion.talents.spoken.moments import say_moment
from companion.talents.timer_book import Kind, Timer

LATE = timedelta(minutes=1)
"""From here on it is said how late an announcement is."""

SAY = Phrases(
    {
        "timer.set": ("Timer set for {length}.", "好的，{length}后提醒您。"),
        "timer.named": ("{name} set for {length}.", "好的，{name}，{length}。"),
        "timer.ask": ("For how long?", "多长时间？"),
        "timer.length": ("I can set a timer for up to 30 days.", "计时器最长可以设三十天。"),
        "timer.none": ("There is no such timer.", "没有这样的计时器。"),
        "timer.cancelled": ("Timer cancelled.", "计时器已取消。"),
        "timer.all_cancelled": ("All timers cancelled.", "所有计时器都已取消。"),
        "timer.empty": ("No timers are running.", "现在没有计时器。"),
        "timer.left": ("{left} left on the {name}.", "{name}还剩{left}。"),
        "timer.over": ("Your {name} is done.", "{name}时间到了。"),
        "timer.missed": ("Your {name} was done {late} ago.", "{name}在{late}前就到时间了。"),
        "alarm.set": ("Alarm set {when}.", "好的，闹钟设在{when}。"),
        "alarm.ask": ("For what time?", "设在几点？"),
        "alarm.none": ("There is no such alarm.", "没有这样的闹钟。"),
        "alarm.cancelled": ("Alarm cancelled.", "闹钟已取消。"),
        "alarm.all_cancelled": ("All alarms cancelled.", "所有闹钟都已取消。"),
        "alarm.empty": ("No alarm is set.", "现在没有闹钟。"),
        "alarm.over": ("This is your alarm {when}.", "{when}的闹钟响了。"),
        "alarm.missed": ("I missed your alarm {when}, {late} ago.", "{when}的闹钟错过了，晚了{late}。"),
        "reminder.set": ("Okay, I will remind you {when}: {task}.", "好的，{when}提醒您：{task}。"),
        "reminder.ask": (
            "When shall I remind you? Say it all in one sentence.",
            "什么时候提醒您？请一句话说完整。",
        ),
        "reminder.repeating": (
            "I can't repeat that by myself. I can do it once, if you tell me a time.",
            "我还不会重复提醒。您说一个时间，我可以提醒一次。",
        ),
        "reminder.none": ("There is no such reminder.", "没有这样的提醒。"),
        "reminder.cancelled": ("Reminder cancelled.", "提醒已取消。"),
        "reminder.all_cancelled": ("All reminders cancelled.", "所有提醒都已取消。"),
        "reminder.empty": ("You have no reminders.", "现在没有提醒。"),
        "reminder.over": ("A reminder: {task}.", "提醒您：{task}。"),
        "reminder.missed": (
            "I missed a reminder {when}, {late} ago: {task}.",
            "{when}的提醒错过了，晚了{late}：{task}。",
        ),
        "have": ("You have {timers}.", "有{timers}。"),
        "which": ("Which one? You have {timers}.", "哪一个？有{timers}。"),
        "when": ("Sorry, I did not catch the time.", "抱歉，我没听清时间。"),
        "past": ("That time has already passed.", "这个时间已经过了。"),
        "many": ("I cannot keep more than 50 at once.", "最多只能设五十个。"),
        "lost": ("Sorry, I can't get at your timers and reminders.", "抱歉，我现在读不到您的计时器和提醒。"),
        "unsaved": ("Sorry, I could not save that.", "抱歉，没能保存。"),
    }
)  # fmt: skip

_TOLD_BACK = {
    "i": "you",
    "i'm": "you're",
    "my": "your",
    "me": "you",
    "mine": "yours",
    "myself": "yourself",
    "am": "are",
}


def name_of(timer: Timer) -> str:
    """ "pasta timer", "10 minute timer"."""
    if is_chinese(timer.language):
        return f"{timer.label or say_duration(timedelta(seconds=timer.seconds), 'zh') + '的'}计时器"
    if timer.label:
        return f"{timer.label} timer"
    length = say_duration(timedelta(seconds=timer.seconds), "en")
    return f"{re.sub(r's(?= |,|$)', '', length)} timer"


def as_told_back(request: Request) -> str:
    """The task as the companion says it, in the spelling of the sentence: "call my mom" is "call your mom"."""
    task = request.slots.get("task", "")
    if is_chinese(request.language):
        return task.replace("我", "您")
    found = re.search(re.escape(task).replace(r"\ ", r"[\s,]+"), request.text, re.IGNORECASE)
    words = (found[0] if found else task).split()
    return " ".join(_TOLD_BACK.get(word.lower(), word) for word in words)


def describe(timers: tuple[Timer, ...], request: Request) -> str:
    """Them all in one phrase, soonest first."""
    parts = [_describe(timer, request) for timer in timers]
    if is_chinese(request.language):
        return "，".join(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _describe(timer: Timer, request: Request) -> str:
    chinese = is_chinese(request.language)
    if timer.kind is Kind.TIMER:
        left = _left(timer, request)
        return f"{name_of(timer)}，还剩{left}" if chinese else f"{_a(name_of(timer))} with {left} left"
    when = _when(timer, request.now, request.language)
    if timer.kind is Kind.ALARM:
        return f"{when}的闹钟" if chinese else f"an alarm {when}"
    return f"{when}：{timer.label}" if chinese else f"a reminder {when}: {timer.label}"


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou8' else 'a'} {name}"


def listing(kind: Kind, timers: tuple[Timer, ...], request: Request) -> str:
    """All of a kind, in one sentence."""
    if not timers:
        return SAY.say(f"{kind}.empty", request.language)
    return SAY.say("have", request.language, timers=describe(timers, request))


def how_long_left(timers: tuple[Timer, ...], request: Request) -> str:
    """The time left on a timer, or on each."""
    if not timers:
        return SAY.say("timer.empty" if "name" not in request.slots else "timer.none", request.language)
    if len(timers) > 1:
        return listing(Kind.TIMER, timers, request)
    return SAY.say("timer.left", request.language, left=_left(timers[0], request), name=name_of(timers[0]))


def announcement(timer: Timer, now: datetime, late: timedelta) -> str:
    """What is said when it is due, and how late if it is."""
    key = f"{timer.kind}.{'over' if late < LATE else 'missed'}"
    return SAY.say(
        key,
        timer.language,
        name=name_of(timer),
        task=timer.label,
        when=_when(timer, now, timer.language),
        late=say_roughly(late, timer.language),
    )


def _left(timer: Timer, request: Request) -> str:
    return say_roughly(max(timer.due - request.now.astimezone(UTC), timedelta()), request.language)


def _when(timer: Timer, now: datetime, language: str) -> str:
    return say_moment(timer.due.astimezone(now.tzinfo), now, language)
