"""English ways to have something forgotten."""

from __future__ import annotations

import re

from companion.memory.distil.en_things import thing
from companion.memory.distil.en_words import MEETINGS, ROLE
from companion.memory.distil.told import Forget

_FORGET = re.compile(
    r"^(?:(?:please|can you|could you|would you|you can|you should|i want you to|i would like you to|i'd like you to|"
    r"just|and|now|go ahead and|you need to|i need you to|you may|oh|never mind|nevermind|cancel that|actually|hey|"
    r"listen|okay|ok|sorry|on second thoughts?|no|er|erm|um|well|right|"
    r"i think you should|you'd better|better|i'd rather you|it's better to|let's|let us),? )*"
    r"(?:forget|unlearn|unremember|ignore|disregard|erase|delete|wipe(?: out)?|remove|scrap|strike out|strike|"
    r"don't remember|"
    r"do not remember|don't keep|do not keep|don't store|do not store|don't save|do not save|stop remembering|"
    r"stop keeping|get rid of|clear|scratch|take|no need to remember|you don't "
    r"(?:need|have) to (?:remember|keep|know)|"
    r"no longer remember|i don't want you to (?:remember|know|keep|store))\b(?: about)? ?(?P<x>.*)$"
)
_LAST = re.compile(
    r"^(?:(?:all of |all )?(?:that|it|this|what i (?:just )?(?:said|told you|"
    r"mentioned)(?: just now| about that)?|the last (?:thing|bit|one|part)(?: "
    r"i (?:said|told you))?|that last (?:thing|bit|one|part)|what i've just "
    r"said|i (?:ever )?(?:said|told you|mentioned) (?:that|it|anything)|everything "
    r"i just said|what you just heard|the last thing you (?:learned|heard|stored)))"
    r"(?: (?:please|then|again|from your memory|now|one|bit|thing|last thing|"
    r"about that|i said|i told you|will you|would you|straight away|right away|"
    r"thanks|thank you|okay|ok|part|from memory))*$"
)
_NOT_MEMORY = re.compile(
    r"^(?:(?:a|my|your|the) (?:break|seat|nap|bath|shower|photo|picture|note|"
    r"message)|the (?:timer|alarm|reminder|milk|shopping|list|light|lights|music|"
    r"song|note|message|order|rice|oven)|my (?:alarm|timer|reminder|keys|umbrella|"
    r"coat|bag|phone)|to |it$|alarm|timer|reminder|item|all (?:alarms|timers|"
    r"reminders)|about it$|the last (?:song|message|reminder|timer|alarm|item))"
)
_EVERYTHING = re.compile(
    r"^(?:everything|anything|all|whatever|all the things|every ?thing|what)(?: "
    r"that)?(?: (?:you know|you have(?: stored| saved)?|you've (?:stored|saved|"
    r"got|learned)|you remember|i (?:have )?(?:told|said)(?: to)? you|i've (?:told "
    r"you|said)|i ever told you|i said|i told you|you have on|you've got on|"
    r"there is))*(?: (?:about|on|to do with|regarding|concerning|of) (?P<x>.+))$"
)
_OF = re.compile(
    r"^(?:(?:that )?(?P<who>my|our|(?:my |our )?[\w ]+?'s|[\w]+) )?(?P<what>(?:new "
    r"|old )?(?:email(?: address)?|phone number|number|address|birthday|age|"
    r"job|work|workplace|diet|allergy|allergies|home|name|nickname|favou?rite "
    r"\w+|medicine|medication|tablets|pills|shoe size|size|illness|condition|"
    r"pet|car|plans?|routines?|habits?|employer|city|languages?|school|studies|"
    r"likes|dislikes|appointments?|surname))$"
)
_WHAT = {
    "birthday": "born_on",
    "age": "is_aged",
    "job": "works_as",
    "work": "works_at",
    "workplace": "works_at",
    "employer": "works_at",
    "diet": "keeps_diet",
    "allergy": "is_allergic_to",
    "allergies": "is_allergic_to",
    "home": "lives_in",
    "address": "lives_in",
    "city": "lives_in",
    "name": "is_called",
    "nickname": "also_called",
    "medicine": "takes_medicine",
    "medication": "takes_medicine",
    "tablets": "takes_medicine",
    "pills": "takes_medicine",
    "shoe size": "wears_size",
    "size": "wears_size",
    "illness": "has_condition",
    "condition": "has_condition",
    "pet": "has_pet",
    "car": "owns",
    "plan": "plans",
    "plans": "plans",
    "routine": "does_regularly",
    "routines": "does_regularly",
    "habit": "does_regularly",
    "habits": "does_regularly",
    "language": "speaks",
    "languages": "speaks",
    "school": "studies_at",
    "studies": "studies",
    "likes": "likes",
    "dislikes": "dislikes",
    "appointment": "has_appointment",
    "appointments": "has_appointment",
    "phone number": "phone_number",
    "number": "phone_number",
    "email": "email",
    "email address": "email",
}
_CLAUSES = (
    (r"where (?P<who>i|we|(?:my )?[\w ]+?) (?:live|lives|lived|am living|is living|stays|stay)", "lives_in"),
    (r"where (?P<who>i|we|(?:my )?[\w ]+?) (?:work|works|worked)", "works_at"),
    (r"where (?P<who>i|we|(?:my )?[\w ]+?) (?:am|is|come|comes|are) from", "comes_from"),
    (r"where (?P<who>i|we|(?:my )?[\w ]+?) (?:study|studies|goes to school|go to school)", "studies_at"),
    (r"how old (?P<who>i|we|(?:my )?[\w ]+?) (?:am|is|are)", "is_aged"),
    (r"when (?P<who>i|we|(?:my )?[\w ]+?) (?:was born|were born)", "born_on"),
    (r"what (?P<who>i|we|(?:my )?[\w ]+?) (?:do|does) (?:for a living|for work)", "works_as"),
    (r"what (?P<who>i|we|(?:my )?[\w ]+?) (?:am|is|are) allergic to", "is_allergic_to"),
    (r"what (?P<who>i|we|(?:my )?[\w ]+?) (?:like|likes)", "likes"),
)
_THAT = (
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:like|likes|love|loves) (?P<x>.+)", "likes"),
    (
        r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:hate|hates|don't like|doesn't like|dislike|dislikes) (?P<x>.+)",
        "dislikes",
    ),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:live|lives) in (?P<x>.+)", "lives_in"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:work|works|worked) (?:at|for|in) (?P<x>.+)", "works_at"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:am|is|are|'m|was) allergic to (?P<x>.+)", "is_allergic_to"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:take|takes) (?P<x>.+)", "takes_medicine"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:am|is|are|was) (?:a|an) (?P<x>.+)", "works_as"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:play|plays|played) (?:the )?(?P<x>.+)", "plays"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:have|has|had|own|owns|'ve got) (?:a |an |the )?(?P<x>.+)", "owns"),
    (r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:speak|speaks) (?P<x>.+)", "speaks"),
    (
        r"(?P<who>i|we|(?:my )?[\w]+(?: \w+)?) (?:am|is|are|'m) (?:going to|planning "
        r"to|thinking of) (?P<x>.+)",
        "plans",
    ),
)
_TAIL = re.compile(
    r"(?:,? (?:please|now|then|again|from your memory|i (?:told|mentioned to) "
    r"you about|will you|would you|thanks|thank you|ok|okay|for good|completely|"
    r"right|would you|yeah|forget (?:it|that|about it)|entirely|altogether|at once|straight away|all of it|forever))+$"
)


