"""Chinese clauses about people: names, family, homes, work, age."""

from __future__ import annotations

import re
from re import Match

from companion.memory.distil.told import PERSON, PLACE
from companion.memory.distil.zh_reading import (
    NAME,
    OTHER,
    Reading,
    Rule,
    as_day,
    is_name,
    note_kin,
    plainly,
    rule,
    since,
    thing,
    told_name,
)
from companion.memory.distil.zh_rules_age import aged
from companion.memory.distil.zh_words import LANGUAGES, ROLE, ROLE_RELATIONS, TRADES
from companion.memory.times.numbers import CHINESE

_NOT_CALLED = re.compile(r"(?:人|的|子|女|党|控|迷|狗|生|家|员|师)$")


def _called(reading: Reading, match: Match[str], subject: str) -> bool:
    notes = reading.notes
    told = told_name(reading.part.said(match, "x"))
    if not told:
        return False
    also = match.groupdict().get("also") or ""
    relation = "also_called" if re.search(r"小名|外号|英文|昵称|网名|绰号", also) else "is_called"
    notes.add(subject, relation, told)
    if relation == "is_called" and match["kin"]:
        note_kin(notes, notes.user, subject, told)
    old = match.groupdict().get("old")
    if old and is_name(old):
        notes.end(subject, relation, reading.part.said(match, "old"))
    return True


