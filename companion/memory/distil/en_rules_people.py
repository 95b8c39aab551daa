"""English clauses about people: names, family, homes, work, age."""

from __future__ import annotations

import re

from companion.memory.distil.en_reading import BE, HAVE, Reading, Rule, as_day, looks_like_a_name, note_kin, plain_role
from companion.memory.distil.en_things import name, names, thing
from companion.memory.distil.en_words import ANIMALS, KIN, NOBODY, PETS, ROLE, ROLE_RELATIONS
from companion.memory.distil.told import ANIMAL, PERSON, PLACE
from companion.memory.times import numbers
from companion.memory.times.numbers import CARDINAL, SHORT_YEAR, YEAR
from companion.memory.times.when_en import when

_N = r"[^\W\d_][\w\-]*"
_DATE_LIKE = re.compile(r"\b(?:years?|months?|weeks?|days?|minutes?|hours?)\b")
NOT_PLACES = frozenset(
    """
    bed town love trouble pain charge class school hospital prison jail court church there here work hurry mood
    bath shower
    kitchen garden car bathroom house shed queue office love two three four five six a an the my his her their
    our year
    agony tears traffic meeting meetings touch need danger debt shape january february march april may june
    july august
    september october november december spring summer autumn winter total fact control line season stock
    fashion public
    private doubt general bits pieces uniform time sales marketing finance it politics favour for on at seconds
    minutes
    """.split()
)


def _place(text: str) -> str:
    text = re.sub(
        (
            r"\b(?:with|(?<!village )(?<!town )(?<!farm )(?<!place )near|next to|at "
            r"the moment|together|alone|by (?:my|him|her)\w*|"
            r"opposite|since|ever|where|not|now|these|again|instead) .*$|\b(?:together|"
            r"alone|now|here|still)$"
        ),
        "",
        text,
    )
    place = thing(text, words=6)
    return "" if not place or _DATE_LIKE.search(place) or place.split()[0] in NOT_PLACES else place


_LIVE = re.compile(
    rf"(?:(?:{BE} |used to )?(?:liv(?:es?|ed|ing)|stay(?:s|ing)?|resid(?:es?|ing)|dwell\w*)|"
    rf"{BE} based|{BE} settled|(?:have |has |'s )?settled(?: down)?|have been living|(?:has|'s) "
    rf"been living|(?:rents?|owns?|has|have) (?:a|an) (?:flat|room|house|apartment|place|studio)|"
    rf"{BE} gone and settled down) (?:(?:over|up|down|out|here|back|"
    r"right|just) )?(?:in|at|on|near|outside|above|out of) (?P<x>.+)"
)
_MOVED = re.compile(
    r"(?:have |has |'s |had |just )*(?:moved|relocated|emigrated|shifted|transferred "
    r"house)(?: (?:house|home|out|over|up|down|back|away|here))*(?: from [\w' "
    r"]+?)? (?:to|into) (?P<x>.+)"
)
_OVER_IN = re.compile(
    rf"{BE} (?:(?:still|now|back|all the way) )*(?:over|up|down|out|away|back) "
    rf"in (?P<x>.+)|{BE} (?:now |currently )?(?:living )?in (?!(?:a|an|the|my|"
    rf"his|her|our)\b)(?P<y>{_N}(?: {_N})?)(?P<z>,?(?: now| since.*| for uni.*|"
    rf" at the moment|, not.*| not .*| these days|, he left.*)?)$|{BE} the one "
    r"in (?P<w>.+)"
)
_IN_THIS_HOUSE = re.compile(r"have been in this (?:house|flat|place) (?:on|in|at) (?P<x>.+)")
_BEEN_IN = re.compile(
    r"(?:have|has) been (?:here |back |up |down |over )?in (?P<x>(?!the\b|a\b|my\b|this\b|bed\b|hospital\b)[\w ]+?) "
    r"(?:since|for|all (?:my|his|her) life|ever since)\b.*"
)
_PLACE_IS = re.compile(
    r"(?:'s|is) (?:place|home|house|flat)(?: is| 's) (?:in|at|on) (?P<x>.+)|"
    r"(?:have|has)(?: got)? a (?:wee |little |small |big |nice |lovely )?(?:house|"
    r"flat|place|cottage|home) (?:in|on|near|by) (?P<y>.+)"
)