def forgotten(text: str, user: str) -> tuple[Forget, ...]:
    """What the user wants forgotten; nothing where that is not what is said. text: lower case."""
    match = _FORGET.match(_TAIL.sub("", text.strip(" .!?")).replace("i'm", "i am"))
    if match is None:
        return ()
    what = match["x"].strip()
    is_plain = re.match(r".*\b(?:forget|unlearn|unremember|remembering|remember|disregard)\b", text) is not None
    what = re.sub(r" out of (?:your|the) (?:memory|notes|records|head)$", "", what)
    if text.startswith("take ") and what == match["x"].strip():
        return ()
    first, _, rest = what.partition(", ")
    if rest and _LAST.match(first) and re.match(r"(?:don't|do not|no need|forget|i |it |that )", rest):
        what = first
    if _LAST.match(what):
        return (Forget(),) if is_plain or re.search(r"said|told|last", what) or what in ("that", "it", "this") else ()
    if _NOT_MEMORY.match(what) or not what:
        return ()
    return _named(what, user, is_plain=is_plain)


_MENTIONED = re.compile(
    r"^(?:that )?(?:i |we )(?:ever |just )*(?:told you about|mentioned|talked "
    r"about|spoke about|said (?:anything|something) about) (?P<x>.+)$"
)


def _named(what: str, user: str, *, is_plain: bool) -> tuple[Forget, ...]:
    if found := _MENTIONED.match(what):
        return _topic(found["x"], user) or (Forget(_who(found["x"], user)),)
    if found := _EVERYTHING.match(what):
        return _topic(found["x"], user) or (Forget(_who(found["x"], user)),)
    topic = _topic(
        what.removeprefix("about ")
        .removeprefix("what i said about ")
        .removeprefix("what you know about ")
        .removeprefix("the thing about "),
        user,
    )
    if topic:
        return topic
    if not is_plain:
        return ()
    for lead in (
        "what i said about ",
        "what i told you about ",
        "what you know about ",
        "the thing about ",
        "anything about ",
        "about ",
    ):
        if what.startswith(lead):
            return (Forget(_who(what.removeprefix(lead), user)),)
    if re.match(rf"(?:my (?:{ROLE})(?:'s (?:{ROLE}))?|\w+)$", what) and not re.match(
        r"(?:so|how|why|what|who|when|where|everything|anything|me|you|him|her|to|all)$", what
    ):
        return (Forget(_who(what, user)),)
    return ()


