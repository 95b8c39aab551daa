"""How English and Chinese say people, dates, numbers and small slips: the grammar under the month's phrase books."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
SMALL = (
    "zero one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
NTH = {
    1: "first",
    2: "second",
    3: "third",
    5: "fifth",
    8: "eighth",
    9: "ninth",
    12: "twelfth",
    20: "twentieth",
    30: "thirtieth",
}
FORMS = ("who", "who's", "who've", "who'd", "whose", "whom", "he", "he's", "his", "him")
PRONOUNS = {"she": ("her", "her"), "he": ("his", "him"), "it": ("its", "it")}
CHINESE = "零一二三四五六七八九"
_EITHER = re.compile(r"\[([^/\]]*)/([^\]]*)\]")
_ARTICLE = re.compile(r"^(?:an?|the) ")


class Dice:
    """Draws that are the same on every machine and Python: only ``random()`` is used, which is kept stable."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._decks: dict[tuple[str, ...], list[str]] = {}

    def below(self, count: int) -> int:
        return int(self._random.random() * count)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def draw(self, items: Sequence[str]) -> str:
        """One of the items, none a second time before each had its turn."""
        deck = self._decks.setdefault(tuple(items), [])
        if not deck:
            deck.extend(items)
        return deck.pop(self.below(len(deck)))


@dataclass(frozen=True, slots=True)
class Spoken:
    """A person or thing as named in one turn."""

    words: str
    """``i``, ``my sister``, ``Emma``, ``我妹妹``."""
    is_user: bool
    he: str


