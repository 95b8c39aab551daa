"""What a fact may look like: the last look at what the patterns found, by the kind of thing each relation holds.

A pattern takes the words at a place for somebody's name or for a trade. What stands there tells whether they can be:
no name has a verb in it, nobody works as "at the museum", and a word that only leads to another one is no thing. What
is said of the wrong relation, but plainly of another, is told of that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.memory.distil.zh_words import ROLE_RELATIONS as CHINESE_ROLES
from companion.memory.distil.zh_words import simple
from companion.memory.facts import Triple

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_FREE = frozenset({"does_regularly", "plans", "has_appointment", "is_kept_in", "likes", "dislikes", "avoids"})
"""Relations whose objects may be said in a whole clause."""
_CLAUSE = re.compile(
    r"\b(?:i|you|he|she|they|we|me|am|is|are|was|were|beats?|takes?|will|would|does|did|cannot|because|that's)\b"
)
_LOOSE_END = re.compile(r"\b(?:and|or|of|to|for|with|in|at|on|by|from|the|a|an|my|his|her|our|their|not|is|than)$")
_EMPTY = frozenset(
    "a an the one bad good new old big little same such this that first last next more most own some any few lot bit "
    "way kind sort sure true false right wrong here there now then today again".split()
)
_NO_SUBJECT = re.compile(
    r"^(?:new|old|my|our|the|next|last|first|only|one|sure|okay|yeah|well|from now on.*|if .*|when .*|(?:the )?rest)$",
    re.IGNORECASE,
)
_NOT_OF = {
    "works_as": re.compile(r"^(?:at|in|on|for|with|from)\b"),
    "owns": re.compile(
        r"\b(?:on|in|at|under|for) (?:the|my|her|his) (?:wrong|right|left|\w+ed)\b|\bto \w+(?: with \w+)?$|"
        r"^(?:number \w+|favou?rite|"
        r"birthday|horror|fear|dread|allergy|bad|thing for|problem|place)\b"
    ),
    "comes_from": re.compile(r"^\w{3,}ing\b|^[不会要有很从想去来]"),
    "lives_in": re.compile(
        r"^(?:toast|air|coffee|tea|love|spite|benefits|fear|hope|peace|hell|heaven|style|luxury|hotels?)\b"
    ),
    "works_at": re.compile(r"^(?:meat|pork|sugar|dairy|alcohol|coffee|fish|gluten|bread)\b"),
    "has_condition": re.compile(r"^(?:sugar|meat|milk|bread|alcohol)$"),
    "avoids": re.compile(
        r"^(?:(?:drive|go|come|work|live|watch|read|use|need|want|sleep|see|get|do)$|been|gone|had|seen|met|"
        r"heard|done|known|thought|said|tried|lived|worked)\b"
    ),
    "studies": re.compile(r"^(?:研究生|博士|硕士|本科|书|[大初高][一二三四])$"),
    "is_called": re.compile(r"\s\w+\s\w+\s"),
    "is_partner_of": re.compile(r"^(?:that|this|the|an?|my|work|it)\b"),
}
_MOVES = (
    ("works_as", re.compile(r"^(?:at|for|with) (?P<x>.+)"), "works_at"),
    ("does_regularly", re.compile(r"^works? (?:at|for) (?P<x>.+?)(?: (?:every|on|from) .*| \w+day.*)?$"), "works_at"),
    (
        "studies_at",
        re.compile(r"^(?:the )?(?:university|uni|college|school|art school) (?:for|doing|to do) (?P<x>.+)"),
        "studies",
    ),
    ("does_regularly", re.compile(r"^(?:每天|天天)?(?:去|在)(?P<x>[^吃]{2,8}?)(?:上班|工作)$"), "works_at"),
)
_ARTICLE = re.compile(r"^(?:the|a|an) ")

_CHINESE_NO_SUBJECT = re.compile(
    r"出生|开始|名下|以前|现在|身体|大学?$|忘记|忘了|注意|计划|已经|变了|平时|每天|天天|最近|说|大夫|医生$|记得|记住|"
    r"觉得|感觉|过了|改|换|不|没|把|给|被|从|让|我给$|这个|那个|今年|明年|去年|昨天|今天|明天"
)
_CHINESE_CLAUSE = re.compile(
    r"[你您咱]|我(?!的世界)|他(?!汀)|她|现在|以前|已经|不讨厌|不喜欢|变了|[吗呢吧]$|^(?:的|说|过|把|给|来不及)|有个?人|"
    r"对(?!虾)|不[及上了]$"
)
_NO_HABIT = re.compile(r"搬|离不[了开]|从.+[到去]")
_NO_PLAN = re.compile(r"^(?:变了|改了)|现在|怎么|什么")
_VAGUE_ILL = re.compile(r"身体|不(?:太|大|怎么)?好|不舒服")
_CHINESE_EATS = re.compile(r"^(?:天天|每天|每顿|平时|都|要|就|只|爱)*吃(?P<x>[^药片饭素]{2,8})$")


def plausible(triples: Iterable[Triple], user: str) -> tuple[Triple, ...]:
    """What can be, under the relation it is said of. user: the subject that stands for whoever speaks."""
    kept = list(_told(triples, user))
    has_illness = {one.subject for one in kept if one.relation == "has_condition" and not _VAGUE_ILL.search(one.object)}
    return tuple(
        one
        for one in dict.fromkeys(kept)
        if not (one.relation == "has_condition" and one.subject in has_illness and _VAGUE_ILL.search(one.object))
    )


def _told(triples: Iterable[Triple], user: str) -> Iterator[Triple]:
    for one in triples:
        told = _moved(_under_its_role(one), user)
        if _can_be(told, user):
            yield told


def _under_its_role(triple: Triple) -> Triple:
    """儿子 alone is the speaker's."""
    is_role = simple(triple.subject) in CHINESE_ROLES and triple.relation != "is_called"
    return replace(triple, subject=f"我{triple.subject}") if is_role else triple


def _moved(triple: Triple, user: str) -> Triple:
    for relation, pattern, to in _MOVES:
        if triple.relation == relation and (match := pattern.match(triple.object)):
            return replace(triple, relation=to, object=_ARTICLE.sub("", match["x"]))
    is_fed = triple.relation == "does_regularly" and triple.subject != user
    if is_fed and (match := _CHINESE_EATS.match(triple.object)):
        return replace(triple, relation="eats", object=match["x"])
    return triple


def _can_be(triple: Triple, user: str) -> bool:
    if triple.subject != user and not _can_be_subject(triple):
        return False
    text = triple.object.casefold()
    if (banned := _NOT_OF.get(triple.relation)) and banned.search(text):
        return False
    if (triple.relation == "does_regularly" and _NO_HABIT.search(text)) or (
        triple.relation == "plans" and _NO_PLAN.search(text)
    ):
        return False
    if _CHINESE.search(text):
        is_title = triple.relation.startswith(("plans", "does_regularly", "favourite_", "asked"))
        return is_title or not _CHINESE_CLAUSE.search(simple(text))
    if text in _EMPTY or _LOOSE_END.search(text):
        return False
    return triple.relation in _FREE or triple.object == user or not _CLAUSE.search(text)


def _can_be_subject(triple: Triple) -> bool:
    subject = triple.subject
    if not _CHINESE.search(subject):
        return not _NO_SUBJECT.match(subject)
    plain = simple(subject)
    if triple.relation == "is_kept_in" or plain.startswith("我") or plain in CHINESE_ROLES or "的" in plain:
        return not re.search(r"^把|我给$", plain)
    return not _CHINESE_NO_SUBJECT.search(plain)
