"""Chinese as it is spoken, made plain before it is read: clauses that run into each other parted, who is meant named.

我老婆她叫小芹她在超市上班 is 我老婆叫小芹，她在超市上班; 我儿子壮壮三岁了 is 我儿子叫壮壮，壮壮三岁了; 儿子叫建国 is
我儿子叫建国.
"""

from __future__ import annotations

import re

from companion.memory.distil.zh_reading import is_name
from companion.memory.distil.zh_words import ROLE_RELATIONS, simple

KIN = "|".join(sorted((word for word in ROLE_RELATIONS if word not in ("先生", "对象")), key=len, reverse=True))
_GOES_ON = (
    r"(?:今年|前年|去年|都|也|在|是|不|会|要|有|喜欢|爱|讨厌|怕|对|上|去年|前年|住|当|学|叫|属|得了|快|刚|才|就|还|跟|"
    r"[零一二三四五六七八九十\d]+(?:岁|个月))"
)
_NAME = r"(?P<n>(?P<twice>[\u4e00-\u9fff])(?P=twice)|[小阿大老][\u4e00-\u9fff])"
"""What can be nothing but a name between somebody and what they do: 壮壮, 小雪, 阿强."""
_BARE = re.compile(rf"^(?P<s>(?>{KIN}))(?=(?:叫|名叫|{_GOES_ON}))")
_BARE_NAMED = re.compile(rf"^(?P<s>(?>{KIN})){_NAME}(?={_GOES_ON})")
_NAMED = re.compile(rf"^(?P<s>我们?家?的?(?>{KIN})){_NAME}(?={_GOES_ON})")
_TWICE = re.compile(rf"(?P<s>我们?家?的?(?>{KIN}))[他她它](?={_GOES_ON})")
_PRONOUN = re.compile(
    rf"(?<=[\u4e00-\u9fff])(?<![其吉给跟让叫对和问说把被替到着是当，])(?=[他她它](?!汀|们的|的){_GOES_ON})"
)
_SINCE = re.compile(r"(?<=[\u4e00-\u9fff])(?=(?:现在|如今)(?:在|住|搬|回|改|是|去))")
_BEFORE = re.compile(r"^[^，,]*(?:以前|原来|之前|曾经)[^，,]*(?:现在|如今)")
_HOME = re.compile(r"^(?:我?家里头?|家中)(?=养|有)")


_NO_NAME = frozenset(
    "最最 天天 常常 刚刚 偷偷 慢慢 往往 渐渐 谢谢 好好 年年 月月 个个 小时 小学 小心 阿姨 老师 老板 "
    "老大 老二 老家 老是 老想 大学 大夫 大家 大概 大前 大名 小名".split()
)


def _can_be_one(name: str) -> bool:
    return is_name(name) and name not in _NO_NAME and name not in ROLE_RELATIONS and not re.match(_GOES_ON, name)


def plain(shown: str) -> str:
    """The utterance with commas where its clauses part; characters stay as they were written."""
    shown = _HOME.sub("我家", _PRONOUN.sub("，", _TWICE.sub(r"\g<s>", shown)))
    if _BEFORE.match(simple(shown)):
        shown = _SINCE.sub("，", shown, count=1)
    for pattern, mine in ((_NAMED, ""), (_BARE_NAMED, "我")):
        match = pattern.match(simple(shown))
        if match is not None and _can_be_one(match["n"]):
            role, name = shown[match.start("s") : match.end("s")], shown[match.start("n") : match.end("n")]
            return f"{mine}{role}叫{name}，{name}{shown[match.end() :]}"
    return f"我{shown}" if _BARE.match(simple(shown)) else shown
