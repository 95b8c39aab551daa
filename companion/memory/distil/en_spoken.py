"""English as it is spoken, made plain before it is read: who is named twice, who is brought in first, what is left out.

"My dad, Huw, he's still in Barry" is "my dad huw is still in barry"; "it's my son who does physics" is "my son does
physics"; "super allergic to peanuts" is "i am allergic to peanuts". All of it is lower case, contractions undone.
"""

from __future__ import annotations

import re

from companion.memory.distil.en_words import NOBODY, ROLE

_N = r"[^\W\d_][\w\-]*"
_KIN = rf"(?P<s>(?:my|our) (?:{ROLE}))"
_VERB = (
    r"(?:is|are|was|has|have|does|did|will|would|cannot|can|got|'s|[a-z]{3,}s|[a-z]{3,}ed|stay|"
    r"live|work|like|have|go|drive|eat|play|speak|want|love|hate)"
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT = (
    (re.compile(r"\b(my|our|his|her)((?: big| little| older| younger| baby| lil)?) sis\b"), r"\1\2 sister"),
    (re.compile(r"\b(my|our|his|her)((?: big| little| older| younger| baby| lil)?) bro\b"), r"\1\2 brother"),
    (re.compile(r"\b(my|our) (?:hubby|other half)\b"), r"\1 husband"),
    (re.compile(r"\blil\b"), "little"),
    (
        re.compile(rf",? (?:was it|is it|i think it was|it must have been|must have been)(?: in)? (?=(?:{_MONTHS})\b)"),
        " in ",
    ),
    (
        re.compile(
            r",? (?<!in )(?<!i )(?<!my )(?<!we )(?<!you )(?<!they )(?<!to )(?<!and )"
            r"(?:love|dear|duck|mate|bro|dude|darling)"
            r"(?=$|[,.]| but\b| and i\b| so\b)"
        ),
        "",
    ),
)
_LEFT_OUT = re.compile(
    r"^(?:(?:so|super|really|totally|deathly|severely|very|quite|a bit|proper|well|dead|massively|low ?key) )*"
    r"(?P<x>(?:allergic to|obsessed with|addicted to|hooked on|scared of|afraid of|terrified of|mad about|born in|"
    r"intolerant to) .+|(?:vegetarian|vegan|diabetic|coeliac|celiac|asthmatic|colour ?blind)\b.*)"
)
_CLEFT = re.compile(rf"^(?:so |and |well )?(?:it is|there is) {_KIN}(?P<n> {_N})?,? (?:who|that) (?P<x>.+)")
_LITTLE = re.compile(rf"^(?:little|young|old|our|baby) (?P<n>{_N})(?: is| 's) {_KIN}\b")
_NAMED_BESIDE = re.compile(rf"^{_KIN},? (?P<n>{_N}),? (?:he|she|they) (?={_VERB}\b)")
_BETWEEN = re.compile(rf"^{_KIN}, (?P<n>{_N}), (?={_VERB}\b)")
_TWICE = re.compile(rf"^{_KIN},? (?:he|she|they) (?={_VERB}\b)")


def plain(text: str) -> str:
    """The utterance with its subject where it belongs, once."""
    for pattern, written in _SHORT:
        text = pattern.sub(written, text)
    if match := _LEFT_OUT.match(text):
        return f"i am {match['x']}"
    if match := _CLEFT.match(text):
        text = f"{match['s']}{match['n'] or ''} {match['x']}"
    if match := _LITTLE.match(text):
        return f"{match['n']} is {match['s']}{text[match.end() :]}"
    for pattern in (_NAMED_BESIDE, _BETWEEN):
        match = pattern.match(text)
        if match is not None and match["n"] not in NOBODY:
            return f"{match['s']} {match['n']} {text[match.end() :]}"
    return _TWICE.sub(r"\g<s> ", text)
