"""Whether a question looks back at what was said or done, by its words, in English and Chinese."""

from __future__ import annotations

import re

_ENGLISH = re.compile(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had|used to|been|ago|yesterday|earlier|before|previously|recently"
    r"|last (?:time|night|week|weekend|month|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday)|remember|remind|recall|forget|forgot|told|said|mention(?:ed|s)?|talk(?:ed|s)?"
    r"|discuss(?:ed)?|promised|planned|asked|went|happened|again)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "记得|记住|忘|说过|说的|讲过|提过|提到|告诉过|告诉你|聊过|谈过|答应|问过|去过|做过|过吗|过没|过的|昨天|昨晚|前天|上次|上周|上个|去年|前年"
    "|之前|以前|刚才|刚刚|当时|那天|那次|曾经|后来"
)


def looks_back(question: str) -> bool:
    """Whether it asks about what has been."""
    return bool(_ENGLISH.search(question.replace("’", "'")) or _CHINESE.search(question))