def lives(reading: Reading) -> bool:
    clause = reading.clause
    for pattern in (_LIVE, _MOVED, _OVER_IN, _IN_THIS_HOUSE, _BEEN_IN, _PLACE_IS):
        match = pattern.match(clause.verbs)
        if match is None:
            continue
        text = next(group for group in match.groups() if group)
        if pattern is _OVER_IN and (clause.subject == "it" or (reading.is_user and match["y"] and clause.ended)):
            return False
        return _lives(reading, text, moved=pattern is _MOVED)
    return False


def _lives(reading: Reading, text: str, *, moved: bool) -> bool:
    clause, notes = reading.clause, reading.notes
    told = when(clause.text, notes.at, past=True)
    if told is not None:
        text = text.replace(told.said, "").replace(f"{told.said} ", "")
    place = _place(text)
    if re.match(r"flat|room|house", place) is None:
        place = re.sub(r"^(?:outskirts|middle|centre|north|south|east|west) of ", "", place)
    if not place or (moved and ("new" in place or "different" in place or place.split()[0] in ("flat", "house"))):
        return False
    if clause.denies or clause.ended or re.match(r"used to", clause.verbs):
        notes.end(clause.subject, "lives_in", place)
    else:
        past = (
            told.start
            if told
            and told.start <= notes.at
            and re.search(r"since|\bin \w|last|ago|yesterday|on \w+day|for \w+ year", clause.text)
            else None
        )
        notes.add(clause.subject, "lives_in", place, since=past, kind=PLACE)
    return True


_FROM = re.compile(
    rf"(?:(?:{BE}|come|comes|came|hail|hails) )(?:originally )?from (?P<x>.+)|"
    r"(?:'s|is|are) (?:family|people|folks|parents)?(?: is| 's| are)? from (?P<w>.+)|"
    rf"(?:was |were |am |is |{BE} )?(?:born|raised|brought up) (?:and \w+ )?in "
    r"(?P<y>.+)|grew up (?:on a \w+ )?(?P<z>.+)|"
    r"(?:spent|had) (?:my|his|her|the) (?:whole )?childhood in (?P<v>.+)|"
    rf"{BE} an? (?P<u>[\w ]+?)(?: native| girl| boy| lad| lass| man| woman)?,? born and (?:bred|raised)\b.*"
)


def comes_from(reading: Reading) -> bool:
    match = _FROM.match(reading.clause.verbs)
    if match is None:
        return False
    subject = re.sub(r"'s (?:family|people|folks)$", "", reading.subject)
    text = next(group for group in match.groups() if group)
    text = re.sub(r"^(?:in|near|at|outside|on) ", "", text)
    if (
        numbers.year(re.sub(r"^(?:in )", "", text)) is not None
        or re.match(rf"(?:{YEAR}|{SHORT_YEAR})\b", text)
        or when(text, reading.notes.at, past=True)
    ):
        return False
    place = _place(re.sub(r",? (?:is|but|and|originally|so|in the)\b.*", "", text))
    if place and len(place.split()) <= 5 and place not in ("work", "school") and not reading.clause.denies:
        reading.notes.add(subject, "comes_from", place, kind=PLACE)
    return bool(place)


_IS_ROLE = re.compile(
    rf"(?:{BE}) (?:(?P<my>my|our)|(?P<owner>{_N}|(?:my|our) (?:{ROLE})) 's) (?P<role>{ROLE})\b(?! 's)"
)
_MARRIED = re.compile(
    rf"(?:{BE}|got|just got|getting|have been|has been|gets) (?:married|engaged|"
    r"hitched)(?: to (?:a (?:guy|man|woman|girl) (?:named|called) )?(?P<x>.+))?|"
    rf"(?:have been|has been|{BE}) (?:seeing|dating|going out with|with) (?P<y>{_N})\b"
)
_WED = re.compile(r"(?:just )?(?:married|is marrying|are marrying|am marrying) (?!on |in |for |to )(?P<x>[^\W\d_]+)")
_LIVES_WITH = re.compile(
    rf"(?:still |also )?(?:lives?|living|(?:{BE}) living) with (?P<x>us|me|my (?:{ROLE})|[^\W\d_]+)\b"
)
_MARRIED_ON = re.compile(
    r"(?:got|were|was|have been|are) (?:married|hitched) (?:on|in|since) (?P<x>.+)|tied the knot (?:on|in) (?P<y>.+)"
)
_DIED = re.compile(
    r"(?:'s |has |have |was )?(?:passed away|passed on|passed|died|lost (?:his|her) life)\b|(?:is|'s) dead\b"
)


