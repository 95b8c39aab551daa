"""What people say in passing, in another order or half, and what cannot be a fact whatever a pattern makes of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from companion.memory.distil import distil
from companion.memory.distil.en_spoken import plain
from companion.memory.distil.plausible import plausible
from companion.memory.distil.zh_spoken import plain as chinese_plain
from companion.memory.facts import Triple

AT = datetime(2025, 3, 31, 12, tzinfo=UTC)


def told(text: str, language: str = "en") -> set[str]:
    found = distil(text, "user", AT, language)
    return {f"{'not ' if one.ends else ''}{one.subject} | {one.relation} | {one.object}" for one in found}


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("my dad, otto, he is still in graz", "my dad otto is still in graz"),
        ("my wife she works at the mill", "my wife works at the mill"),
        ("it is my son nils who plays chess", "my son nils plays chess"),
        ("really allergic to figs", "i am allergic to figs"),
        ("little nils is my nephew", "nils is my nephew"),
        ("my big sis has a dog", "my big sister has a dog"),
        ("i fell in love", "i fell in love"),
    ],
)
def test_spoken_english_is_put_in_order(said: str, order: str) -> None:
    assert plain(said) == order


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("我弟弟他叫阿明他在邮局上班", "我弟弟叫阿明，他在邮局上班"),
        ("我儿子豆豆五岁了", "我儿子叫豆豆，豆豆五岁了"),
        ("女儿叫小雪", "我女儿叫小雪"),
        ("我妈一直住在南京", "我妈一直住在南京"),
        ("我妹妹住在合肥", "我妹妹住在合肥"),
    ],
)
def test_spoken_chinese_is_put_in_order(said: str, order: str) -> None:
    assert chinese_plain(said) == order


@pytest.mark.parametrize(
    "fact",
    [
        ("New", "has_appointment", "exam"),
        ("user", "owns", "favourite cup"),
        ("user", "likes", "tea and"),
        ("user", "works_as", "the"),
        ("user", "lives_in", "what he is"),
        ("user", "avoids", "been to Rome"),
        ("老周出生", "lives_in", "厦门"),
        ("user", "is_allergic_to", "班有个人对猫"),
        ("user", "lives_in", "的酒店"),
        ("user", "plans", "变了现在去上海"),
    ],
)
def test_what_cannot_be_is_not_told(fact: tuple[str, str, str]) -> None:
    assert plausible([Triple(*fact)], "user") == ()


@pytest.mark.parametrize(
    ("fact", "right"),
    [
        (("Emma", "works_as", "at the mill"), ("Emma", "works_at", "mill")),
        (("Emma", "studies_at", "university for law"), ("Emma", "studies", "law")),
        (("旺财", "does_regularly", "天天吃骨头"), ("旺财", "eats", "骨头")),
        (("儿子", "lives_in", "南京"), ("我儿子", "lives_in", "南京")),
    ],
)
def test_what_is_said_of_the_wrong_relation_is_told_of_the_right_one(
    fact: tuple[str, str, str], right: tuple[str, str, str]
) -> None:
    assert plausible([Triple(*fact)], "user") == (Triple(*right),)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Greta's employer is a print shop", "Greta | works_at | print shop"),
        ("Greta's been put on ramipril", "Greta | takes_medicine | ramipril"),
        ("they gave my dad an appointment on friday", "my dad | has_appointment | appointment"),
        ("my cousin reacts badly to celery", "my cousin | is_allergic_to | celery"),
    ],
)
def test_who_has_what_is_told_of_the_right_one(text: str, fact: str) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("oh yes I adore standing in queues", "en"),
        ("the plumber told me he supports the other team", "en"),
        ("I have never been to Rome", "en"),
        ("我们班有个人对花过敏", "zh"),
        ("我以为他是律师", "zh"),
        ("收音机里说有个人住在船上", "zh"),
        ("不想上班", "zh"),
        ("你想住在东京吗啊", "zh"),
    ],
)
def test_nothing_is_told_by(text: str, language: str) -> None:
    assert told(text, language) == set()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("i never said i like jazz", "en"),
        ("it's not true that i work at the mill", "en"),
        ("in the play my line is i have a dog called rex", "en"),
        ("people keep asking me if i am from malta", "en"),
        ("i was going to study law but didn't", "en"),
        ("i'm basically a taxi driver for my kids", "en"),
        ("我可从来没说过我喜欢爵士", "zh"),
        ("谁说我在银行上班", "zh"),
        ("台词是我叫阿宝我住在山洞里", "zh"),
        ("要是当年学了医，我现在就是大夫了", "zh"),
        ("my sister's birthday, is it the fourth or the fifth", "en"),
        ("我弟弟生日是五号还是六号来着", "zh"),
    ],
)
def test_what_was_never_said_or_belongs_to_a_part_tells_nothing(text: str, language: str) -> None:
    assert told(text, language) == set()


@pytest.mark.parametrize(
    ("text", "language", "fact"),
    [
        ("careful with kiwi, nora's allergic", "en", "Nora | is_allergic_to | kiwi"),
        ("my brother piet he stay in ghent", "en", "Piet | lives_in | ghent"),
        ("i used to be a baker but now i'm a piano tuner", "en", "user | works_as | piano tuner"),
        ("sorry sorry, put down may the fifth as nora's birthday", "en", "Nora | born_on | --05-05"),
        ("我把护照藏在挂钟后面了", "zh", "护照 | is_kept_in | 挂钟后面"),
        ("我不弹钢琴了改拉小提琴了", "zh", "user | plays | 小提琴"),
        ("血压高，医生让我吃阿司匹林", "zh", "user | takes_medicine | 阿司匹林"),
    ],
)
def test_what_is_said_in_an_order_of_its_own_is_found(text: str, language: str, fact: str) -> None:
    assert fact in told(text, language)