_EVENT_OF = re.compile(rf"(?:(?P<who>my|our|the|(?:my )?[\w ]+?'s) )(?P<x>(?:\w+ )?(?:{MEETINGS}))$")


def _topic(what: str, user: str) -> tuple[Forget, ...]:
    what = re.sub(r"^(?:about )", "", what)
    for pattern, relation in _CLAUSES:
        if found := re.fullmatch(pattern, what):
            return (Forget(_who(found["who"], user), relation),)
    told = re.sub(
        (
            r"^(?:(?:the (?:bit|part|thing|fact) )?(?:about |where i said )?that |the "
            r"(?:bit|part) about |i (?:said|told you) (?:that )?|what i said about )"
        ),
        "",
        what,
    )
    if told != what or re.match(r"(?:i|we|my \w+|\w+) (?:like|likes|love|loves|am|is) ", what):
        for pattern, relation in _THAT:
            if found := re.fullmatch(pattern, told):
                return (Forget(_who(found["who"], user), relation, thing(found["x"])),)
    if found := re.fullmatch(
        (
            r"(?:the|my|our) (?P<x>[\w ]+?) appointment(?: .*)?|(?:the|my|our) appointment "
            r"(?:with|at) (?:the )?(?P<y>[\w ]+)"
        ),
        what,
    ):
        return (Forget(user, "has_appointment", (found["x"] or found["y"]).strip()),)
    if found := _EVENT_OF.fullmatch(what):
        return (Forget(_who(found["who"].replace("the", "my"), user), "has_appointment", found["x"]),)
    found = _OF.fullmatch(told if not told.startswith("the ") else told[4:])
    if found is None:
        return ()
    word = found["what"].removeprefix("new ").removeprefix("old ")
    relation = _WHAT.get(word) or f"favourite_{word.split()[-1]}".replace("color", "colour")
    return (Forget(_who(found["who"] or "my", user), relation),)


def _who(said: str, user: str) -> str:
    said = re.sub(r"'s$", "", said.strip(" .,"))
    if said in ("i", "we", "me", "my", "our", "us", "myself"):
        return user
    said = said.removeprefix("the ")
    return said if said.startswith("my ") or " " in said else said.capitalize()
