"""Chinese clauses about what is to come and what comes again: appointments, plans, routines."""

from __future__ import annotations

import re
from datetime import timedelta
from re import Match

from companion.memory.distil.told import Notes
from companion.memory.distil.zh_reading import NAME, Part, Reading, Rule, is_name, plainly, rule, thing
from companion.memory.distil.zh_words import FEASTS, PLAYED_THINGS, ROLE, simple
from companion.memory.times.numbers import CHINESE


def _also_celebrates(reading: Reading, match: Match[str], subject: str) -> bool:
    """A feast that is kept is a routine too."""
    reading.notes.add(reading.notes.user, "celebrates", reading.part.said(match, "x"))
    return False


_DAY = r"(?:周|星期|礼拜)[一二三四五六日天末]"
_OFTEN = re.compile(
    rf"每(?:天|周|个?星期|个?礼拜|月|个月|年|晚|逢|次|到|隔)|天天|{_DAY}[^，,]{{0,3}}{_DAY}|"
    rf"一到(?:周末|晚上|{_DAY})|平时|经常|总是|周末(?:都|就)|早晚都?|(?:一|二|"
    r"两|三|四|五)(?:三|四|五|六|日)(?:都|要|上|去)|隔天|都(?:要|会|是我|去)"
)
_HABIT = re.compile(
    r"(?:打|踢|跳|练|合唱|排练|上|去|做|跑|游|爬|骑|遛|接|送|回|买|起床|睡觉|睡午觉|吃|喝|"
    r"看|洗|值班|加班|上班|学|弹|唱|散步|锻炼|健身|视频|打电话|拜|烧|浇|写|读|"
    r"扫|来|开|钓|陪|聚|休息|放学|出门|到家|做饭|午睡|倒垃圾)"
)


def _routine(reading: Reading, match: Match[str], subject: str) -> bool:
    plain = reading.plain
    is_often = _OFTEN.search(plain) or (
        re.search(_DAY, plain)
        and re.search(rf"(?:{PLAYED_THINGS}|上\w+课|练\w+|跳\w+|瑜伽|太极)", plain)
        and "个" not in plain
    )
    if (
        not is_often
        or not _HABIT.search(plain)
        or re.search(r"上周|下周|这周|下下|明天|昨天|去年|改到|改成|取消", plain)
    ):
        return False
    who, said = _who(reading.part, reading.notes)
    said = re.sub(r"^每个?(?=(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末])", "", said)
    said = re.sub(r"^(?:每週|每周|每个?(?!天)|都是?我?|都要?|都|一到|就|的|要)+", "", said)
    said = re.sub(r"(?:的|了|啊|呢|呀)$", "", re.sub(r"都要|都是我|都會|都会|我都|都", "", said)).strip()
    if not 2 <= len(said) <= 24:
        return False
    reading.notes.add(who, "does_regularly", said)
    return True


_US = re.compile(rf"^(?:(?P<kin>(?:我们?家?|咱们?)的?(?:{ROLE}))|我们一?家?人?|我家|我|咱们?|俺)")
_NAMED = re.compile(
    rf"^(?P<name>{NAME})(?=每|天天|周[一二三四五六日天末]|星期|礼拜|一到|平时|"
    rf"经常|{CHINESE}[点号月]|明[天年早晚]|后天|大后天|下个?[周星礼月]|这个?[周星礼]|"
    r"本周|早上|晚上|下午|上午|今年|要|得|有个)"
)
_US_LATER = re.compile(r"(?<=[上下午晚早天末二三四五六日一节])我们?(?:都|就|也)?")


def _who(part: Part, notes: Notes) -> tuple[str, str]:
    """Whom a clause with a time is about, and the rest of it; the speaker where nobody is named."""
    if found := _US.match(part.plain):
        who = (
            f"我{part.shown[found.start('kin') : found.end('kin')].lstrip('我们們家咱的')}"
            if found["kin"]
            else notes.user
        )
        return who, part.shown[found.end() :]
    found = _NAMED.match(part.plain)
    if found and is_name(found["name"]):
        if "都是我" in part.plain or "是我去" in part.plain or "归我" in part.plain:
            return notes.user, part.shown[found.end() :]
        return part.shown[: found.end()].strip(), part.shown[found.end() :]
    if found := _US_LATER.search(part.plain):
        return notes.user, part.shown[: found.start()] + part.shown[found.end() :]
    return notes.user, part.shown


