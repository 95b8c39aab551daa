"""What is known of relations: which hold one thing at a time, which exclude each other, what words ask for them.

A relation that is not in the table holds many things: a newer fact never ends an older one by mistake.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

LONGEST_RELATION = 64
"""Characters."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """One relation."""

    name: str
    is_single: bool = False
    """One thing at a time: a newer fact supersedes ("lives in")."""
    opposite: str = ""
    """Ends this relation to the same thing ("dislikes" for "likes")."""
    cues: tuple[str, ...] = ()
    """Words of a question that ask for it, casefolded."""


_SINGLE = {
    "lives_in": "live lives living home city town moved move address where 住 住在 搬 哪里 家",
    "comes_from": "from origin hometown 来自 老家",
    "works_at": "work works job employer company office 工作 公司 上班",
    "works_as": "job profession work occupation 职业 做什么",
    "studies_at": "study studies school university college 学校 上学",
    "age": "age old 岁 年龄 多大",
    "born_on": "born birthday birth 生日 出生",
    "born_in": "born birthplace 出生",
    "is_named": "name called 名字 叫 姓名",
    "nickname": "nickname 外号 小名",
    "married_to": "married wife husband spouse 结婚 老婆 老公 妻子 丈夫",
    "partner": "partner girlfriend boyfriend 女朋友 男朋友 对象",
    "mother": "mother mum mom 妈妈 母亲",
    "father": "father dad 爸爸 父亲",
    "doctor": "doctor physician 医生",
    "dentist": "dentist 牙医",
    "phone_number": "phone number telephone mobile 电话 手机",
    "email": "email mail 邮箱",
    "address": "address street 地址",
    "height": "height tall 身高",
    "weight": "weight weigh 体重",
    "blood_type": "blood 血型",
    "wakes_at": "wake wakes up alarm 起床",
    "sleeps_at": "sleep sleeps bed bedtime 睡觉",
    "eats_diet": "diet vegetarian vegan 吃素 饮食",
    "drives": "drive drives car 开车 车",
    "native_language": "native language 母语",
    "feels": "feel feels mood 心情",
    "is_at": "where 在哪",
    "costs": "cost costs price 价格 多少钱",
    "kept_in": "where kept keep stored 放 放在",
}
_MANY = {
    "likes": "like likes love loves enjoy enjoys favourite favorite 喜欢 爱",
    "dislikes": "dislike dislikes hate hates 不喜欢 讨厌",
    "has_child": "child children son daughter kid kids 孩子 儿子 女儿",
    "has_sibling": "brother sister sibling 兄弟 姐妹 哥哥 姐姐 弟弟 妹妹",
    "has_pet": "pet dog cat 宠物 狗 猫",
    "has_friend": "friend friends 朋友",
    "allergic_to": "allergic allergy allergies 过敏",
    "takes_medicine": "medicine pill pills medication take takes 药 吃药",
    "has_condition": "illness condition disease ill 病",
    "speaks": "speak speaks language languages 说 语言",
    "owns": "own owns have has 有",
    "plays": "play plays instrument sport 玩 弹",
    "has_appointment": "appointment when date 预约 约",
    "has_routine": "routine every usually 每天 习惯",
    "wants": "want wants wish 想要",
    "plans": "plan plans 打算 计划",
    "visited": "visited been trip 去过",
}
_OPPOSITES = (("likes", "dislikes"),)
_SYNONYMS = {
    "live_in": "lives_in", "lives": "lives_in", "resides_in": "lives_in", "moved_to": "lives_in", "住在": "lives_in",
    "居住地": "lives_in", "居住在": "lives_in", "works_for": "works_at", "work_at": "works_at",
    "employed_by": "works_at",
    "工作于": "works_at", "在职于": "works_at", "profession": "works_as", "job": "works_as", "occupation": "works_as",
    "职业": "works_as", "is_aged": "age", "has_age": "age", "年龄": "age", "birthday": "born_on", "born": "born_on",
    "生日": "born_on", "name": "is_named", "has_name": "is_named", "名字": "is_named", "名叫": "is_named",
    "spouse": "married_to", "wife": "married_to", "husband": "married_to", "配偶": "married_to", "like": "likes",
    "loves": "likes", "喜欢": "likes", "hates": "dislikes", "不喜欢": "dislikes", "讨厌": "dislikes",
    "child": "has_child", "孩子": "has_child", "pet": "has_pet", "宠物": "has_pet", "friend": "has_friend",
    "朋友": "has_friend", "is_allergic_to": "allergic_to", "过敏": "allergic_to", "telephone": "phone_number",
    "电话": "phone_number", "has_dentist": "dentist", "has_doctor": "doctor", "has_mother": "mother",
    "has_father": "father", "母亲": "mother", "父亲": "father",
}  # fmt: skip
_SINGLE_BEGINNINGS = ("favourite_", "favorite_", "current_", "preferred_")
_FAVOURITE = ("favourite", "favorite", "最喜欢")


def _table() -> dict[str, Predicate]:
    table = {name: Predicate(name, is_single=True, cues=tuple(cues.split())) for name, cues in _SINGLE.items()}
    table |= {name: Predicate(name, cues=tuple(cues.split())) for name, cues in _MANY.items()}
    for one, other in _OPPOSITES:
        table[one] = Predicate(one, opposite=other, cues=table[one].cues)
        table[other] = Predicate(other, opposite=one, cues=table[other].cues)
    return table


PREDICATES = _table()
_BY_CUE: dict[str, tuple[str, ...]] = {}
for _predicate in PREDICATES.values():
    for _cue in _predicate.cues:
        _BY_CUE[_cue] = (*_BY_CUE.get(_cue, ()), _predicate.name)


@lru_cache(4096)
def relation_name(said: str) -> str:
    """How a relation is written here: "lives in", "Lives-In" and "住在" are ``lives_in``; empty for nothing."""
    plain = re.sub(r"[\s\-_]+", "_", unicodedata.normalize("NFKC", said).casefold().strip()).strip("_")
    return _SYNONYMS.get(plain, plain)


def predicate(relation: str) -> Predicate:
    """What is known of a relation, written as ``relation_name`` has it."""
    known = PREDICATES.get(relation)
    if known is not None:
        return known
    if relation.startswith(_SINGLE_BEGINNINGS):
        return Predicate(relation, is_single=True, cues=(*_FAVOURITE, *relation.split("_")[1:]))
    return Predicate(relation)


def relations_asked_by(word: str) -> tuple[str, ...]:
    """The relations of the table that a word of a question asks for."""
    return _BY_CUE.get(word, ())