def _also_called(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(reading.part.said(match, "x"), most=10)
    if not told or not re.fullmatch(OTHER, told):
        return False
    reading.notes.add(
        reading.notes.user, "is_called" if "可以" in match[0] and not reading.notes.triples else "also_called", told
    )
    return True


def _am(reading: Reading, match: Match[str], subject: str) -> bool:
    told = told_name(reading.part.said(match, "x"))
    if (
        not match["us"]
        or not told
        or (len(told) > 3 and told.isascii() is False)
        or _NOT_CALLED.search(told)
        or re.fullmatch(TRADES, told)
    ):
        return False
    if re.search(
        r"左撇子|独生|属|近视|色盲|素食|单亲|双胞胎|型血|党|退休|男|女|老大|老二|"
        r"医|单身|外地|本地|北方|南方|新手|路痴|吃货",
        told,
    ):
        return False
    reading.notes.add(subject, "is_called", told, kind=PERSON)
    return True


def _is_kin(reading: Reading, match: Match[str], subject: str) -> bool:
    notes = reading.notes
    if subject == notes.user or match["kin"] or not match["name"]:
        return False
    owner = reading.part.said(match, "owner")
    if owner and not is_name(match["owner"]):
        return False
    note_kin(notes, owner or notes.user, match["who"], subject)
    if not owner:
        notes.add(f"我{reading.part.said(match, 'who')}", "is_called", subject)
    return True


def _has_kin(reading: Reading, match: Match[str], subject: str) -> bool:
    told = told_name(reading.part.said(match, "x"))
    if not told:
        return False
    note_kin(reading.notes, subject, match["who"], told)
    if subject == reading.notes.user and match["one"]:
        reading.notes.add(f"我{reading.part.said(match, 'who')}", "is_called", told)
    return True


def _partner(reading: Reading, match: Match[str], subject: str) -> bool:
    told = reading.part.said(match, "x")
    if not is_name(match["x"]) and match["x"] not in ROLE_RELATIONS:
        return False
    if re.search(r"分手|离婚|掰了|分开了|散了", reading.plain):
        reading.notes.end(subject, "is_partner_of", told)
    else:
        past = reading.when(past=True) if not re.search(r"下|明年|要结婚|就要", reading.plain) else None
        reading.notes.add(subject, "is_partner_of", told, since=since(past, reading.notes.at), kind=PERSON)
    return True


def _died(reading: Reading, match: Match[str], subject: str) -> bool:
    told = reading.when(past=True)
    if subject == reading.notes.user or told is None or not (match["kin"] or match["bare"] or "走了" not in match[0]):
        return False
    reading.notes.add(subject, "died_on", as_day(told))
    return True


def _lives_with(reading: Reading, match: Match[str], subject: str) -> bool:
    notes = reading.notes
    other = reading.part.said(match, "x")
    if match["x"] in ("我们", "我", "我们家", "咱们"):
        subject, other = notes.user, subject
    if other == notes.user or not other:
        return False
    notes.add(subject, "lives_with", other, kind=PERSON)
    return True


_NOT_PLACE = re.compile(
    r"^(?:家|这|那|哪|楼[上下]|路上|床|厨房|客厅|公司|外面|学校$|医院$|一起|"
    r"里面|隔壁|旁边|车上|单位|这儿|那儿|老家$)|了$|(?:上班|工作|打工)"
)


def _lives(reading: Reading, match: Match[str], subject: str) -> bool:
    place = thing(
        re.sub(r"(?:生活|定居|居住|住着?|安家|那边|这边|去了?$|了|多年|好多年).*$", "", reading.part.said(match, "x")),
        most=12,
    )
    place = re.sub(r"^(?:在)", "", place)
    if "学校宿舍在" in reading.plain:
        place = place.split("在")[-1]
    if not place or _NOT_PLACE.search(place) or (subject in ROLE_RELATIONS and "住" not in match[0]):
        return False
    past = reading.when(past=True)
    reading.notes.add(subject, "lives_in", place, since=since(past, reading.notes.at), kind=PLACE)
    if match.groupdict().get("old"):
        reading.notes.end(subject, "lives_in", reading.part.said(match, "old"))
    return True


def _is_in(reading: Reading, match: Match[str], subject: str) -> bool:
    """ "晓燕在珠海": where somebody is lives there, unless a day is told."""
    return reading.when(past=True) is None and _lives(reading, match, subject)


def _from(reading: Reading, match: Match[str], subject: str) -> bool:
    place = thing(reading.part.said(match, "x"), most=8)
    place = re.sub(r"(?:人|长大|出生|那边)$", "", place)
    is_bad = re.search(
        r"^(?:个|一个|女|男|老|好|坏|大(?!连|理|同|庆)|小|你|我|中间|最|做|学|当|教|搞|新|同)|年$|"
        r"[学做卖教搞管修]|.开|开(?!封|平|原|化|县)|属",
        place,
    )
    if not place or is_bad or len(place) < 2 or re.search(rf"(?:{ROLE})$", place):
        return False
    reading.notes.add(subject, "comes_from", place, kind=PLACE)
    return True


_NOT_EMPLOYER = re.compile(r"^(?:家|这|那|外面|外地|哪|外头|学校里?$|公司$|单位$)")


def _works_at(reading: Reading, match: Match[str], subject: str) -> bool:
    notes = reading.notes
    place = thing(re.sub(r"^(?:一家|一间|一个|一所|那家|家|间)", "", reading.part.said(match, "x")), most=14)
    what = reading.part.said(match, "y") if "y" in match.groupdict() else ""
    if not place or (_NOT_EMPLOYER.match(place) and not what):
        return False
    if not _NOT_EMPLOYER.match(place):
        notes.add(subject, "works_at", place)
    if (
        what
        and (told := thing(re.sub(r"^(?:个|一名|一个)", "", what), most=10))
        and not re.search(r"作业|饭|菜|梦|客|事|什么", told)
    ):
        notes.add(subject, "works_as", told)
    elif "教书" in match[0] or "任教" in match[0]:
        notes.add(
            subject,
            "works_as",
            reading.part.shown[place_of : place_of + 2] if (place_of := reading.plain.find("教书")) >= 0 else "老师",
        )
    return True


def _works_as(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(
        re.sub(
            r"^(?:了?[一二两三四五六七八九十几多\d]+年)?的?(?:一名|一个|一位|个|名)?", "", reading.part.said(match, "x")
        ),
        most=24,
    )
    if not told or re.search(
        r"饭|菜|作业|梦|客|事|什么|手术|运动|爱|(?<![蜂纪持羊工])人$|家务|瑜伽|法|对|准备|决定|检查|"
        r"生意的?人",
        told,
    ):
        return False
    reading.notes.add(subject, "works_as", told)
    if place := match.groupdict().get("at"):
        reading.notes.add(subject, "works_at", thing(reading.part.said(match, "at")) or place)
    return True


def _now_at(reading: Reading, match: Match[str], subject: str) -> bool:
    """ "志强换工作了,现在在地铁公司": the clause before says that it is the work."""
    last = reading.notes.triples[-1] if reading.notes.triples else None
    told_work = last is not None and last.relation == "works_as" and last.subject == subject
    if not told_work and not re.search(r"换工作|跳槽|辞职|离职|换了?单位|换了?公司", reading.text):
        return False
    reading.notes.add(
        subject if subject != reading.notes.user or not reading.notes.person else reading.notes.person,
        "works_at",
        thing(reading.part.said(match, "x")),
    )
    return True


def _changes_work(reading: Reading, match: Match[str], subject: str) -> bool:
    if subject != reading.notes.user:
        reading.notes.person = subject
    return True


def _no_more_at(reading: Reading, match: Match[str], subject: str) -> bool:
    place = thing(re.sub(r"^(?:那家|那个|那间|那所|这家)", "", reading.part.said(match, "x")))
    place and reading.notes.end(subject, "works_at", place)
    return bool(place)


def _retired(reading: Reading, match: Match[str], subject: str) -> bool:
    past = reading.when(past=True)
    reading.notes.add(subject, "works_as", "退休", since=since(past, reading.notes.at))
    return True


def _studies(reading: Reading, match: Match[str], subject: str) -> bool:
    notes = reading.notes
    where = reading.part.said(match, "at") if match.groupdict().get("at") else ""
    what = thing(reading.part.said(match, "x"), most=10) if match["x"] else ""
    if what and re.search(r"^(?:会|习$|校$|校|做|到|着|完|了|会了|不|开车|游泳|做饭|一下|生|费|好)|书$|了$", what):
        what = ""
    is_school = re.search(r"大学|学院|中学|小学|学校|高中|一中|师大|university|college", where, re.IGNORECASE)
    if where and (what or is_school) and what != "校":
        notes.add(subject, "studies_at", where)
    what = re.sub(r"(?:专业|系)$", "", what)
    what and notes.add(subject, "studies", what)
    return bool(where or what)


def _school(reading: Reading, match: Match[str], subject: str) -> bool:
    reading.notes.add(subject, "studies_at", reading.part.said(match, "x"))
    return True


def _speaks(reading: Reading, match: Match[str], subject: str) -> bool:
    for found in re.finditer(LANGUAGES, reading.plain):
        reading.notes.add(subject, "speaks", reading.part.shown[found.start() : found.end()])
    return True


RULES: tuple[Rule, ...] = (
    rule(
        r"(?P<also>小名|大名|英文名字?|名字|外号|全名|昵称|网名|绰号|本名|中文名)?叫做?(?!我) "
        rf"?(?P<x>{NAME}) ?(?:大名叫.*|[，,]?不(?:是|叫)(?P<old>{OTHER})|[的啦了呀啊吧]*(?:[，,].*|"
        r"还在.*|在.*|是.*)?)$",
        _called,
    ),
    rule(rf"(?P<also>名字|大名|小名|英文名)(?:是|叫)(?P<x>{NAME})[啦了呀啊]*$", _called),
    plainly(
        rf".*?(?:可以)?(?:叫|喊|称呼)我(?:做|为)? ?(?P<x>{NAME})(?:就行|就好|就可以|"
        r"吧|好了|即可)?了?$",
        _also_called,
    ),
    plainly(rf".*?(?:都|一般|习惯)*(?:喊|叫)我 ?(?P<x>{OTHER})$", _also_called),
    rule(
        rf"是 ?(?P<owner>(?!我){NAME}(?=的|家的))?(?:我们?家?|的|家的)?的?(?P<who>{ROLE})(?:$|"
        r"[，,的今就在他她还那归上读也])",
        _is_kin,
    ),
    rule(
        r"(?:有|就|只有|还有|家)(?:就|了)?(?P<one>一个|个|一|俩|两个|三个)*(?:亲|"
        rf"小|大|双胞胎)?(?P<who>{ROLE})[，, ]?(?:名字)?叫 ?(?P<x>{NAME})(?:$|[，,在今了是])",
        _has_kin,
    ),
    rule(
        rf"(?:(?:下个?月|明年|马上|去年|今年|就要|要|上个?月)*(?:结婚了?)?[，,]?)?嫁给了?(?:一个叫)?(?P<x>{NAME}"
        r")(?:的|了|$)",
        _partner,
    ),
    rule(
        rf"(?:跟|和|与) ?(?P<x>{OTHER}?) ?(?:都|也|已经|是)?(?:(?:上|去|前|下|今|"
        rf"昨|这|刚|{CHINESE})[^，,]{{0,5}}?)?(?: ?engaged? ?|订婚|结婚|领证|在一起|"
        r"谈恋爱|分手|离婚|掰)",
        _partner,
    ),
    rule(r"[^，,]{0,6}?(?:走了|去世|过世|没了|病逝|不在了|过身|离世|往生)", _died),
    rule(
        rf"(?:跟|和|与) ?(?P<x>我们家?|我|咱们|(?:我的?)?(?:{ROLE})|{NAME}) ?(?:一起住|"
        r"一块儿?住|同住|合租|住(?:在)?一起|住一块儿?)",
        _lives_with,
    ),
    rule(
        rf"(?P<x>{CHINESE}?)?(?P<y>)退休前(?:是|做)(?P<at>)(?P<z>.+)$",
        lambda reading, match, subject: _retired_from(reading, match, subject),
    ),
    rule(r"(?:从(?P<old>[^，,到搬]{1,8}))?(?:就|已经)?搬(?:到|去|来|回|家到)了?(?P<x>[^，,]+)", _lives),
    rule(r"(?:[^，,在]{0,6}?)?(?:住在?|家住|(?<!老)家在|家住在) ?(?P<x>[^，,]+)$", _lives),
    rule(r"(?:是)?在(?P<x>[^，,]{2,10}?)(?:长大|出生|生的|土生土长)", _from),
    rule(r"在 ?(?P<x>[^，,]{2,10}?) ?(?:生活|定居|安家|落户)", _lives),
    rule(r"人(?:还|现在)?在 ?(?P<x>[A-Za-z\u4e00-\u9fff]{2,12}?)(?: 老家.*|[了呢]?$)", _lives),
    rule(
        r"(?:还|现在|在)+(?P<x>(?:沈阳|北京|上海|广州|深圳|成都|重庆|杭州|南京|武汉|"
        r"西安|天津|苏州|长沙|郑州|青岛|厦门|香港|澳门|台北|台南|高雄|台中|新竹|"
        r"昆明|大连|哈尔滨|珠海|东莞|佛山|福州|合肥|济南|美国|英国|加拿大|日本|澳洲|"
        r"澳大利亚|法国|德国|新加坡|[A-Z][a-z]+|海口|三亚|贵阳|兰州|南宁|南昌|太原|"
        r"石家庄|长春|乌鲁木齐|拉萨|呼和浩特|银川|西宁|温州|宁波|无锡|常州|泉州|"
        r"烟台|洛阳|桂林|绵阳|宝鸡|眉山|内蒙古|新疆|西藏|云南|四川|广东|湖南|湖北|"
        r"浙江|江苏|福建|山东|河南|河北|东北|台湾|马来西亚|泰国|韩国|纽约|伦敦|巴黎|"
        r"东京|多伦多|温哥华|悉尼|墨尔本))(?:[，,]?不在(?P<old>[^，,]+))?$",
        _is_in,
    ),
    rule(r"(?:来自|老家(?:是|在)?|祖籍(?:是)?|籍贯(?:是)?) ?(?P<x>[^，,]{2,8})$", _from),
    rule(r"[^，,回]*(?<!回)老家(?:是|在)? ?(?P<x>[^，,]{2,6})$", _from),
    rule(r"是 ?(?P<x>[^，,是]{2,6}?)(?:人|那边的|来的)(?:$|[，,])", _from),
    rule(
        rf"(?:是|当|现在是|做)(?:一名|一个|一位|个)? ?(?P<x>{TRADES})(?:的?在(?P<at>[^，,]{{2,10}}))?(?:$|"
        r"[，,的了])",
        _works_as,
    ),
    rule(r"自己开了?(?:一)?(?:间|家|个)(?P<x>[^，,]{2,10})$", _works_at),
    rule(
        r"在 ?(?P<x>[^，,]{2,14}?) ?(?:上班|工作|打工|教书|任教|任职|就职|兼职|做事|"
        r"当差|实习)(?:$|[，,的了呢])",
        _works_at,
    ),
    rule(r"在 ?(?P<x>[^，,]{2,14}?) ?(?:当|做|担任) ?(?P<y>[^，,]{2,10})$", _works_at),
    rule(
        r"(?:是)?在(?P<at>[^，,]{2,12}?(?:大学|学院|中学|小学|学校|高中|一中|师大)?)(?:读|"
        r"学|念|攻读)(?P<x>[^，,]{0,8})$",
        _studies,
    ),
    rule(r"做 ?(?P<x>[^，,]{2,8}?) ?的(?:在(?P<at>[^，,]{2,10}))?$", _works_as),
    rule(r"(?:是)?(?:开|教|卖|跑) ?(?P<x>(?:出租车|公交车|滴滴|网约车|大货车|火车|地铁|校车))(?:的)?$", _works_as),
    rule(r"在?(?P<x>[^，,]{0,1})(?:已经|早就)?退休了?(?:$|[，,好已])", _retired),
    rule(r"(?:现在)?在(?P<x>[^，,]{2,10})(?:了|上班)?$", _now_at),
    rule(r"(?:换工作|跳槽)了?$", _changes_work),
    rule(r"(?:已经)?不在(?P<x>[^，,]{2,10}?)(?:干|做|上班|工作|教|待)了$", _no_more_at),
    rule(r"(?:从)(?P<x>[^，,]{2,10}?)(?:辞职|离职|出来)了$", _no_more_at),
    rule(
        r"(?:在)?(?:学的?是|主修的?是?|读的是|读的|念的是|是学|是读|自学|在学|现在学|"
        r"改学|转到|开始学|学) ?(?P<x>[^，,]{2,8})$",
        _studies,
    ),
    rule(
        r"(?:在)?(?:读|上|念) ?(?P<x>[^，,的]{1,8}(?:大学|中学|小学|高中|初中|幼儿园|"
        r"学院|学校|一中|中班|大班|小班|年级))(?:$|[，,了的])",
        _school,
    ),
    rule(rf"(?:在家)?(?:会)?(?:讲|说|会) ?(?:一点|流利的|一口)?(?P<x>{LANGUAGES})", _speaks),
    rule(rf"(?P<x>{CHINESE}) ?(?:周?岁|岁)?(?:半)?[了啦]?(?:[，,]?不是(?P<old>{CHINESE})(?:岁)?)?$", aged),
    rule(rf"是 ?(?P<x>(?![^，,]*的(?:$|[，,])){OTHER})(?:$|[，,])", _am),
    rule(r"是 ?(?P<x>[^，,是]{2,5}?)的(?:$|[，,])", _from),
)


def _retired_from(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(reading.part.said(match, "z"), most=10)
    told and reading.notes.add(subject, "works_as", told)
    return bool(told)