_EVENT = (
    r"(?:看牙医?|牙医|复查|复诊|聚会|聚餐|疫苗|打疫苗|家长会|产检|体检|检查|"
    r"看医生|看病|看中医|看眼科|面试|考试|[月期][中末]?考|考[\w]{1,6}|补考|开会|会议|婚礼|手术|"
    r"做手术|拆线|打针|比赛|演出|表演|音乐会|毕业典礼|开学|答辩|约会|相亲|签约|"
    r"办签证|签证|面签|"
    r"dentist(?: appointment)?|appointment|interview|meeting|报 ?tax|报税|预约|"
    r"剪头发|理发|接机|搬家|葬礼|追悼会|满月酒|喝喜酒|生日会|抽血|做胃镜|胃镜|"
    r"拍片|化疗|透析|洗牙|拔牙|补牙|配眼镜|过户|交房|年检|验车|保养|开庭|培训|"
    r"讲座|同学会|驾照|路考|彩排|家访|修空调|装宽带|送货|[^\W我你他她要去有个得的]{0,4}(?:聚会|面试|"
    r"考试|手术|检查|复查|婚礼|比赛|演出|家长会))"
)


def _appointment(reading: Reading, match: Match[str], subject: str) -> bool:
    notes, plain = reading.notes, reading.plain
    told = reading.when()
    if (
        told is None
        or told.end - told.start > timedelta(days=8)
        or _OFTEN.search(plain)
        or told.start < notes.at.replace(hour=0, minute=0, second=0, microsecond=0)
    ):
        return False
    rest_plain = f"{plain[: told.at[0]]}{'　' * (told.at[1] - told.at[0])}{plain[told.at[1] :]}"
    found = re.search(
        r"(?:要|得|去|有个?|约了|有一个|要去|还有)*(?P<x>(?:医院|学校|公司|老战友|"
        rf"大学同学|[A-Za-z]+ )?{_EVENT})",
        rest_plain,
    )
    if found is None or re.search(r"昨|上周|前天|去了", plain):
        return False
    what = reading.part.shown[found.start("x") : found.end("x")].strip()
    notes.add(_who(reading.part, notes)[0], "has_appointment", thing(what) or what, since=told.start, until=told.end)
    return True


def _moved(reading: Reading, match: Match[str], subject: str) -> bool:
    """ "dentist 改到周五了", "太极拳改到礼拜四了"."""
    notes = reading.notes
    told = reading.when()
    what = thing(re.sub(r"^(?:我的?|我们的?)", "", reading.part.said(match, "what")))
    if told is None or not what:
        return False
    owner, _, event = what.partition("的")
    if event and (is_name(simple(owner)) or owner.startswith("我")):
        notes.end(owner, "has_appointment", event)
        return notes.add(owner, "has_appointment", event, since=told.start, until=told.end)
    if re.search(r"拳|课|球|舞|操|瑜伽|班|训练|练习", what):
        notes.end(notes.user, "does_regularly", what)
        notes.add(notes.user, "does_regularly", f"{what}{reading.part.shown[told.at[0] : told.at[1]]}")
        return True
    notes.end(notes.user, "has_appointment", what)
    notes.add(notes.user, "has_appointment", what, since=told.start, until=told.end)
    return True


def _not_that_day(reading: Reading, match: Match[str], subject: str) -> bool:
    """ "豆豆疫苗是二十七号不是二十六号"."""
    from companion.memory.times.when_zh import when

    notes = reading.notes
    told = when(match["when"], notes.at)
    what = reading.part.said(match, "what")
    if told is None:
        return False
    owner = reading.part.said(match, "who")
    owner = notes.user if not owner or owner.startswith(("我", "咱")) else owner
    notes.end(owner, "has_appointment", what)
    notes.add(owner, "has_appointment", what, since=told.start, until=told.end)
    return True


