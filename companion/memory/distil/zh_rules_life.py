"""Chinese clauses about likes, food, health, things, and what is to come or comes again."""

from __future__ import annotations

import re
from re import Match

from companion.memory.distil.zh_reading import Make, Reading, Rule, is_name, plainly, rule, since, thing
from companion.memory.distil.zh_rules_time import plan
from companion.memory.distil.zh_words import BODY, DRUG, FAVOURITES, FEASTS, ILL, PLAYED_THINGS
from companion.memory.times.numbers import CHINESE, chinese

_VERB = r"(?:吃|喝|看|听|玩|打|去|逛|做|读|养|跳|唱|写|画|弹|穿|用)"
_VAGUE = re.compile(
    r"^(?:你|您|他|她|它|这|那|我|自己|人|不|得|上$|死|着|情|护|好$|说$|哭$|"
    r"管|笑|惜|睡|迟到|麻烦|面子|是|的|了|一个人$)"
)


def _likes(relation: str) -> Make:
    def make(reading: Reading, match: Match[str], subject: str) -> bool:
        told = thing(re.sub(r"(?:从小就?.*|比\w+都.*|胜过.*|多过.*)$", "", reading.part.said(match, "x")))
        if not told or _VAGUE.match(told):
            return False
        if reading.plain.endswith("了") and re.search(r"(?:现在|已经|早就|再也)?不(?:再)?(?:喜欢|爱|迷)", match[0]):
            whole = re.search(rf"{_VERB}?{re.escape(told)}", reading.plain)
            reading.notes.end(subject, "likes", reading.part.shown[whole.start() : whole.end()] if whole else told)
            return reading.notes.end(subject, "likes", told)
        reading.notes.add(subject, relation, told)
        return True

    return make


def _ends(relation: str) -> Make:
    return lambda reading, match, subject: reading.notes.end(subject, relation, reading.part.said(match, "x"))


def _favourite(reading: Reading, match: Match[str], subject: str) -> bool:
    kind = match["kind"].strip()
    told = thing(re.sub(r"^(?:当然|还|就|肯定|必须|绝对)?是", "", reading.part.said(match, "x")))
    if not told:
        return False
    name = FAVOURITES.get(kind, kind.lower()) or ("food" if re.search(r"吃", reading.text) else "")
    reading.notes.add(subject, f"favourite_{name}" if name else "likes", told)
    if old := match.groupdict().get("old"):
        reading.notes.end(subject, f"favourite_{name}", old)
    return True


def _allergic(reading: Reading, match: Match[str], subject: str) -> bool:
    said = reading.part.said(match, "x")
    told = thing(re.sub(r"^(?:有点|严重|对|有)", "", said))
    if re.search(r"不过敏|不再过敏|没有过敏", reading.plain):
        reading.notes.end(subject, "is_allergic_to", told)
        return bool(told)
    for one in re.split(r"[和跟、]", told):
        reading.notes.add(subject, "is_allergic_to", one)
    return bool(told)


def _not_allergic(reading: Reading, match: Match[str], subject: str) -> bool:
    reading.notes.end(reading.part.said(match, "who"), "is_allergic_to", thing(reading.part.said(match, "x")))
    return True


