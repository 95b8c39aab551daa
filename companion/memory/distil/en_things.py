"""English objects: where what is liked, owned or done ends, and what is too vague to be kept."""

from __future__ import annotations

import re

from companion.memory.distil.en_words import NOBODY

_END = re.compile(
    r"(?:^|\s)(?:because|cos|but|when|while|since|until|though|although|if|which|"
    r"who|that|and (?:i|we|he|she|they|it|my|so|then|just|has|is)|"
    r"for (?:years|ages|me|a living|\w+ years)|as a (?:rule|kid|child|hobby)|"
    r"at the moment|these days|nowadays|now|any ?more|more than|most of all|"
    r"the most|the best|best|"
    r"too|as well|though|already|please|ok|okay|at all|a lot|so much|very much|"
    r"to bits|to death|or something|i think|i guess|honestly|"
    r"in particular|ever since|either|yet|again|mate|you see|thank you|thanks|"
    r"always have|if you must|for breakfast|by the way|in this house|in our "
    r"house|instead|"
    r"like (?:really|mad|crazy)|over the|with a passion|since|due to|so (?:no|"
    r"please|don|keep|that|i|we|never|much)|unfortunately|sadly|of course|even "
    r"though|can you|serious one|don't|dont|just)\b.*$"
)
_FIRST = re.compile(
    r"^(?:(?:a|an|the|some|any|my|our|his|her|their|to|all|also|like|bit of "
    r"a|bit of|lots of|kind of|sort of|of|well|such|in|for) )+"
)
_VAGUE = re.compile(
    r"^(?:it|that|this|these|those|you|your|him|her|them|me|us|how|what|when|"
    r"where|who|there|here|one|ones|new one|so|everything|"
    r"nothing|anything|something|everyone|everybody|someone|being|having|"
    r"not|no|yes|much|many|more|a lot|lot|very|too|to be|be|"
    r"way|idea|fact|sound|look|smell|him too|problem|question|feeling|thing|things|stuff|bit|time|point|moment)\b"
)
_MOST_WORDS = 8


def thing(text: str, *, words: int = _MOST_WORDS) -> str:
    """The object at the beginning of ``text`` without articles; empty where it is too vague or too long."""
    text = _END.sub("", text.strip(" ,.")).strip(" ,.")
    text = _FIRST.sub("", text).strip(" ,.'")
    if not text or _VAGUE.match(text) or len(text.split()) > words:
        return ""
    return text.replace(" 's", "'s")


def things(text: str) -> list[str]:
    """Several: "spanish, italian and english"."""
    return [one for part in re.split(r"\s*,\s*(?:and )?|\s+and\s+|\s*&\s*", text) if (one := thing(part))]


_TITLES = frozenset("mr mrs ms miss dr doctor professor auntie uncle aunt father sister brother".split())


def name(text: str) -> str:
    """A name at the beginning of ``text``; empty where there is none."""
    words = re.findall(r"[^\W\d_][\w\-]*", text.strip())
    if len(words) > 1 and words[0] in _TITLES and words[1] not in NOBODY:
        return f"{words[0].capitalize()} {words[1].capitalize()}"
    if not words or words[0] in NOBODY:
        return ""
    return str(words[0]).capitalize()


def names(text: str) -> list[str]:
    """Several: "leo and mia", "tobi, simi and little dara"."""
    text = re.sub(r"\b(?:little|big|baby|old|young|my|our|called|named)\b ", "", text)
    found = []
    for part in re.split(r"\s*,\s*(?:and )?|\s+and\s+|\s*&\s*|\s+(?=\w+$)", text.strip(" .")):
        if not part.strip():
            continue
        if len(part.split()) > 1 or not (one := name(part)):
            break
        found.append(one)
    return found
