"""Chinese clauses: who does what, in the words as they were said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from re import Match

from companion.memory.distil.cued import Cued
from companion.memory.distil.told import ANIMAL, PERSON, Notes
from companion.memory.distil.zh_words import NOBODY, NOT_IN_NAMES, ROLE, ROLE_RELATIONS
from companion.memory.times.when import When
from companion.memory.times.when_zh import when

NAME = r"(?:(?!大名|小名|英文名|外号|名字|昵称)[\u4e00-\u9fff]{2,4}?|[A-Za-z][A-Za-z\-']*)"
OTHER = r"(?:[\u4e00-\u9fff]{2,4}|[A-Za-z][A-Za-z\-']*)"
"""A name that ends with its clause."""
_ADVERB = (
    r"(?:其实|真的|就是|都是?|也是?|还是?|就|最近|现在|目前|如今|一直|从小就?|"
    r"特别|非常|很|超级?|好|挺|蛮|真|最|已经|早就|早|平时|经常|老是?|总是|今年|"
    r"刚刚?|才|又|可|倒是|本来|原来|以前|之前|"
    r"这个人|这人|自己|一家(?:人)?|全家(?:人)?|他们|她们|他|她|那边|有点儿?|"
    r"稍微|比较|向来|从来|上周|上个月|去年|前年|如今|两个人?|俩|的|这辈子|这几年|"
    r"算是|终于|大概|快|满|都快|暑假|寒假|年底|毕业以?后|个人|平常|天生|说|呢|"
    r"呀|啊|嘛)"
)
_PERSON = (
    rf"(?P<of>(?:我们?家?的?)?(?:{ROLE})|{NAME})(?:的|家的?)(?P<role>{ROLE})|"
    rf"(?P<kin>(?:我们?|咱们?|俺|我们家|我家)的?(?:{ROLE}))|"
    r"(?P<us>我们一?家人?|我们|我家|咱们家?|咱家|我|俺|咱)|(?P<he>他们?|她们?)|"
    rf"(?P<bare>{ROLE})|(?P<name>{NAME})"
)
SUBJECT = rf"^(?:{_PERSON})?{_ADVERB}*?\s*"


@dataclass(frozen=True, slots=True)
class Part:
    """One clause: plain in simplified characters, shown as said; places are the same in both."""

    plain: str
    shown: str

    def said(self, match: Match[str], group: str) -> str:
        """What a group of a match is in the words as they were said."""
        start, end = match.span(group)
        return self.shown[start:end] if start >= 0 else ""


@dataclass(slots=True)
class Reading:
    """A clause, where to note what it tells, and all of the utterance."""

    part: Part
    notes: Notes
    text: str
    whole: str = ""
    """The clause with its time, where ``part`` is without."""

    @property
    def plain(self) -> str:
        return self.part.plain

    def when(self, *, past: bool = False) -> When | None:
        return when(self.whole or self.part.plain, self.notes.at, past=past)

    def subject(self, match: Match[str]) -> str | None:
        """Who it is about; the speaker where nobody is named; None where that is nobody who can be known."""
        if match["kin"]:
            if re.fullmatch(r"(?:我们家|我家)的?[猫狗鸟]", match["kin"]):
                return self.part.said(match, "kin")
            return re.sub(r"^(?:我们家|我家|我们|咱们|咱|俺|我)的?", "我", self.part.said(match, "kin"))
        if match["us"] or self._leaves_it_out(match):
            return self.notes.user
        if match["he"]:
            return self.notes.person or None
        if match["bare"]:
            return self.part.said(match, "bare")
        if match["of"]:
            return self._owned(match)
        return self.part.said(match, "name") if is_name(match["name"]) else None

    def _owned(self, match: Match[str]) -> str | None:
        """ "小丽的老公", "我姐姐的儿子"."""
        owner = self.part.said(match, "of")
        if match["of"] in ("我家", "我们家", "我们") and match["role"] in ("猫", "狗", "鸟"):
            return f"{owner}的{self.part.said(match, 'role')}"
        if match["of"] in ("我们", "我", "我家", "咱们"):
            return f"我{self.part.said(match, 'role')}"
        is_kin = re.fullmatch(rf"(?:我们?家?的?)?(?:{ROLE})", match["of"]) is not None
        return f"{owner}的{self.part.said(match, 'role')}" if is_kin or is_name(match["of"]) else None

    @staticmethod
    def _leaves_it_out(match: Match[str]) -> bool:
        return not any(match[group] for group in ("kin", "he", "of", "bare", "name"))


Make = Callable[[Reading, Match[str], str], bool]
"""Notes what a match tells of a subject, and says whether it did."""
Rule = tuple[tuple[Cued, ...], Make]
"""Patterns of which the first that fits somebody counts, and what to make of it."""
_NONE = r"^(?P<kin>)(?P<us>)(?P<he>)(?P<of>)(?P<bare>)(?P<name>)(?P<role>)"


def rule(pattern: str, make: Make) -> Rule:
    """A rule whose pattern follows the subject, or stands alone where the speaker leaves "I" out."""
    return (Cued(pattern, SUBJECT), Cued(pattern, rf"{_NONE}{_ADVERB}*?\s*")), make


def plainly(pattern: str, make: Make) -> Rule:
    """A rule that names no subject of its own."""
    return (Cued(pattern, _NONE),), make


def is_name(word: str) -> bool:
    return bool(word) and word not in NOBODY and not set(word) & NOT_IN_NAMES and not _NO_NAME.match(word)


_NO_NAME = re.compile(
    r"老师|医生|现|今|下|这|明[天年早晚]|周|星期|礼拜|毕业|清明|早晚|大[夫一二三四]$|改|"
    r"刚|下个|上个|[零一二三四五六七八九十\d]+[月号点年岁天个只]|暑假|寒假|每|"
    r"过了|平时|周末|经常|晚|早上|上午|下午"
)
_ENDS = re.compile(
    r"(?:了|的|啦|呀|啊|哦|喔|吧|呢|嘛|哈|噢|就行了?|就好了?|就可以了?|那个味儿?|"
    r"什么的|之类的?|来着|得很|一点|多年了?|好多年了?|的人|着|上了|死了|得要命|"
    r"不行|真的.*|等等)+$"
)


def thing(text: str, *, most: int = 14) -> str:
    """An object without what only ends a sentence; empty where it is too vague or too long."""
    text = re.sub(r"(?:[，,。！!]|一[吃喝碰闻摸看].{0,2}就).*$", "", text).strip()
    short = _ENDS.sub("", text).strip()
    text = text if len(short) < 2 and text.endswith("的") else short
    if (
        not text
        or len(text) > most
        or text in NOBODY
        or re.match(r"^(?:你|您|他(?!汀)|她|它|这|那|什么|怎么|谁|自己|人$|上$|下$|不$)", text)
    ):
        return ""
    return text


def told_name(text: str) -> str:
    """A name at the end of a clause: 叫小雪; empty where there is none."""
    text = _ENDS.sub("", text.strip())
    found = re.match(rf"{OTHER}", text)
    if found is None or found.end() < len(text):
        return ""
    return text if is_name(text) else ""


def note_kin(notes: Notes, owner: str, role: str, name: str) -> bool:
    """Note that ``name`` is a ``role`` of ``owner``."""
    word = re.sub(r"^(?:我们家|我家|我们|咱们|我)的?", "", role)
    relation, is_left = ROLE_RELATIONS.get(word, ("", False))
    if not relation:
        return False
    kind = ANIMAL if relation == "has_pet" else PERSON
    if is_left:
        notes.add(name, relation, owner, kind=kind)
    else:
        notes.add(owner, relation, name, kind=kind)
    notes.person = name
    return True


def as_day(told: When) -> str:
    """A stretch as a date: a year, a month or a day."""
    if told.end - told.start > timedelta(days=200):
        return f"{told.start:%Y}"
    return f"{told.start:%Y-%m}" if told.end - told.start > timedelta(days=8) else f"{told.start:%Y-%m-%d}"


def since(told: When | None, at: datetime) -> datetime | None:
    """The beginning of what lies behind."""
    return told.start if told is not None and told.start <= at else None
