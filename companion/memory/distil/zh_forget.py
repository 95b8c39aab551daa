"""Chinese ways to have something forgotten."""

from __future__ import annotations

import re

from companion.memory.distil.told import Forget
from companion.memory.distil.zh_reading import thing
from companion.memory.distil.zh_words import FAVOURITES, ROLE

_FORGET = re.compile(
    r"(?:忘掉|忘了吧|忘记|忘了|忘光|删掉|删除|删了|抹掉|清除|清掉|擦掉|别记(?:着|"
    r"得|住)?了?|不要再?记(?:着|得|住)?了?|不用记了?|别再记(?:着|得|住)?了?|"
    r"当(?:我|作)?没(?:有)?(?:说|讲)过?|不算数?了?$|清空)"
)
_LAST = re.compile(
    r"(?:刚才|刚刚|上面|前面|上一[句条]|最后[一]?[句条]|我刚|这句|这条|那句|"
    r"那条|这话|刚说|刚讲|这个|那个|这件事|那件事)"
)
_ONLY = re.compile(r"^(?:请|麻烦你?|你|帮我|把|快|就|都|赶紧|吧|了|啊|呀|它|他|掉|这|那|全|哦|给我|\s)*$")
_NOT = re.compile(
    r"^(?:我|他|她|我们?\w{0,4})(?:又|老是?|总是?|差点|好像|都)?(?:忘了|忘记)|"
    r"闹钟|提醒|定时|计时|播放|放歌|购物|清单|消息|短信|别忘|不要忘|没忘|忘不了"
)
_WHAT = (
    (r"住(?:在)?哪|住址|地址|住的地方|住处|家在哪|在哪儿?住", "lives_in"),
    (r"生日|哪天生|出生", "born_on"),
    (r"年龄|多大|几岁|岁数", "is_aged"),
    (r"(?:是)?做什么(?:的|工作)|什么工作|职业|工作|干什么的", "works_as"),
    (r"在哪(?:里|儿)?(?:上班|工作)|单位|公司", "works_at"),
    (r"过敏", "is_allergic_to"),
    (r"鞋码|尺码|穿多大", "wears_size"),
    (r"小名|外号|绰号|昵称|英文名", "also_called"),
    (r"名字|叫什么", "is_called"),
    (r"吃(?:的|什么)药|药", "takes_medicine"),
    (r"病|身体|病情", "has_condition"),
    (r"电话|手机号", "phone_number"),
    (r"老家|哪里人", "comes_from"),
    (r"计划|打算", "plans"),
    (r"习惯", "does_regularly"),
    (r"在哪(?:里|儿)?(?:读书|上学)|学校", "studies_at"),
    (r"车", "owns"),
    (r"宠物", "has_pet"),
)
_THAT = (
    (r"(?:不喜欢|讨厌|怕)(?P<x>.+)", "dislikes"),
    (r"(?:喜欢|爱)(?P<x>.+)", "likes"),
    (r"对(?P<x>.+?)过敏", "is_allergic_to"),
    (r"住在?(?P<x>.+)", "lives_in"),
    (r"在(?P<x>.+?)(?:上班|工作)", "works_at"),
    (r"(?:想|打算|要)(?P<x>.+)", "plans"),
    (r"吃(?P<x>.+药|.+片)", "takes_medicine"),
    (r"有(?P<x>.+病|高血压|哮喘|糖尿病)", "has_condition"),
    (r"是(?P<x>.+)", "works_as"),
)
_EVENTS = re.compile(
    r"(?:(?P<x>\w{2,4}?)的?(?:预约|约会|安排|时间)|(?P<y>牙医|看牙|体检|面试|"
    r"复查|产检|家长会|聚会|手术|疫苗|打疫苗|考试|婚礼|复诊|检查))$"
)
_WHO = re.compile(
    rf"^(?P<who>(?:我们?家?的?)?(?:{ROLE})|我们?家?|他|她|[\u4e00-\u9fff]{{2,3}}?|"
    r"[A-Za-z]+)(?:的|家的?)?(?P<rest>.*)$"
)