def family(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _IS_ROLE.match(clause.verbs):
        return _is_role(reading, match)
    if match := _LIVES_WITH.match(clause.verbs):
        return _lives_with(reading, match["x"])
    if match := _MARRIED_ON.match(clause.verbs):
        told = when(match["x"] or match["y"], notes.at, past=True)
        if told and reading.is_user and not clause.other:
            return notes.add(clause.subject, "married_on", as_day(told.start, told.end))
    if (match := _WED.match(clause.verbs)) and name(match["x"]) and clause.subject != "it":
        return notes.add(clause.subject, "is_partner_of", name(match["x"]), kind=PERSON)
    if (match := _MARRIED.match(clause.verbs)) and (match["x"] or match["y"]) and clause.subject != "it":
        other = name(match["x"] or match["y"])
        if clause.denies or clause.ended:
            return notes.end(clause.subject, "is_partner_of", other)
        return notes.add(clause.subject, "is_partner_of", other, kind=PERSON)
    return _died(reading)


def _lives_with(reading: Reading, other: str) -> bool:
    clause, notes = reading.clause, reading.notes
    who = other if other.startswith("my ") else name(other)
    one, two = (notes.user, clause.subject) if other in ("us", "me") else (clause.subject, who)
    if not two or clause.subject == "it" or two == notes.user:
        return False
    return (notes.end if clause.denies or clause.ended else notes.add)(one, "lives_with", two)


def _is_role(reading: Reading, match: re.Match[str]) -> bool:
    """ "karim's my big brother", "tom is emma's husband"."""
    clause, notes, owner = reading.clause, reading.notes, match["owner"]
    if clause.subject in ("it", notes.user) or clause.subject.startswith(("my ", "the ")) or owner in NOBODY:
        return False
    whose = notes.user if match["my"] else owner if owner.startswith("my ") else owner.capitalize()
    if clause.denies or clause.ended:
        relation, _ = ROLE_RELATIONS.get(plain_role(match["role"]), ("", False))
        return bool(relation) and notes.end(whose, relation, clause.subject)
    note_kin(notes, whose, match["role"], clause.subject)
    if whose == notes.user and clause.subject.isalpha():
        notes.add(f"my {match['role']}", "is_called", clause.subject)
    return True


def _died(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if not _DIED.match(clause.verbs) or clause.subject in ("it", notes.user) or clause.denies:
        return False
    told = reading.when(past=True)
    told and notes.add(clause.subject, "died_on", as_day(told.start, told.end))
    return True


_KIDS = re.compile(
    rf"(?:{HAVE}|{BE} blessed with|'s) (?:just )?(?:a |an |one |{CARDINAL} )?(?:(?:little|"
    rf"big|older|younger|elder|baby|twin|grown up|grown|small|best|new) )*(?P<role>{KIN}|"
    r"children|daughters|sons|boys|girls|brothers|sisters|cousins|friends|grandchildren|"
    r"twins)(?: too)?(?:(?:,? (?:and )?(?:(?:he|she|they) (?:is|are)|who is|"
    r"whos)? ?(?:called|named|whose name is|his name is|her name is))|,| -)? "
    r"(?P<x>.+)"
)
_PETS = re.compile(
    rf"(?:(?:{HAVE}|'s|just|recently) )?(?:have|has|had|got|keeps?|adopted|got|"
    rf"bought|rescued|own|owns)? ?(?:(?:a|an|one|two|three|four|{CARDINAL}|some|"
    r"another) )(?:(?:little|big|old|new|baby|rescue|black|white|grey|ginger|"
    rf"tabby|pet) )*(?P<kind>(?:{ANIMALS})(?:s|es)?)\b(?:(?:,? (?:it|he|she|they)? "
    r"?(?:is|are)? ?(?:called|named|his name is|her name is)|,| and (?:his|her|"
    r"its) name is| his name is| her name is) (?P<x>.+))?"
)
_PLURALS = {
    "children": "child",
    "daughters": "daughter",
    "sons": "son",
    "boys": "son",
    "girls": "daughter",
    "kids": "kid",
    "twins": "child",
    "grandchildren": "grandchild",
}


def has_people(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if clause.denies or clause.ended or clause.subject == "it":
        return False
    if match := _KIDS.match(clause.verbs):
        role = _PLURALS.get(
            match["role"],
            match["role"].removesuffix("s") if match["role"].removesuffix("s") in ROLE_RELATIONS else match["role"],
        )
        told = [
            one
            for one in names(re.sub(r"\b(?:and )?(?:he|she|they|it) .*", "", match["x"]))
            if looks_like_a_name(one, reading.shown)
        ]
        for one in told:
            note_kin(notes, clause.subject, role, one)
        if (
            len(told) == 1
            and reading.is_user
            and (full := re.search(rf"\b(?:a|an|one) (?P<role>{ROLE})\b", clause.verbs))
        ):
            notes.add(f"my {full['role']}", "is_called", told[0])
        return bool(told)
    if match := _PETS.match(clause.verbs):
        kind = (
            match["kind"]
            if match["kind"].removesuffix("s") not in ANIMALS.split("|")
            else match["kind"].removesuffix("s")
        )
        told = names(match["x"]) if match["x"] else []
        for one in told:
            notes.add(clause.subject, "has_pet", one, kind=ANIMAL)
            notes.add(one, "is_a", kind)
            notes.person = one
        if not told and not any(one.relation == "has_pet" for one in notes.triples):
            number = re.search(rf"\b({CARDINAL}) (?:\w+ )?{re.escape(match['kind'])}", clause.verbs)
            notes.add(
                clause.subject,
                "has_pet",
                f"{number[1]} {match['kind']}" if number and number[1] != "one" else match["kind"],
                kind=ANIMAL,
            )
        return True
    return False


_SPEAKS = re.compile(
    r"(?:(?:can|could) )?(?:speaks?|talks?|gets? by in|is fluent in|am fluent "
    r"in|knows?(?= [a-z]+$)) (?:a bit of |fluent |some |mostly )?(?P<x>.+)"
)


def speaks(reading: Reading) -> bool:
    from companion.memory.distil.en_words import LANGUAGES

    match = _SPEAKS.match(reading.clause.verbs)
    if match is None:
        return False
    for one in re.findall(rf"\b(?:{LANGUAGES})\b", match["x"]):
        if reading.clause.denies or reading.clause.ended:
            reading.notes.end(reading.subject, "speaks", one.capitalize())
        else:
            reading.notes.add(reading.subject, "speaks", one.capitalize())
    return True


_CALLED = re.compile(
    rf"(?:{BE}) (?:now )?(?:called|named) (?P<x>{_N})|(?:{BE}) (?P<y>{_N})(?P<rest>(?:,|"
    rf" and | not | now).*)?$|(?:have|has|'s) (?:become|now) (?P<z>{_N})$"
)


_TITLED = re.compile(rf"(?:{BE}) (?:called |named )?(?P<x>(?:mr|mrs|ms|miss|dr|doctor) {_N})$")


def called(reading: Reading) -> bool:
    """The last resort for "my mum is ruth": a single word that can be a name."""
    clause, notes = reading.clause, reading.notes
    match = _CALLED.match(clause.verbs)
    if match is None:
        return False
    told = match["x"] or match["y"] or match["z"]
    is_kin = clause.subject.startswith("my ") and plain_role(clause.subject) in ROLE_RELATIONS
    if (titled := _TITLED.match(clause.verbs)) and " " in clause.subject and not clause.denies:
        return notes.add(clause.subject, "is_called", titled["x"].title(), kind=PERSON)
    if not looks_like_a_name(told, reading.shown) or re.search(rf"\b(?:{PETS})\b", told):
        return False
    if reading.is_user:
        has_capital = re.search(rf"[a-z,'] {told.capitalize()}\b", reading.shown) is not None
        if (
            (not has_capital and not re.match(r"(?:hi|hello|hey|me|i am|good|kia|yo|i never said)\b", reading.text))
            or clause.other
            or (match["rest"] or "").strip()
        ):
            return False
        notes.add(notes.user, "is_called", told.capitalize(), kind=PERSON)
        return True
    is_theirs = "'s " in clause.subject and (match["rest"] is None or match["rest"].startswith(" not"))
    if not (is_kin or is_theirs) and not match["x"]:
        return False
    if clause.denies or clause.ended:
        notes.end(clause.subject, "is_called", told.capitalize())
        return True
    notes.add(clause.subject, "is_called", told.capitalize(), kind=PERSON)
    is_kin and note_kin(notes, notes.user, clause.subject, told.capitalize())
    return True


FIRST: tuple[Rule, ...] = (family, has_people)
RULES: tuple[Rule, ...] = (speaks, lives, comes_from)
LAST: tuple[Rule, ...] = (called,)
