"""A month in one home, 3,000 turns in stepped time: what is said, what is true after it, and what is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from memory.household.read import USER, Triple, read_toml
from memory.household.saying import Chinese, Dice, English, Spoken
from memory.household.schedule import Event, schedule

MOODS = {
    "command question chatter": 8,
    "command moment chatter": 6,
    "question question command": 5,
    "hearsay moment question": 4,
    "hypothetical question joke": 3,
    "quote command question": 3,
    "joke question chatter": 2,
    "moment chatter sarcasm": 2,
    "secret command chatter": 1,
}
"""What small talk is made of for a stretch of turns, and how often."""
SESSIONS = ((7, 2.0, 0.25), (12, 1.5, 0.15), (17, 5.0, 0.6))
"""When the home talks: hour, hours, share of the day's turns."""
Key = tuple[str, str, str]
"""Person, kind, thing."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is right at that moment. Nothing in ``accept``: the right answer is that it is not known."""

    way: str
    """now, before, then, when, about, unknown; ``hop`` tells whether it reaches over a second person or animal."""
    accept: tuple[tuple[str, ...], ...]
    """Values that are right, each with all its spellings."""
    need: int
    """How many of the values an answer must name."""
    stale: tuple[str, ...]
    """Values that were corrected, changed, ended or forgotten: naming one as the answer is wrong."""
    subject: str = ""
    """Role of who or what is asked about (``user``, ``my sister``), whatever name the question uses."""
    relation: str = ""
    thing: str = ""
    """Which appointment is meant."""
    hop: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing the user says and, where it is not a question about facts, what the companion answered."""

    number: int
    at: datetime
    text: str
    language: str
    kind: str
    reply: str = ""
    """Never a source of facts about the user."""
    know: tuple[Triple, ...] = ()
    ends: tuple[Triple, ...] = ()
    forget: tuple[str, ...] = ()
    """``*`` (what was said last), a person, or ``person | relation`` with ``| object`` at times."""
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Month:
    language: str
    turns: tuple[Turn, ...]
    people: dict[str, tuple[str, ...]]
    """Role -> every name it had."""


@dataclass(slots=True)
class _Held:
    """One value of a fact through the month."""

    spoken: str
    right: tuple[str, ...]
    told: date
    since: date
    on: str = ""
    until: date | None = None
    why: str = ""
    """Empty while true, then changed, corrected, dropped or forgotten."""


@dataclass(slots=True)
class _Story:
    book: dict[str, Any]
    dice: Dice
    say: English | Chinese
    today: date
    held: dict[Key, list[_Held]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    # -- who is meant -----------------------------------------------------
    def named(self, person: str) -> str:
        now = self.now((person, "called", ""))
        return now[0].spoken if now else ""

    def refer(self, person: str, *, name: float) -> Spoken:
        """By role, or by name with that chance where the name is known."""
        row = self.book["people"][person]
        name_now = self.named(person)
        words = name_now if person != USER and name_now and self.dice.chance(name) else row["role"]
        return Spoken(words, person == USER, row["he"])

    def subject(self, one: Spoken) -> str:
        return USER if one.is_user else one.words

    # -- what is true -----------------------------------------------------
    def now(self, key: Key) -> list[_Held]:
        return [one for one in self.held.get(key, []) if not one.why]

    def draw(self, key: Key, act: str) -> _Held:
        """A value this fact has not had yet."""
        old = self.held.get(key, [])
        new = self._any(key, act)
        while any(one.on == new.on and (new.on or set(one.right) & set(new.right)) for one in old):
            new = self._any(key, act)
        return new

    def _any(self, key: Key, act: str) -> _Held:
        person, kind, thing = key
        source = self.book["kind"][kind]["values"].replace("{thing}", thing)
        if source == "age":
            low, high = self.book["people"][person]["age"]
            old = self.now(key)
            years = int(old[-1].right[-1]) + (1 if act == "change" else 2) if old else low + self.dice.below(high - low)
            return self._holding(self.say.number(years))
        if source == "birthday":
            return self._holding(self.say.birthday(date(2001, 1, 1) + timedelta(days=self.dice.below(365)), self.dice))
        if source == "date":
            day = self.today + timedelta(days=2 + self.dice.below(12))
            day += timedelta(days=2 if day.weekday() > 4 else 0)
            spoken, bare, near = self.say.day(day, self.today, self.dice)
            return _Held(f"{spoken}|{bare}", (*self.say.dates(day), *near), self.today, self.today, on=day.isoformat())
        values = self.book["people"][person]["names"] if source == "names" else self.book["lists"][source]
        return self._holding(tuple(self.dice.draw(values).split(" / ")))

    def _holding(self, right: tuple[str, ...]) -> _Held:
        return _Held(right[0], right, self.today, self.today)

    def end(self, held: _Held, why: str, until: date | None = None) -> None:
        held.why, held.until = why, until or self.today

    # -- saying it --------------------------------------------------------
    def phrase(self, templates: Iterable[str], one: Spoken, slots: dict[str, str]) -> str:
        fit = [text for text in templates if not text.startswith("they:" if one.is_user else "me:")]
        template = self.dice.draw(fit)
        return self.say.fill(template.removeprefix("they:").removeprefix("me:").strip(), one, slots)

    def relation(self, key: Key) -> str:
        thing = self.book.get("english", {}).get(key[2], key[2])
        return str(self.book["kind"][key[1]]["relation"].replace("{thing}", thing))

    def triple(self, one: Spoken, key: Key, held: _Held, *, ended: bool = False, since: bool = False) -> Triple:
        relation = self.relation(key)
        objects = (key[2],) if held.on else held.right
        start = held.since.isoformat() if since else ""
        until = held.until.isoformat() if ended and held.until else ""
        return Triple(self.subject(one), relation, objects, start, until, held.on)

    def slots(self, key: Key, new: _Held | None, old: _Held | None) -> dict[str, str]:
        slots = {"thing": key[2]}
        if new is not None:
            spoken, _, bare = new.spoken.partition("|")
            slots |= {"v": spoken, "day": spoken, "day0": bare or spoken}
        if old is not None:
            slots["old"] = old.spoken.partition("|")[0]
        return slots


def month(language: str, seed: int | None = None) -> Month:
    """The month of ``month_<language>.toml``; another seed gives another home with the same story."""
    book = read_toml(f"month_{language}.toml")
    dice = Dice(book["seed"] if seed is None else seed)
    story = _Story(book, dice, Chinese() if language == "zh" else English(), book["start"])
    events = schedule(book, dice)
    turns = []
    mood: list[str] = []
    for number in range(1, book["days"] * book["turns_a_day"] + 1):
        at = _time(number, book)
        story.today = at.date()
        if number in events:
            turns.append(_eventful(number, at, events[number], story))
            continue
        mood = mood or _mood(dice)
        turns.append(_idle(number, at, mood.pop(), story))
    people = {row["role"]: tuple(story.names.get(key, ())) for key, row in book["people"].items()}
    return Month(language, tuple(turns), people)


def _time(number: int, book: dict[str, Any]) -> datetime:
    day, place = divmod(number - 1, book["turns_a_day"])
    share = place / book["turns_a_day"]
    session = 0
    while share >= SESSIONS[session][2] - 1e-9:
        share -= SESSIONS[session][2]
        session += 1
    hour, hours, part = SESSIONS[session]
    start = datetime.combine(book["start"] + timedelta(days=day), time(hour))
    return start + timedelta(seconds=round(3600 * hours * share / part))


def _mood(dice: Dice) -> list[str]:
    mood = dice.draw([mood for mood, often in MOODS.items() for _ in range(often)])
    kinds = mood.split()
    return [kinds[dice.below(len(kinds))] for _ in range(4 + dice.below(20))]


def _idle(number: int, at: datetime, kind: str, story: _Story) -> Turn:
    text = _drawn(story.dice.draw(story.book["nothing"][kind]), story)
    text = story.say.style(text, story.book["talk"], story.dice, asks=kind == "question")
    return Turn(number, at, text, story.say.code, kind, _reply(story))


def _drawn(template: str, story: _Story) -> str:
    while "{" in template:
        slot = template[template.index("{") + 1 : template.index("}")]
        template = template.replace("{" + slot + "}", story.dice.draw(story.book["slots"][slot]), 1)
    return template


def _reply(story: _Story) -> str:
    return _drawn(story.dice.draw(story.book["nothing"]["replies"]), story)


def _eventful(number: int, at: datetime, event: Event, story: _Story) -> Turn:
    key = (event.person, event.kind, event.thing)
    match event.act:
        case "ask" | "about":
            text, question = _about(event, story) if event.act == "about" else _asked(event, key, story)
            text = story.say.style(text, story.book["talk"], story.dice, asks=True)
            return Turn(number, at, text, story.say.code, "ask", question=question)
        case "forget" | "forget_that" | "forget_all":
            text, forget = _forgotten(event, key, story)
            text = story.say.style(text, story.book["talk"], story.dice, asks=False)
            return Turn(number, at, text, story.say.code, "forget", _reply(story), forget=forget)
    text, know, ends = _told(event, key, story)
    text = story.say.style(text, story.book["talk"], story.dice, asks=False)
    return Turn(number, at, text, story.say.code, event.act, _reply(story), know, ends)


def _told(event: Event, key: Key, story: _Story) -> tuple[str, tuple[Triple, ...], tuple[Triple, ...]]:
    phrases = story.book["kind"][event.kind]
    owned = "of" in story.book["people"][event.person]
    one = story.refer(event.person, name=0 if event.kind == "called" else 0.9 if owned else 0.5)
    old = story.now(key)
    last = old[-1] if old else None
    act = event.act if old or event.act == "give" else "give"
    if act in ("again", "drop") and last is not None:
        held = old[story.dice.below(len(old))]
        text = story.phrase(phrases["give" if act == "again" else "drop"], one, story.slots(key, held, None))
        if act == "again":
            return text, (story.triple(one, key, held),), ()
        story.end(held, "dropped")
        return text, (), (story.triple(one, key, held, ended=True),)
    new = story.draw(key, act)
    slots = story.slots(key, new, last)
    slots["since"], since = story.say.since(story.today, story.dice)
    templates = [
        text for text in phrases[act] if story.today > story.book["start"] + timedelta(days=5) or "{since}" not in text
    ]
    fitting = story.dice.draw([text for text in templates if not text.startswith("they:" if one.is_user else "me:")])
    text = story.phrase([fitting], one, slots)
    dated = "{since}" in fitting
    new.since = since if dated else story.today
    ends: tuple[Triple, ...] = ()
    if act in ("change", "correct") and last is not None:
        story.end(last, "changed" if act == "change" else "corrected", new.since)
        new.since = new.since if act == "change" else last.since
        ends = (story.triple(one, key, last, ended=act == "change"),)
    story.held.setdefault(key, []).append(new)
    if event.kind == "called":
        story.names.setdefault(event.person, []).append(new.spoken)
    return text, (story.triple(one, key, new, since=dated),), ends


def _forgotten(event: Event, key: Key, story: _Story) -> tuple[str, tuple[str, ...]]:
    talk = story.book["talk"]
    if event.act == "forget_that":
        story.end(story.held[key][-1], "forgotten")
        return story.dice.draw(talk["forget_that"]), ("*",)
    one = story.refer(event.person, name=0.5)
    if event.act == "forget_all":
        text = story.phrase(talk["forget_all"], one, {})
        for (person, _, _), values in story.held.items():
            for held in values if person == event.person else ():
                story.end(held, "forgotten")
        return text, (story.subject(one),)
    topic = story.phrase(story.book["kind"][event.kind]["topic"], one, {"thing": event.thing})
    text = story.phrase(talk["forget"], one, {"topic": topic})
    for held in story.held.get(key, []):
        story.end(held, "forgotten")
    what = f"{story.subject(one)} | {story.relation(key)}"
    return text, (f"{what} | {event.thing}" if event.kind == "appointment" else what,)


def _asked(event: Event, key: Key, story: _Story) -> tuple[str, Question]:
    phrases = story.book["kind"][event.kind]
    owned = "of" in story.book["people"][event.person]
    one = story.refer(event.person, name=0 if event.kind == "called" else 0.2 if owned else 0.5)
    now = story.now(key)
    slots = {"thing": event.thing, "now": now[-1].spoken if now else ""}
    way, right = _right(event, key, story, slots)
    question = _question(way, right, story.held.get(key, []))
    if way == "when":
        days = (*story.say.dates(now[-1].since), *story.say.dates(now[-1].told))
        question = Question("when", (tuple(dict.fromkeys(days)),), 1, ())
    phrase = story.phrase(phrases["ask" if way in ("now", "unknown") else way], one, slots)
    hop = owned and one.words != story.named(event.person)
    role = USER if one.is_user else story.book["people"][event.person]["role"]
    thing = event.thing if event.kind == "appointment" else ""
    return phrase, replace(question, subject=role, relation=story.relation(key), thing=thing, hop=hop)


def _right(event: Event, key: Key, story: _Story, slots: dict[str, str]) -> tuple[str, list[_Held]]:
    """How it can be asked at this moment, and the values that are right; sets ``{ago}`` where that is used."""
    every, now = story.held.get(key, []), story.now(key)
    changed = [held for held in every if held.why == "changed"]
    plain = ("now" if now else "unknown", now)
    if not (changed and now) or event.way == "now":
        return plain
    if event.way == "then":
        days = 14 if story.dice.chance(0.4) else 7
        slots["ago"] = story.say.ago(days)
        then = story.today - timedelta(days=days)
        true = [held for held in every if held.why in ("", "changed") and _at(held, then)]
        return ("then", true) if len(true) == 1 else plain
    return event.way, changed[-1:] if event.way == "before" else now


def _at(held: _Held, then: date) -> bool:
    """True on that day by what was told: a day within a fact, not one on which it changed."""
    return held.since < then and (held.until is None or then < held.until)


def _question(way: str, right: list[_Held], every: list[_Held]) -> Question:
    accept = tuple(held.right for held in right)
    fine = {spelling for spellings in accept for spelling in spellings}
    if way == "before":
        fine |= {held.right[0] for held in every if not held.why}
    stale = tuple(dict.fromkeys(held.right[0] for held in every if held.why and held.right[0] not in fine))
    return Question(way, accept, min(len(accept), 3), stale)


def _about(event: Event, story: _Story) -> tuple[str, Question]:
    one = story.refer(event.person, name=0.5)
    every = [held for (person, _, _), values in story.held.items() if person == event.person for held in values]
    now = [held for held in every if not held.why]
    asked = _question("about" if now else "unknown", now, every)
    text = story.phrase(story.book["talk"]["about"], one, {})
    role = USER if one.is_user else story.book["people"][event.person]["role"]
    return text, replace(asked, need=min(3, (len(now) + 1) // 2), subject=role)
