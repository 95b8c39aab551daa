"""English that names what somebody has of a kind, put into the usual order: "her employer is a law firm" is "works at".

One table for "my X is Y", "Emma's X is Y", "Y is Emma's X" and "for Emma it's Y, X I mean".
"""

from __future__ import annotations

import re

_KINDS = {
    "age": "{s} is {x} years old",
    "employer|workplace|place of work": "{s} works at {x}",
    "food|usual food|diet|dinner": "{s} eats {x}",
    "medicine|medication|pill|pills|tablets": "{s} takes {x} every day",
    "trouble|illness|condition|complaint|diagnosis": "{s} has {x}",
    "subject|major|degree|course": "{s} is studying {x}",
    "roots|people|folks": "{s} is from {x}",
    "weekly thing|hobby": "{s} does {x} regularly",
    "car|wheels": "{s} drives {x}",
}
_ORDERS = {word: order for words, order in _KINDS.items() for word in words.split("|")}
_KIND = rf"(?P<kind>{'|'.join(sorted(_ORDERS, key=len, reverse=True))})"
_OLD = r"(?:new |current |present |usual |own |main |only )*"
_CUE = re.compile(rf"\b(?:{_KIND.replace('(?P<kind>', '(?:')})\b")
_AN_AGE = re.compile(r"(?:about |only )?[\w -]{2,14}(?: years.*)?$")


def patterns(somebody: str) -> tuple[re.Pattern[str], ...]:
    """For a pattern of whoever may be spoken of."""
    whose = rf"(?:(?P<mine>my|our)|(?P<s>{somebody}) 's)"
    return (
        re.compile(
            rf"^{whose} {_OLD}{_KIND}(?: is| are|,| that is|,? it is)(?: now)?(?: all)?(?: in| at| from)? (?P<x>.+)$"
        ),
        re.compile(rf"^(?P<x>.+?)(?: is|,? that is) {whose} {_OLD}{_KIND}$"),
        re.compile(rf"^(?:with|for) (?P<s>{somebody}),? it is (?P<x>.+?),? (?P<mine>)(?:the )?{_KIND}$"),
    )


def by_attribute(text: str, forms: tuple[re.Pattern[str], ...]) -> str:
    """In the usual order; empty where nothing of the kind is said."""
    if _CUE.search(text) is None:
        return ""
    for form in forms:
        match = form.match(text)
        if match is None or re.match(r"(?:not|what|when|where|how|that|this|it)\b", match["x"]):
            continue
        if match["kind"] == "age" and not _AN_AGE.match(match["x"]):
            continue
        who = "i" if match["mine"] else match["s"]
        return _ORDERS[match["kind"]].format(s=who, x=re.sub(r",? (?:not|instead of|rather than) .*$", "", match["x"]))
    return ""