def _cancelled(reading: Reading, match: Match[str], subject: str) -> bool:
    what = thing(re.sub(r"^(?:我的?|我们的?|那个)", "", reading.part.said(match, "what")))
    what and reading.notes.end(reading.notes.user, "has_appointment", what)
    return bool(what)


_BIG = re.compile(
    r"换(?:套|个|房|工作|车|手机)|买(?:房|车|套|辆)|搬|考|当|学|读|出国|留学|"
    r"旅游|旅行|结婚|生(?:孩子|二胎|个)|回老家|盖房|装修|开(?:店|公司|间|家)|"
    r"退休|创业|辞职|减肥|写(?:书|本)|养(?:只|条|狗|猫)|移民|跑马拉松|健身|毕业|"
    r"考研|读研|种"
)
_TRIVIAL = re.compile(
    r"^(?:去)?(?:过|做饭|煮|开会|开车|变了|睡|吃|喝|听|看(?!.*演)|洗|上厕所|出门|回家$|买菜|下楼|休息|"
    r"歇|问|知道|说|哭|吐|死|笑|打人|静静|点|叫|起床|上班|拿|躺|打游戏|玩会)"
)


_MEANT = re.compile(r"打算|准备|计划|决定")
"""Says by itself that it is a plan, whatever it is."""


def plan(reading: Reading, match: Match[str], subject: str) -> bool:
    told = reading.when()
    said = reading.part.said(match, "x")
    what = said
    if told is not None and not reading.whole and told.at[0] >= match.start("x"):
        start = match.start("x")
        what = said[: told.at[0] - start] + said[told.at[1] - start :]
    what = re.sub(r"^去(?=当|做|考|学|读)", "", thing(what, most=16))
    is_dated = told is not None and told.end > reading.notes.at and told.start.date() > reading.notes.at.date()
    has_break = re.search(r"暑假|寒假|过了年|过年|毕业|年底|春天|夏天|秋天|冬天", reading.plain) is not None
    gives_up = match.groupdict().get("no") and reading.plain.endswith("了")
    if (
        not what
        or _TRIVIAL.match(what)
        or not (is_dated or has_break or _BIG.search(what) or _MEANT.search(match[0]) or gives_up)
    ):
        return False
    if match.groupdict().get("no"):
        reading.notes.end(subject, "plans", what)
        return True
    future = told if is_dated else None
    reading.notes.add(
        subject, "plans", what, since=future.start if future else None, until=future.end if future else None
    )
    return True


_WHO = r"(?P<who>我们?一?家?|咱们?|俺|(?:我的?)?[\u4e00-\u9fff]{2,3}?|[A-Za-z]+)"


def _no_routine(reading: Reading, match: Match[str], subject: str) -> bool:
    return reading.notes.end(subject, "does_regularly", reading.part.said(match, "x"))


TIMED: tuple[Rule, ...] = (
    rule(rf"(?:现在|已经)?不(?P<x>{_DAY}.+)了$", _no_routine),
    plainly(
        rf"{_WHO}?(?P<what>疫苗|考试|面试|复查|聚会|手术|牙医|体检|产检|dentist|婚礼|"
        r"家长会)(?:是|在|改到)(?P<when>[^不，,]+?)(?:[，,]?不是[^，,]+)",
        _not_that_day,
    ),
    plainly(
        r"(?P<what>[^，,改挪]{2,10}?) ?(?:的时间)?(?:已经)?(?:改|挪|推迟|推|提前|调|"
        r"换)(?:到|成|至)了?(?P<x>[^，,]+)",
        _moved,
    ),
    plainly(r"(?P<what>[^，,取]{2,10}?)(?:已经|被)?(?:取消|不去|黄)了", _cancelled),
    plainly(rf"(?P<x>{FEASTS})(?:我们家?)?(?:都要|一定|每年都|都会|必须)", _also_celebrates),
    plainly(r"(?=.*(?:每|天天|周|星期|礼拜|平时|经常|都))", _routine),
    plainly(rf"(?=.*{_EVENT})", _appointment),
)
