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
    "is_called": "name named called 名字 叫 姓名",
    "lives_in": "live lives living home city town moved move address where 住 住在 搬 哪里 家",
    "comes_from": "from origin hometown born grew 来自 老家 出生 家乡 长大 哪里人",
    "works_at": "work works job employer company office 工作 公司 上班 单位 打工",
    "works_as": "work job profession occupation living 职业 工作 做什么 trade 干什么 哪一行",
    "studies_at": "study studies school university college class 学校 上学 大学",
    "is_partner_of": "partner wife husband spouse girlfriend boyfriend married 老婆 老公 妻子 丈夫 女朋友 男朋友 对象",
    "is_a": "what kind breed 是什么 animal 品种",
    "keeps_diet": "diet eat vegetarian vegan halal 吃素 饮食 忌口",
    "born_on": "born birthday birth old 生日 出生 生",
    "is_aged": "age old 岁 年龄 多大",
    "married_on": "wedding married anniversary 结婚 纪念日",
    "died_on": "died death dead 去世",
    "is_kept_in": "where kept keep stored find 放 放在 哪里",
    "wears_size": "size shoe shoes clothes wear 尺码 鞋码 码",
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
    "drives": "drive drives car 开车 车",
    "native_language": "native language 母语",
    "feels": "feel feels mood 心情",
    "is_at": "where 在哪",
    "costs": "cost costs price 价格 多少钱",
}
_MANY = {
    "also_called": "nickname called short 外号 小名 昵称",
    "studies": "study studies learn learning subject 学 专业 subjects course 念 读",
    "is_parent_of": "child children son daughter kid kids mother father mum dad parent 孩子 儿子 女儿 妈妈 爸爸",
    "is_sibling_of": "brother sister sibling twin 兄弟 姐妹 哥哥 姐姐 弟弟 妹妹",
    "is_grandparent_of": "grandmother grandfather gran grandma granddad grandson granddaughter 爷爷 奶奶 外公 外婆",
    "is_relative_of": "aunt uncle cousin niece nephew relative family 亲戚 叔叔 阿姨 表妹 表哥",
    "is_friend_of": "friend friends mate 朋友 闺蜜",
    "is_neighbour_of": "neighbour neighbor door 邻居",
    "is_colleague_of": "boss colleague manager 同事 老板 领导",
    "lives_with": "live lives flatmate roommate with 室友 一起住",
    "has_pet": "pet pets dog cat animal 宠物 狗 猫",
    "likes": "like likes love loves enjoy enjoys favourite favorite 喜欢 爱 fond into happy 爱好 感兴趣 开心",
    "dislikes": "dislike dislikes hate hates afraid 不喜欢 讨厌 怕 stand fear fears mind 烦 受不了 不爱",
    "is_allergic_to": "allergic allergy allergies intolerant 过敏",
    "avoids": "avoid avoids eat 不吃 不喝 忌口 off gave give cannot 戒 不碰 忌",
    "eats": "eat eats feed fed food 吃 喂 bowl 饭 粮",
    "has_appointment": "appointment when date doctor dentist meeting 预约 约 什么时候 day 几号 哪天",
    "plans": "plan plans going when 打算 计划 什么时候 planning intend 准备 想做",
    "does_regularly": (
        "routine every usually regularly when 每天 习惯 平时 weekly habits classes habit 固定 每周 每个星期 定期 安排"
    ),
    "plays": "play plays instrument sport 玩 弹 打",
    "celebrates": "celebrate celebrates feast holiday 过节 庆祝",
    "owns": "own owns have has car 有 drive drives 车 开",
    "speaks": "speak speaks language languages 说 语言 话 会讲",
    "takes_medicine": "medicine pill pills medication tablets take takes 药 吃药 taking on 什么药",
    "has_condition": "illness condition disease ill health sick 病 身体 suffer suffers wrong 毛病",
    "wants": "want wants wish 想要",
    "visited": "visited been trip 去过",
}
_OPPOSITES = (("likes", "dislikes"),)
_SYNONYMS = {
    "is_called": "name has_name is_named 名字 名叫 姓名 叫",
    "also_called": "nickname alias 外号 小名 昵称",
    "lives_in": "live_in lives resides_in lives_at moved_to 住在 居住地 居住在 住",
    "comes_from": "is_from born_in from 来自",
    "works_at": "works_for work_at employed_by 工作于 在职于 就职于",
    "works_as": "job profession occupation is_by_trade 职业",
    "studies_at": "attends goes_to_school_at school",
    "is_partner_of": "married_to spouse wife husband partner girlfriend boyfriend 配偶 老婆 老公 妻子 丈夫",
    "keeps_diet": "diet eats_diet 饮食",
    "born_on": "birthday birth_date born 生日",
    "is_aged": "age has_age aged 年龄 岁",
    "is_kept_in": "kept_in stored_in 放在",
    "wears_size": "shoe_size clothes_size",
    "is_parent_of": "has_child child parent_of mother_of father_of 孩子",
    "is_sibling_of": "has_sibling sibling_of brother sister",
    "is_friend_of": "has_friend friend friend_of 朋友",
    "is_neighbour_of": "is_neighbor_of neighbour neighbor 邻居",
    "is_colleague_of": "colleague boss 同事",
    "has_pet": "pet 宠物",
    "likes": "like loves enjoys 喜欢 爱",
    "dislikes": "dislike hates fears 不喜欢 讨厌",
    "is_allergic_to": "allergic_to has_allergy 过敏",
    "plays": "play 玩",
    "speaks": "speaks_language 说",
    "takes_medicine": "takes_medication medication 吃药",
    "has_condition": "has_illness illness",
    "does_regularly": "has_routine routine 习惯",
    "owns": "has 有",
    "plans": "plans_to 打算 计划",
    "has_appointment": "appointment 预约",
    "phone_number": "telephone phone 电话",
    "dentist": "has_dentist 牙医",
    "doctor": "has_doctor 医生",
}
_FAVOURITES = {
    "film": "电影 片子",
    "food": "吃的 食物 菜",
    "colour": "颜色",
    "song": "歌 歌曲",
    "book": "书",
    "game": "游戏",
    "animal": "动物",
    "flower": "花",
    "breakfast": "早饭 早餐",
    "fruit": "水果",
    "drink": "饮料",
    "sport": "运动",
    "season": "季节",
}
"""What is asked for by a Chinese word is stored under an English one."""
_SINGLE_BEGINNINGS = ("favourite_", "current_", "preferred_")
_FAVOURITE = ("favourite", "favorite", "最喜欢")


