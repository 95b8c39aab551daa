"""What is known, said to a person: "Your sister is called Emma." Facts become sentences, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from companion.agent.plugin import Request
from companion.talents.phrases import Phrases
from companion.talents.spoken.calendar import MONTHS
from companion.talents.spoken.language import is_chinese

USER = "user"
"""How the user is called among what is known."""
NOTE = "asked_to_remember"
"""The relation of what was to be remembered word by word."""

SAY = Phrases(
    {
        "remembered": ("I'll remember that.", "我记住了。"),
        "known": ("I knew that already.", "这个我已经知道了。"),
        "later": (
            "I can't write that down right now. I'll keep it in mind, and write it down as soon as there is room.",
            "我现在没法把它写下来。我先记着，一有空间就写下来。",
        ),
        "secret": (
            "I don't keep passwords, codes or card numbers.",
            "密码、验证码和卡号我都不会保存。",
        ),
        "you": ("You are {name}.", "您是{name}。"),
        "who": ("You have not told me your name yet.", "您还没有告诉我您的名字。"),
        "nothing.me": ("You have not told me anything about you yet.", "您还没有跟我说过您自己的事。"),
        "nothing.about": ("You have not told me anything about {who}.", "您没有跟我说过{who}的事。"),
        "not_told": ("You have not told me that.", "这个您没有告诉过我。"),
        "nothing.new": ("Okay.", "好的。"),
        "nothing": ("There was nothing to forget.", "没有什么要忘记的。"),
        "sure": (
            "Shall I forget everything about {who}, for good? Say yes or no.",
            "要永远忘掉{who}的一切吗？请说是或不是。",
        ),
        "sure.me": (
            "Shall I forget everything about you, for good? Say yes or no.",
            "要永远忘掉您的一切吗？请说是或不是。",
        ),
        "sure.everything": (
            "Shall I forget everything I know, for good? Say yes or no.",
            "要永远忘掉我知道的一切吗？请说是或不是。",
        ),
        "forgotten": ("It is forgotten.", "已经忘掉了。"),
        "forgotten.that": ("I have forgotten this: {what}", "我忘掉了这件事：{what}"),
        "more": ("And {count} more.", "还有{count}件。"),
        "unreachable": ("I can't get at my memory right now.", "我现在读不了我的记忆。"),
    }
)


class Known(Protocol):
    """A fact."""

    @property
    def subject(self) -> str: ...

    @property
    def relation(self) -> str: ...

    @property
    def object(self) -> str: ...

    @property
    def at(self) -> datetime: ...


# What stands between subject and object: for anybody, and for "you" where that differs.
_ENGLISH = {
    "is_called": ("is called", "are called"),
    "also_called": ("is also called", "are also called"),
    "lives_in": ("lives in", "live in"),
    "comes_from": ("comes from", "come from"),
    "works_at": ("works at", "work at"),
    "works_as": ("works as", "work as"),
    "studies": ("studies", "study"),
    "studies_at": ("studies at", "study at"),
    "is_partner_of": ("is the partner of", "are the partner of"),
    "is_parent_of": ("is a parent of", "are a parent of"),
    "is_sibling_of": ("is a brother or sister of", "are a brother or sister of"),
    "is_grandparent_of": ("is a grandparent of", "are a grandparent of"),
    "is_relative_of": ("is a relative of", "are a relative of"),
    "is_friend_of": ("is a friend of", "are a friend of"),
    "is_neighbour_of": ("is a neighbour of", "are a neighbour of"),
    "is_colleague_of": ("is a colleague of", "are a colleague of"),
    "lives_with": ("lives with", "live with"),
    "has_pet": ("has a pet,", "have a pet,"),
    "is_a": ("is a", "are a"),
    "likes": ("likes", "like"),
    "dislikes": ("does not like", "do not like"),
    "is_allergic_to": ("is allergic to", "are allergic to"),
    "avoids": ("avoids", "avoid"),
    "keeps_diet": ("keeps this diet:", "keep this diet:"),
    "eats": ("eats", "eat"),
    "born_on": ("was born on", "were born on"),
    "is_aged": ("is this old:", "are this old:"),
    "married_on": ("got married on", "got married on"),
    "died_on": ("died on", "died on"),
    "has_appointment": ("has this to go to:", "have this to go to:"),
    "plans": ("plans", "plan"),
    "does_regularly": ("does this regularly:", "do this regularly:"),
    "plays": ("plays", "play"),
    "celebrates": ("celebrates", "celebrate"),
    "owns": ("owns", "own"),
    "is_kept_in": ("is kept in", "are kept in"),
    "speaks": ("speaks", "speak"),
    "takes_medicine": ("takes", "take"),
    "has_condition": ("has", "have"),
    "wears_size": ("wears size", "wear size"),
    "wants": ("wants", "want"),
}
_CHINESE = {
    "is_called": "叫",
    "also_called": "也叫",
    "lives_in": "住在",
    "comes_from": "来自",
    "works_at": "工作的地方是",
    "works_as": "的职业是",
    "studies": "学",
    "studies_at": "上学的地方是",
    "is_partner_of": "的伴侣是",
    "is_parent_of": "的孩子是",
    "is_sibling_of": "的兄弟姐妹是",
    "is_grandparent_of": "的孙辈是",
    "is_relative_of": "的亲戚是",
    "is_friend_of": "的朋友是",
    "is_neighbour_of": "的邻居是",
    "is_colleague_of": "的同事是",
    "lives_with": "同住的人是",
    "has_pet": "的宠物是",
    "is_a": "是",
    "likes": "喜欢",
    "dislikes": "不喜欢",
    "is_allergic_to": "过敏的是",
    "avoids": "不碰",
    "keeps_diet": "的饮食是",
    "eats": "吃",
    "born_on": "的生日是",
    "is_aged": "的年龄是",
    "married_on": "结婚的日子是",
    "died_on": "去世的日子是",
    "has_appointment": "有预约：",
    "plans": "打算",
    "does_regularly": "经常",
    "plays": "玩",
    "celebrates": "庆祝",
    "owns": "有",
    "is_kept_in": "放在",
    "speaks": "说",
    "takes_medicine": "吃的药是",
    "has_condition": "的身体情况是",
    "wears_size": "穿的尺码是",
    "wants": "想要",
}
_DATE = re.compile(r"(?P<year>\d{4})?-{1,2}(?P<month>\d{2})(?:-(?P<day>\d{2}))?")
_PLACED = re.compile(r"(?:in|on|at|under|behind|by|beside|next|above|over|below|between)\b", re.IGNORECASE)
_NOT_THIRD = re.compile(r"^(?:i|we|they|you)$", re.IGNORECASE)
_THIRD = re.compile(r"^(?:[a-z]+[^s\W]s|is|has|was)\b")
_TOLD_BACK = {"i": "you", "i'm": "you're", "i've": "you've", "my": "your", "me": "you", "mine": "yours"}
_TOLD_BACK |= {"myself": "yourself", "am": "are", "our": "your", "we": "you", "us": "you", "ours": "yours"}


def facts_in_words(facts: Sequence[Known], language: str) -> str:
    """Each in a sentence of its own."""
    if is_chinese(language):
        return "".join(_in_chinese(fact) for fact in facts)
    return " ".join(_in_english(fact) for fact in facts)


def person_in_words(name: str, language: str) -> str:
    """Somebody as the companion speaks of them to the user: "my sister" is "your sister"."""
    if is_chinese(language):
        return "您" if name == USER else name.replace("我", "您")
    if name == USER:
        return "you"
    return " ".join(_TOLD_BACK.get(word.lower(), word) for word in name.split())


def name_in_words(name: str, language: str) -> str:
    """A name as it is shown to the user: a date as one says it, "my sister" as "your sister"."""
    return _dated(person_in_words(name, language), language)


def relation_in_words(relation: str, language: str) -> str:
    """What stands between somebody and what is known of them: "lives in"."""
    if is_chinese(language):
        return _CHINESE.get(relation, relation.replace("_", " "))
    third, _ = _ENGLISH.get(relation) or (relation.replace("_", " "), "")
    return third


def as_said(request: Request, slot: str) -> str:
    """What a slot holds, in the spelling of the sentence."""
    words = request.slots.get(slot, "")
    letters = list(words) if is_chinese(request.language) else words.split()
    found = re.search(r"[^\w]*".join(map(re.escape, letters)), request.text, re.IGNORECASE) if letters else None
    return found[0] if found else words


def _in_english(fact: Known) -> str:
    if fact.relation == NOTE:
        return f"You told me: {_ended(fact.object)}"
    subject = person_in_words(fact.subject, "en")
    plain = fact.relation.replace("_", " ")
    third, second = _ENGLISH.get(fact.relation) or (plain, _THIRD.sub(_second, plain))
    if fact.relation.startswith("favourite_"):
        what = fact.relation.removeprefix("favourite_").replace("_", " ")
        return _sentence(f"{_of(subject)} favourite {what} is {_thing(fact, 'en')}")
    verb = second if _NOT_THIRD.match(subject) else third
    if fact.relation == "is_kept_in" and _PLACED.match(fact.object):
        verb = verb.removesuffix(" in")
    return _sentence(f"{subject} {verb} {_thing(fact, 'en')}")


def _in_chinese(fact: Known) -> str:
    if fact.relation == NOTE:
        return f"您告诉过我：{fact.object.rstrip('。.')}。"
    subject, thing = person_in_words(fact.subject, "zh"), _thing(fact, "zh")
    if fact.relation.startswith("favourite_"):
        return f"{subject}最喜欢的{fact.relation.removeprefix('favourite_')}是{thing}。"
    return f"{subject}{_CHINESE.get(fact.relation, fact.relation.replace('_', ' '))}{thing}。"


def _second(verb: re.Match[str]) -> str:
    return {"is": "are", "has": "have", "was": "were"}.get(verb[0], verb[0].removesuffix("s"))


def _thing(fact: Known, language: str) -> str:
    return name_in_words(fact.object, language)


def _dated(said: str, language: str) -> str:
    """A date as one says it: "--05-09" is "May 9"."""
    found = _DATE.fullmatch(said)
    if not found or not found["month"]:
        return said
    year, month, day = found["year"], int(found["month"]), int(found["day"] or 0)
    if is_chinese(language):
        return f"{f'{year}年' if year else ''}{month}月{f'{day}日' if day else ''}"
    name = MONTHS[month - 1] if 1 <= month <= len(MONTHS) else found["month"]
    return " ".join(filter(None, (name, f"{day}{',' if year else ''}" if day else "", year)))


def _of(subject: str) -> str:
    return "your" if subject == "you" else f"{subject}'s"


def _sentence(text: str) -> str:
    return _ended(text[:1].upper() + text[1:])


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