class English:
    """Agreement, contractions, articles and dates of the English phrase book."""

    code = "en"

    def fill(self, template: str, one: Spoken, slots: dict[str, str]) -> str:
        template = _EITHER.sub(lambda found: found[1] if one.is_user else found[2], template)
        return _filled(template, {**self._forms(one), **self._with_articles(slots)})

    def _forms(self, one: Spoken) -> dict[str, str]:
        if one.is_user:
            words = ("i", "i'm", "i've", "i'd", "my", "me", "i", "i'm", "my", "me")
        else:
            is_, (his, him) = one.words + "'s", PRONOUNS[one.he]
            words = (one.words, is_, is_, one.words + "'d", is_, one.words, one.he, one.he + "'s", his, him)
        return dict(zip(FORMS, words, strict=True))

    def _with_articles(self, slots: dict[str, str]) -> dict[str, str]:
        named = {"v": "av", "old": "aold", "now": "anow", "thing": "a_thing"}
        added = {long: self.article(slots[short]) for short, long in named.items() if short in slots}
        bare = {short + "0": _ARTICLE.sub("", slots.get(short, "")) for short in ("v", "old")}
        return {**slots, **added, **bare}

    def article(self, words: str) -> str:
        return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"

    def number(self, value: int) -> tuple[str, ...]:
        if value < 20:
            return SMALL[value], str(value)
        spoken = TENS[value // 10] + (" " + SMALL[value % 10] if value % 10 else "")
        return spoken, str(value)

    def nth(self, day: int) -> str:
        if day in NTH:
            return NTH[day]
        return f"{TENS[day // 10]} {self.nth(day % 10)}" if day > 20 else SMALL[day] + "th"

    def birthday(self, day: date, dice: Dice) -> tuple[str, ...]:
        month = MONTHS[day.month - 1]
        spoken = [
            f"the {self.nth(day.day)} of {month}",
            f"{month} the {self.nth(day.day)}",
            f"{month} {self.nth(day.day)}",
        ]
        first = spoken[dice.below(3)]
        return (first, *(one for one in spoken if one != first), *self._written(day))

    def _written(self, day: date) -> tuple[str, ...]:
        month = MONTHS[day.month - 1]
        return f"{day.day} {month}", f"{month} {day.day}", f"{day.month:02}-{day.day:02}"

    def dates(self, day: date) -> tuple[str, ...]:
        """Every way to write a day that counts as right in an answer."""
        month, nth = MONTHS[day.month - 1], self.nth(day.day)
        end = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th") if day.day not in (11, 12, 13) else "th"
        spoken = (f"{nth} of {month}", f"{month} {nth}", f"{month} the {nth}", f"the {nth}", f"{day.day}{end}")
        return (day.isoformat(), *self._written(day), *spoken)

    def day(self, day: date, today: date, dice: Dice) -> tuple[str, str, tuple[str, ...]]:
        """A day to come: with its preposition, without, and the words that are right only while it is near."""
        if (day - today).days == 1 and dice.chance(0.5):
            return "tomorrow", "tomorrow", ()
        if (day - today).days < 7 and dice.chance(0.7):
            name = DAYS[day.weekday()]
            return (f"on {name}", name, (name,)) if dice.chance(0.7) else (f"this {name}", name, (name,))
        bare = f"the {self.nth(day.day)}" + (
            f" of {MONTHS[day.month - 1]}" if day.month != today.month or dice.chance(0.5) else ""
        )
        return f"on {bare}", bare, ()

    def since(self, today: date, dice: Dice) -> tuple[str, date]:
        days = 1 + dice.below(4)
        day = today - timedelta(days=days)
        spoken = ["yesterday", "two days ago", "three days ago", "four days ago"][days - 1]
        return (spoken, day) if days == 1 or dice.chance(0.5) else (f"on {DAYS[day.weekday()]}", day)

    def ago(self, days: int) -> str:
        return {7: "a week ago", 14: "two weeks ago", 3: "three days ago"}[days]

    def style(self, text: str, book: dict[str, list[str]], dice: Dice, *, asks: bool) -> str:
        """As a recogniser writes it: mostly bare, at times dressed, a filler or a stammer now and then."""
        if dice.chance(0.14):
            text = f"{dice.draw(book['fillers'])} {text}"
        elif dice.chance(0.05) and " " in text:
            text = f"{text.split()[0]} {text}"
        if dice.chance(0.06):
            text = f"{text} {dice.draw(book['thanks'])}"
        if dice.chance(0.3):
            text = re.sub(r"\bi\b", "I", text)
            return text[0].upper() + text[1:] + ("?" if asks else ".")
        return text.lower() if dice.chance(0.6) else text


class Chinese:
    """Numbers, dates and the small words of the Chinese phrase book."""

    code = "zh"

    def fill(self, template: str, one: Spoken, slots: dict[str, str]) -> str:
        forms = {"who": one.words, "he": one.he}
        return _filled(template, {**forms, **slots})

    def number(self, value: int) -> tuple[str, ...]:
        return self._spoken(value), str(value)

    def _spoken(self, value: int) -> str:
        if value < 10:
            return CHINESE[value]
        tens = ("" if value < 20 else CHINESE[value // 10]) + "十"
        return tens + (CHINESE[value % 10] if value % 10 else "")

    def birthday(self, day: date, dice: Dice) -> tuple[str, ...]:
        spoken = f"{self._spoken(day.month)}月{self._spoken(day.day)}"
        first, second = (f"{spoken}号", f"{spoken}日") if dice.chance(0.7) else (f"{spoken}日", f"{spoken}号")
        return (first, second, f"{day.month}月{day.day}号", f"{day.month}月{day.day}日", f"{day.month:02}-{day.day:02}")

    def dates(self, day: date) -> tuple[str, ...]:
        spoken = f"{self._spoken(day.month)}月{self._spoken(day.day)}"
        alone = (f"{day.day}号", f"{self._spoken(day.day)}号")
        return (day.isoformat(), f"{day.month:02}-{day.day:02}", f"{day.month}月{day.day}", spoken, *alone)

    def day(self, day: date, today: date, dice: Dice) -> tuple[str, str, tuple[str, ...]]:
        ahead, name = (day - today).days, "一二三四五六日"[day.weekday()]
        if ahead <= 2 and dice.chance(0.6):
            spoken = ("明天", "后天")[ahead - 1]
            return spoken, spoken, ()
        if ahead < 13 and dice.chance(0.7):
            weeks = (day - timedelta(days=day.weekday()) - (today - timedelta(days=today.weekday()))).days // 7
            if weeks < 2:
                spoken = ("这", "下")[weeks] + ("周" if dice.chance(0.6) else "星期") + name
                return spoken, spoken, (f"周{name}", f"星期{name}")
        near = day.month == today.month and dice.chance(0.5)
        spoken = ("" if near else f"{self._spoken(day.month)}月") + f"{self._spoken(day.day)}号"
        return spoken, spoken, ()

    def since(self, today: date, dice: Dice) -> tuple[str, date]:
        days = 1 + dice.below(3)
        return ["昨天", "前天", "大前天"][days - 1], today - timedelta(days=days)

    def ago(self, days: int) -> str:
        return {7: "一个星期前", 14: "两个星期前", 3: "三天前"}[days]

    def style(self, text: str, book: dict[str, list[str]], dice: Dice, *, asks: bool) -> str:
        if dice.chance(0.16):
            text = dice.draw(book["fillers"]) + text
        elif dice.chance(0.1):
            text += dice.draw(book["thanks"])
        if dice.chance(0.3):
            return text + ("？" if asks else "。")
        return text.replace("，", "" if dice.chance(0.5) else " ")


def _filled(template: str, slots: dict[str, str]) -> str:
    return re.sub(r"\{([^}]+)\}", lambda found: slots[found[1]], template)