def forgotten(plain: str, user: str, shown: str) -> tuple[Forget, ...]:
    """What the user wants forgotten; nothing where that is not what is said. plain: in simplified characters."""
    match = _FORGET.search(plain)
    if (
        match is None
        or (_NOT.search(plain) and not re.match(r"(?:我)?(?:刚|把|说)", plain))
        or re.search(r"[?？]|吗$", plain)
    ):
        return ()
    around = f"{shown[: match.start()]}|{shown[match.end() :]}"
    front, _, back = around.partition("|")
    front = re.sub(
        r"^(?:请|麻烦你?|你|帮我|帮忙|可以|能|快|赶紧|以后|把|就|还是|那|关于|有关|"
        r"跟|\s|,|，)+|(?:都|给我|全部?|全都|统统|通通|请|你|就|给|一起|彻底|\s|"
        r",|，)+$",
        "",
        front,
    )
    back = re.sub(
        r"^(?:关于|有关|跟|吧|了|啊|所有关于|一切关于|全部关于|我说的|我刚才说的|"
        r",|，|\s)+|(?:吧|了|啊|呀|哦|掉|这件事|这事|好吗|谢谢|行吗|有关的|相关的)+$",
        "",
        back,
    )
    front = re.sub(r"^我不想(?:让|要|叫)你(?:知道|记得|记住)|，?\s*$", "", front).strip()
    what = front if len(front) > 1 or not back else back
    is_last = _LAST.search(what) or (len(what) <= 3 and _LAST.search(plain))
    if (is_last and not re.search(r"关于|有关", plain)) or _ONLY.match(what):
        return (Forget(),)
    return _named(what, user)


def _named(what: str, user: str) -> tuple[Forget, ...]:
    everything = re.search(r"(?:所有|一切|全部|有关|关于|相关|的事情?|的东西|的信息|的记录|的一切)", what)
    what = re.sub(r"^(?:关于|有关|跟|和|所有关于|一切关于|你知道的|你记得的|我说的|我说过的|我告诉你的)+", "", what)
    what = re.sub(r"(?:的)?(?:这|那)件?事情?$", "", what)
    what = re.sub(
        r"(?:的)?(?:所有|一切|全部)?(?:有关|相关)?的?(?:事儿?|事情|东西|信息|记录|"
        r"一切|内容|所有事|全部|那些话?|那件事|这件事|那条|资料)$",
        "",
        what,
    )
    found = _WHO.match(what)
    if found is None:
        return _topic(user, what) if what else ()
    who, rest = _person(found["who"], user), found["rest"]
    if event := _EVENTS.search(what):
        return (
            Forget(
                user if (event["x"] or event["y"]) == found["who"] else who,
                "has_appointment",
                (event["x"] or event["y"]).removeprefix("我").removeprefix("的"),
            ),
        )
    if rest in ("计划", "打算"):
        return (Forget(user, "plans", who if who != user else ""),)
    if rest:
        return _topic(who, rest)
    return (Forget(who),) if everything or who != user else ()


def _topic(who: str, rest: str) -> tuple[Forget, ...]:
    if favourite := re.search(r"最(?:喜欢|爱)的?(?P<kind>\w+)", rest):
        kind = re.sub(r"是什么$|是啥$", "", favourite["kind"])
        return (Forget(who, f"favourite_{FAVOURITES.get(kind, kind)}"),)
    for pattern, relation in _WHAT:
        if re.search(pattern, rest) and not (relation == "is_allergic_to" and "对" in rest):
            return (Forget(who, relation),)
    for pattern, relation in _THAT:
        if found := re.match(pattern, rest):
            return (Forget(who, relation, thing(found["x"])),)
    return ()


def _person(who: str, user: str) -> str:
    return user if who in ("我", "我们", "我家", "我的", "我們", "我们家") else re.sub(r"^我们?家?的?(?=.)", "我", who)