def _table() -> dict[str, Predicate]:
    table = {name: Predicate(name, is_single=True, cues=tuple(cues.split())) for name, cues in _SINGLE.items()}
    table |= {name: Predicate(name, cues=tuple(cues.split())) for name, cues in _MANY.items()}
    for one, other in _OPPOSITES:
        table[one] = Predicate(one, opposite=other, cues=table[one].cues)
        table[other] = Predicate(other, opposite=one, cues=table[other].cues)
    return table


PREDICATES = _table()
_NAMES = {said: name for name, words in _SYNONYMS.items() for said in words.split()}
_BY_CUE: dict[str, tuple[str, ...]] = {}
for _predicate in PREDICATES.values():
    for _cue in _predicate.cues:
        _BY_CUE[_cue] = (*_BY_CUE.get(_cue, ()), _predicate.name)
for _kind, _said in _FAVOURITES.items():
    for _cue in _said.split():
        _BY_CUE[_cue] = (*_BY_CUE.get(_cue, ()), f"favourite_{_kind}")


@lru_cache(4096)
def relation_name(said: str) -> str:
    """How a relation is written here: "lives in", "Lives-In" and "住在" are ``lives_in``; empty for nothing."""
    plain = re.sub(r"[\s\-_]+", "_", unicodedata.normalize("NFKC", said).casefold().strip()).strip("_")
    return _NAMES.get(plain, plain).replace("favorite_", "favourite_", 1)


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