def _avoids(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(reading.part.said(match, "x"))
    if not told or _VAGUE.match(told) or re.search(r"起$|下$|完|饱|到|[早午晚]饭|早餐|东西", told):
        return False
    if re.search(DRUG, told):
        reading.notes.end(subject, "takes_medicine", told)
        return True
    if re.search(r"喝不了|吃不了|碰不得", match[0]) and any(
        one.relation == "is_allergic_to" for one in reading.notes.triples
    ):
        return True
    is_intolerant = re.search(r"gluten|麸质|乳糖|花生|坚果", told, re.IGNORECASE) and "不能" in match[0]
    reading.notes.add(subject, "is_allergic_to" if is_intolerant else "avoids", told)
    if reading.plain.endswith("了"):
        reading.notes.end(subject, "likes", told)
    return True


def _quit(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(reading.part.said(match, "x"))
    if not told or len(told) > 4:
        return False
    from companion.memory.times.when_zh import when

    past = when(reading.text, reading.notes.at, past=True)
    owner = reading.notes.user if not match["kin"] and not (match["name"] and is_name(match["name"])) else subject
    reading.notes.add(owner, "avoids", told, since=since(past, reading.notes.at))
    reading.notes.end(owner, "likes", told)
    return True


def _diet(reading: Reading, match: Match[str], subject: str) -> bool:
    told = {"吃素": "吃素", "吃全素": "吃素"}.get(reading.part.said(match, "x"), reading.part.said(match, "x"))
    if "不" in match[0]:
        reading.notes.end(subject, "keeps_diet", told)
    else:
        reading.notes.add(subject, "keeps_diet", told)
    return True


def _ill(reading: Reading, match: Match[str], subject: str) -> bool:
    told = reading.part.said(match, "x")
    if match.groupdict().get("no"):
        reading.notes.end(subject, "has_condition", told)
        return True
    reading.notes.add(subject, "has_condition", told)
    return True


def _no_more_ill(reading: Reading, match: Match[str], subject: str) -> bool:
    reading.notes.end(subject, "has_condition", reading.part.said(match, "x"))
    return True


def _medicine(reading: Reading, match: Match[str], subject: str) -> bool:
    told = re.sub(rf"^(?:{CHINESE}?[片粒颗次个])", "", reading.part.said(match, "x"))
    told = thing(re.sub(r"^(?:点|些|着|了)", "", told))
    if not told:
        return False
    if old := match.groupdict().get("old"):
        reading.notes.end(subject, "takes_medicine", reading.part.said(match, "old") or old)
    reading.notes.add(subject, "takes_medicine", told)
    return True


def _no_medicine(reading: Reading, match: Match[str], subject: str) -> bool:
    owner = subject if match["kin"] or match["us"] else reading.notes.user
    reading.notes.end(owner, "takes_medicine", reading.part.said(match, "x"))
    return True


def _eats(reading: Reading, match: Match[str], subject: str) -> bool:
    if subject == reading.notes.user or not (
        match["name"] or re.search(r"(?:[猫狗鸟鱼]|鹦鹉|兔子|仓鼠|乌龟)$", subject)
    ):
        return False
    reading.notes.add(subject, "eats", thing(reading.part.said(match, "x")))
    return True


def _owns(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(reading.part.said(match, "x"), most=10)
    if not told or re.search(
        r"[事问题主意点梦病会课疼感觉时间机会办法消息朋友工作约]$|^(?:人|事|点|空|"
        r"意思|用|趣|什么)",
        told,
    ):
        return False
    reading.notes.add(subject, "owns", told, sure=0.8)
    return True


def _sold(reading: Reading, match: Match[str], subject: str) -> bool:
    said = thing(re.sub(r"^(?:那辆|那台|那部|那个|我的?|家里的?)", "", reading.part.said(match, "x")), most=10)
    told = re.sub(r"^旧的?", "", said)
    said != told and reading.notes.end(subject, "owns", said)
    told and reading.notes.end(subject, "owns", told)
    return bool(told)


def _size(reading: Reading, match: Match[str], subject: str) -> bool:
    number = chinese(match["x"])
    if number is None:
        return False
    reading.notes.add(subject, "wears_size", str(number))
    return True


_HOLDER = (
    r"(?:抽屉|柜|架|箱|盒|袋|桌|床|冰箱|阳台|厨房|客厅|卧室|书房|车库|地下室|"
    r"储藏室|门口|玄关|鞋柜|衣柜|沙发|枕头|mailbox|钱包|包里|窗台|门垫|花盆|"
    r"地毯|壁橱|罐|篮|墙|楼梯|仓库|洗手台|浴室|院子|保险柜|garage|drawer|closet|"
    r"fridge|后备箱|信箱|书包|文件夹)"
)


_PUT = re.compile(r"放|收|藏|搁|挂|摆|存|塞")
_SPOT = re.compile(r"(?:里|上|下|底|后|前|旁|边|顶|间)[面头边]?(?:了)?$")


def _kept(reading: Reading, match: Match[str], subject: str) -> bool:
    what, where = thing(reading.part.said(match, "what"), most=8), reading.part.said(match, "x").strip()
    where = (
        re.sub(r"(?:里面?|里头|了|着|的|啊|呢|记着.*|记住.*)+$", "", where)
        if not where.endswith("柜子里")
        else where[:-1]
    )
    if (
        not what
        or not (re.search(_HOLDER, where, re.IGNORECASE) or (_PUT.search(reading.plain) and _SPOT.search(match["x"])))
        or re.match(r"(?:我|他|她|你|爸|妈|孩子|猫|狗|人)", what)
    ):
        return False
    if old := match.groupdict().get("old"):
        reading.notes.end(what, "is_kept_in", re.sub(r"(?:里面?|了)+$", "", reading.part.said(match, "old")) or old)
    reading.notes.add(what, "is_kept_in", where)
    return True


def _plays(reading: Reading, match: Match[str], subject: str) -> bool:
    reading.notes.add(subject, "plays", reading.part.said(match, "x")[1:].strip())
    return True


def celebrates(reading: Reading, match: Match[str], subject: str) -> bool:
    reading.notes.add(subject, "celebrates", reading.part.said(match, "x"))
    return True


def _gave_up(reading: Reading, match: Match[str], subject: str) -> bool:
    told = thing(reading.part.said(match, "x"))
    if not told or _VAGUE.match(told):
        return False
    verb = match["v"]
    relation = {
        "学": "does_regularly",
        "去": "does_regularly",
        "练": "does_regularly",
        "打": "plays",
        "弹": "plays",
        "踢": "plays",
        "养": "has_pet",
        "用": "owns",
        "住": "lives_in",
        "上": "does_regularly",
        "跳": "does_regularly",
        "做": "works_as",
        "当": "works_as",
        "跟": "lives_with",
        "开": "owns",
        "读": "studies",
    }[verb]
    if relation == "lives_in":
        told = told.removeprefix("在")
    reading.notes.end(subject, relation, told)
    if verb == "学":
        reading.notes.end(subject, "studies", told)
    if relation == "plays":
        reading.notes.end(subject, "does_regularly", f"{verb}{told}")
    return True


def _moved_out(reading: Reading, match: Match[str], subject: str) -> bool:
    if subject == reading.notes.user:
        return False
    reading.notes.end(reading.notes.user, "lives_with", subject)
    if new := re.search(r"(?:新)?室友(?:叫|是)(\w{1,4})$", reading.text):
        reading.notes.add(reading.notes.user, "lives_with", new[1])
    return True


MEDICINE: tuple[Rule, ...] = (
    rule(
        r"(?:早晚|每天|天天|睡前|饭后|早上|晚上|一直|长期|在|各|都|要|得|现在|改|"
        rf"换成|换)*(?:吃|服|服用|打|用)(?:着|了)?(?:{CHINESE}?[片粒颗次个])?(?P<x>{DRUG})",
        _medicine,
    ),
    plainly(rf"(?:大夫|医生|医院)?(?:给我)?(?:开|配)了(?:点|些)?(?P<x>{DRUG}|[^，,让]{{2,6}}(?=让))", _medicine),
    rule(rf"(?P<old>{DRUG})(?:不吃了?|停了?)[，,]?(?:现在)?(?:改|换)(?:吃|成|用)了?(?P<x>[^，,]{{2,8}})$", _medicine),
    plainly(
        rf"(?:我的?)?(?P<x>{DRUG}|[^，,]{{2,6}}药)(?:大夫|医生)?(?:让|叫|已经|都|"
        r"也)*(?:停|不吃|不用吃|断)了",
        _no_medicine,
    ),
)
RULES: tuple[Rule, ...] = (
    rule(
        r"(?:要说吃啊)?(?:我)?最(?:喜欢|爱)(?:吃|喝|听|看)?的 ?(?P<kind>[\w]{0,6}?) "
        r"?(?:当然|还|就|肯定|必须)*是 ?(?P<x>[^，,]+?)(?:[，,]?不是(?P<old>[^，,]+))?$",
        _favourite,
    ),
    plainly(r"不是 ?(?P<who>\w{2,3}?)(?:对)?(?P<x>海鲜|花生|牛奶|虾|鸡蛋|坚果|花粉|猫毛|\w{2})过敏", _not_allergic),
    rule(r"对 ?(?P<x>[^，,]{1,10}?) ?(?:都|也|有点|严重|很|不)*(?:过敏|不耐受)", _allergic),
    rule(r"(?:有)?(?P<x>[^，,不]{1,6}?)(?:过敏|不耐受)(?:$|[，,喝的不])", _allergic),
    rule(
        r"(?P<no>不)?(?:是|只|一直)*(?P<x>吃全?素|素食|清真|吃斋|vegetarian|vegan|"
        r"生酮)(?:的|了|者|主义者)*$",
        _diet,
    ),
    rule(rf"(?:有|得了?|患有?|确诊|查出)(?:了|轻微|严重|一点|点|先天性|慢性)*(?P<x>(?:{ILL}))", _ill),
    rule(rf"(?P<x>(?:{ILL})(?:{CHINESE}度)?)(?:$|[，,了好很])", _ill),
    rule(
        rf"(?P<x>(?:左|右)?(?:边)?(?:{BODY})(?:一直|都)?(?:不太?好|不行|有问题|有毛病|"
        r"背|疼|受过伤|有旧伤|动过手术|聋|花了))",
        _ill,
    ),
    rule(rf"(?P<x>怀孕|怀二胎|有喜|骨折|失聪|失明)(?:了|$|{CHINESE}|[，,])", _ill),
    rule(rf"(?:的)?(?P<x>{ILL}|{BODY})(?:已经)?(?:好了|治好了|痊愈了|没事了)", _no_more_ill),
    rule(rf"(?P<x>[左右]?(?:{BODY}|胳膊|手腕|脚踝|腿)骨折)", _ill),
    rule(rf"(?:就)?(?:不再?|没以前那么|没那么)(?:喜欢|爱|钟意|迷){_VERB}?(?P<x>[^，,]+)$", _likes("dislikes")),
    rule(
        r"(?:讨厌|恨|怕|害怕|受不了|烦|最烦|反感|闻不惯|吃不惯|看不惯|喝不惯|吃不来|"
        r"不喜)(?:死)?(?P<x>[^，,]+)$",
        _likes("dislikes"),
    ),
    rule(
        rf"(?:只{_VERB}[^，,不]{{1,6}}[，,]?)?(?:从来?|现在|已经|都|也|也不|再也)*(?:不|"
        r"不能|不可以|没法|喝不了|吃不了|不怎么|从不|戒了)(?:再)?(?:吃|喝|碰|抽|"
        r"沾)?(?<=[吃喝碰抽沾了])(?P<x>[^，,]+)$",
        _avoids,
    ),
    rule(r"(?:早就|早|已经|都)*戒(?:掉)?了?(?P<x>烟|酒|糖|咖啡|奶茶|可乐|肉|辣)", _quit),
    plainly(r"(?P<x>烟|酒|糖|咖啡|奶茶|可乐|肉|辣)我?(?:早就|早|已经|都)*(?:戒|不碰|不抽|不喝)(?:掉)?了", _quit),
    rule(r"就好(?:这一?口)?(?P<x>[^，,]+)$", _likes("likes")),
    rule(r"(?:喜欢|爱|钟意|迷上了?|迷|热爱|痴迷|沉迷|偏爱|爱好是?|离不开)(?P<x>[^，,]+)$", _likes("likes")),
    plainly(r"(?P<z>[^，,]{1,4})我都(?:喝|吃|要)(?P<x>[^，,]{2,8})$", _likes("likes")),
    rule(r"(?:平时)?只吃(?P<x>[^，,]+)$", _eats),
    plainly(
        r"(?:我的?|我们家?的?|家里的?)?(?P<what>[^，,在放]{1,8}?)(?:都|就|现在|一直)*(?:放|"
        r"收|藏|搁|挂|摆|存|塞|搬)(?:在|到|进)了? ?(?P<x>[^，,]+?)(?:了)?(?:[，,]?不在(?P<old>[^，,]+))?$",
        _kept,
    ),
    plainly(
        r"(?:我的?|我们家?的?|家里的?)?(?P<what>[^，,在住]{2,8}?)(?:都|就|现在|一直)*在 "
        r"?(?P<x>[^，,]+?)(?:了)?(?:[，,]?不在(?P<old>[^，,]+))?$",
        _kept,
    ),
    rule(rf"(?:会|在学|从小学|学过|常|爱)(?P<x>{PLAYED_THINGS})", _plays),
    rule(
        r"(?:新|刚|最近|又)*(?:(?<=新)买|买了|入手了?|提了|换了)了?(?:一)?(?:辆|"
        r"台|部|把|架|套|块|双|件|条|艘|个)(?P<x>[^，,]+)$",
        _owns,
    ),
    rule(r"有(?:一|两|三)?(?:辆|台|部|把|架|套|块|艘|栋|座|间|处|双)(?P<x>[^，,]+)$", _owns),
    rule(r"开(?:的是|一辆|辆|着一辆)(?P<x>[^，,]+)$", _owns),
    rule(r"(?:把)?(?P<x>[^，,把]{2,8}?)(?:已经|给)?(?:卖|送人|扔|处理)(?:掉)?了", _sold),
    rule(rf"(?:穿|鞋码是?|脚是?|鞋子穿|的鞋码是?|尺码是?)(?P<x>{CHINESE})(?:码|号)?(?:的)?(?:鞋)?", _size),
    rule(rf"(?:都|一定|每年|要|会)*(?:过|庆祝|过的是)(?P<x>{FEASTS})", celebrates),
    rule(rf"(?P<x>{FEASTS})(?:都要|一定|每年都|都会|必须)", celebrates),
    rule(rf"(?:现在|已经)?没有?(?P<x>{ILL})了$", _no_more_ill),
    rule(
        r"不戒(?P<x>[^，,]+)了$",
        _ends("avoids"),
    ),
    rule(
        r"(?:现在|已经)?不讨厌(?P<x>[^，,]+)了$",
        _ends("dislikes"),
    ),
    rule(r"搬(?:走|出去)了", _moved_out),
    rule(r"(?:现在|已经|都|也|早就)*不(?:再)?(?P<v>[学去练打弹踢养用住上跳做当跟开读])(?P<x>[^，,]{1,8})了$", _gave_up),
    rule(
        r"(?:我们?)?(?:跟 ?\w{1,4}?)?(?P<no>不)?(?:打算|准备|计划|想要|想|要跟[^，,去]{1,4}(?=去)|"
        r"要|希望能|决定|争取)(?P<x>[^，,]+)$",
        plan,
    ),
)
