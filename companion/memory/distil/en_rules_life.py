"""English clauses about likes, food, health and things."""

from __future__ import annotations

import re

from companion.memory.distil.en_reading import BE, HAVE, Reading, Rule
from companion.memory.distil.en_things import thing, things
from companion.memory.distil.en_words import (
    ANIMALS,
    FEASTS,
    ILL,
    MEETINGS,
    PLAYED,
    ROLE_RELATIONS,
)
from companion.memory.distil.told import ANIMAL
from companion.memory.times.numbers import CARDINAL

_LIKES = re.compile(
    r"(?:(?:have|has) (?:always )?(?:liked|loved|enjoyed|adored)|likes? very much|"
    r"cannot get enough of|can get enough of|(?:have|has|"
    r"'s)(?: got)? (?:a thing|a weakness|a soft spot|a passion) for|goes? (?:crazy|"
    r"mad|wild) for|(?:always )?enjoyed|likes?|loves?|loved|enjoys?|adores?|"
    rf"prefers?|(?:{BE}|"
    r"have been|has been|have always been|has always been)(?: all| always| very|"
    r" so| a bit| quite)* (?:into|fond of|keen on|mad about|crazy about|nuts "
    r"about|big on|obsessed with|a (?:big |huge |massive )?fan of|mad on|partial "
    r"to|passionate about|hooked on|addicted to|a sucker for)) (?P<x>.+)"
)
_HATES = re.compile(
    r"(?:finds? (?P<y>.+?) (?:disgusting|awful|horrible|boring|terrible|revolting|"
    r"scary|vile)$|(?:hates?|detests?|loathes?|dislikes?|(?:can|could) stand|"
    r"can abide|(?:have|has|had) (?:a )?(?:horror|fear|dread) of|(?:have|has) always (?:hated|disliked)|can "
    rf"bear|can be doing with|cannot (?:stand|abide|bear|be doing with)|{BE} "
    r"(?:\w+ )?(?:scared|afraid|terrified|frightened)(?: stiff| to death)? of|"
    rf"{BE} (?:stiff )?scared of|have (?:a fear|a phobia) of|has (?:a fear|a "
    r"phobia) of) (?P<x>.+))"
)
_NOT_ONE_FOR = re.compile(
    r"(?:am|is|are|'s) (?:one for|into|keen on|fond of|a fan of|big on|much "
    r"of a fan of|mad about|a (?:big |huge )?fan of) (?P<x>.+)|care (?:much "
    r")?for (?P<y>.+)|(?:go off|gone off) (?P<z>.+)"
)
_GONE_OFF = re.compile(r"(?:have |has |'s )?(?:gone off|went off|grown out of|lost interest in) (?P<x>.+)")
_PERSON = re.compile(rf"{BE} a (?P<x>[\w ]{{3,25}}?) (?:person|lover|fan|man|woman|girl|boy|guy)\b(?P<rest>.*)")
_TAKE_TEA = re.compile(r"(?:take|takes|have|has|drink|drinks) (?:my|his|her) (?P<x>(?:tea|coffee)\b.+)")
_DEAR = re.compile(r"^(?:him|her|them|you|it|my (?:mum|mom|dad|wife|husband|kids|job|life)|your|this|that)\b")


def likes(reading: Reading) -> bool:
    clause = reading.clause
    if clause.subject == "it":
        return False
    if match := _GONE_OFF.match(clause.verbs):
        return _ended_liking(reading, match["x"])
    if clause.denies and (match := _NOT_ONE_FOR.match(clause.verbs)):
        return _liking(reading, "likes", next(group for group in match.groups() if group))
    for pattern, relation in ((_LIKES, "likes"), (_HATES, "dislikes")):
        match = pattern.match(clause.verbs)
        if match is not None:
            # "Can't stand" denies by itself.
            told = match["x"] or match.groupdict().get("y") or ""
            return _liking(reading, relation, told, itself=clause.verbs.startswith(("can ", "could ")))
    if (match := _PERSON.match(clause.verbs)) and not clause.denies and "born" not in match["rest"]:
        what = thing(match["x"])
        if what and not re.search(
            (
                r"\b(?:old|young|good|nice|busy|lucky|happy|morning|night|people|family|"
                r"grown|married|tall|poor|rich|new|different|quiet|private|proud|big|little|"
                r"funny|shy)\b"
            ),
            what,
        ):
            reading.notes.add(reading.subject, "likes", what)
            return True
    if match := _TAKE_TEA.match(clause.verbs):
        reading.notes.add(reading.subject, "likes", thing(match["x"]))
        return True
    return False


def _ended_liking(reading: Reading, text: str) -> bool:
    told = thing(text)
    told and reading.notes.end(reading.subject, "likes", told)
    return bool(told)


def _liking(reading: Reading, relation: str, text: str, *, itself: bool = False) -> bool:
    clause, notes = reading.clause, reading.notes
    text = re.sub(r"^(?:very much|doing|having) ", "", text)
    text = re.sub(r"\b(?:(?:more|better|rather) than|over|to(?= \w+$)) .*", "", text)
    if _DEAR.match(text):
        return True
    found = things(text) if re.search(r"^\w+(?: \w+)?(?:,| and)", text) and len(text.split()) < 8 else [thing(text)]
    denies = clause.denies and not itself
    for told in filter(None, found):
        if clause.ended:
            notes.end(clause.subject, relation, told)
        elif denies:
            if relation == "likes":
                notes.add(clause.subject, "dislikes", told)
        else:
            notes.add(clause.subject, relation, told)
    return True


_PLAYS = re.compile(
    rf"(?:(?:can |could |also )?(?:plays?|played|playing)|(?:{BE}) (?:playing|"
    rf"learning)|learns?) (?:in a |on the |the |a bit of |for a )?(?P<x>(?:{PLAYED}))\b"
)
_BOUGHT = re.compile(
    r"(?:(?:have|has|'s) )?(?:just )?(?:bought|got|purchased|treated (?:myself|"
    r"himself|herself|ourselves) to|inherited|picked up|own|owns|run|runs|drives?|"
    r"ride|rides) (?:(?:myself|ourselves|himself|herself|me|us) )?(?P<x>(?:a|"
    r"an|the|our|my|his|her|two|three|some|another|\w+ hundred) .+)"
)
_HAS = re.compile(rf"(?:{HAVE}) (?P<x>(?:a|an|two|three|four|five|my|some|our) .+)")
_THING_IS = re.compile(
    r"^(?P<who>my|our|\w+ 's) (?:new )?(?P<kind>car|bike|ute|van|phone|laptop|"
    r"truck|boat|motorbike|camera|computer|scooter|tv|telly|guitar|piano|tractor|"
    r"motorcycle|tablet|watch|caravan|camper) (?:is|'s) (?:a|an) (?P<x>.+)"
)
_SOLD = re.compile(
    r"(?:have |has |'s )?(?:just )?(?:sold|got rid of|gave away|given away|scrapped|"
    r"traded in|lost) (?:the|my|his|her|our) (?P<x>.+)"
)
_NOT_OWNED = re.compile(
    r"\b(?:question|idea|problem|headache|cold|cough|feeling|point|plan|doubt|"
    r"meeting|look|day|time|chance|thing|things|bit|sense|right|reason|"
    r"dream|fever|throat|stomach|good|great|bad|lovely|nice|long|rough|busy|"
    r"few|lot|lots|couple|minute|moment|word|temper|fear|crush|"
    r"temperature|tummy|joke|secret|surprise|job|life|rest|nap|bath|shower|drink|"
    r"cuppa|coffee|tea|snack|meal|lunch|dinner|breakfast|"
    r"call|message|lesson|class|go|try|laugh|party|baby|sister|brother|friend|"
    rf"pain|ache|hangover|appointment|{MEETINGS}|"
    r"feeling|mind|heart|memory|voice|degree|shift|deadline|hour|hours|week|"
    r"year|years|suggestion|complaint|favour|request|story|news|"
    r"taste|talent|way|habit|mess|soft spot|sweet tooth|pizza|burger|cake|sandwich|"
    r"haircut|lift|taxi|uber|promotion|raise|letter|email|ticket)\b"
)


def possessions(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _THING_IS.match(clause.text):
        owner = notes.user if match["who"] in ("my", "our") else match["who"].removesuffix(" 's").capitalize()
        told = thing(re.sub(r",.*", "", match["x"]), words=5)
        if told and not re.match(r"(?:bit|mess|wreck|nightmare|joke|good|bad|lovely|nice)\b", told):
            notes.add(owner, "owns", told)
            return True
    if clause.subject == "it":
        return False
    if (match := _PLAYS.match(clause.verbs)) and not re.search(r"\b(?:today|tonight|tomorrow)\b", clause.text):
        (notes.end if clause.denies or clause.ended else notes.add)(clause.subject, "plays", match["x"])
        return re.search(r"\bevery\b|\b\w+days\b", clause.text) is None
    if match := _SOLD.match(clause.verbs):
        told = thing(re.sub(r" (?:last|on|in|yesterday|to|for|this)\b.*", "", match["x"]))
        if bought := re.search(r" and (?:have )?(?:bought|got) (?P<x>.+)", clause.verbs):
            told = re.sub(r" and (?:bought|got) .*", "", told)
            notes.add(clause.subject, "owns", thing(bought["x"], words=5), sure=0.8)
        told and notes.end(clause.subject, "owns", told)
        return bool(told)
    match = _BOUGHT.match(clause.verbs) or _HAS.match(clause.verbs)
    if match is None or clause.denies or clause.ended:
        return False
    return _owned(reading, match["x"])


def _owned(reading: Reading, text: str) -> bool:
    told = thing(
        re.sub(
            (
                r" (?:for (?:my|the|his|her|christmas)|on (?:saturday|sunday|\w+day)|from|"
                r"last|yesterday|this|in (?:the|my)|down by|at (?:home|the)|with)\b.*|,.*"
            ),
            "",
            text,
        ),
        words=5,
    )
    told = re.sub(r" it is .*| its .*", "", told)
    if not told or _NOT_OWNED.search(told) or told.split()[-1] in ROLE_RELATIONS or re.match(r"(?:it|him|her)\b", told):
        return False
    ahead = reading.when()
    if re.search(rf"\b(?:{ILL})\b", told) or (ahead is not None and ahead.start > reading.notes.at):
        return False
    reading.notes.add(reading.subject, "owns", told, sure=0.8)
    return True


_PREPOSITION = (
    r"(?:in|on|under|behind|inside|beside|next to|above|below|at the (?:back|"
    r"bottom|top|front) of|on top of|underneath|beneath|by)"
)
_KEPT = re.compile(
    r"^(?:the |my |our |your )?(?P<what>(?:(?:spare|front|back|old|new|good|"
    r"other|emergency|big|little|christmas|house|car|door|first) )*(?:[\w' ]+?))(?: "
    r"'s| is| are| live| lives| goes| go)(?: all)?(?: kept| stored| hidden)?(?: "
    rf"always)?(?P<no> not)? (?P<x>{_PREPOSITION} (?:the|my|our|a|that|his|her) "
    r".+)$"
)
_WE_KEEP = re.compile(
    r"(?:keeps?|store|stores|put|hide|hides|kept|left) (?:the |my |our |his "
    rf"|her )?(?P<what>[\w' ]+?) (?P<x>{_PREPOSITION} (?:the|my|our|a|his|her) "
    r".+)$"
)
_NOT_THINGS = re.compile(
    (
        r"^(?:it|he|she|they|we|i|there|that|this|what|who|dinner|lunch|breakfast|"
        r"someone|everyone|everybody|nobody|tom|party|meeting|wedding|appointment|"
        r"problem|birthday|funeral|"
    )
    + "|".join(sorted(role for role in ROLE_RELATIONS))
    + r")\b"
)
_HOLDERS = re.compile(
    r"\b(?:drawer|cupboard|shelf|shelves|cellar|attic|loft|garage|shed|cabinet|"
    r"box|tin|jar|pot|bureau|wardrobe|closet|pantry|basement|"
    r"glovebox|glove box|hook|mat|doormat|safe|folder|bag|desk|bookcase|chest|"
    r"trunk|boot|stairs|sink|bed|hall|hallway|bathroom|kitchen|"
    r"fridge|freezer|basket|bin|barn|porch|mailbox|letterbox|mantelpiece|sideboard|"
    r"dresser|bucket|case|suitcase|rack|study|office|"
    r"utility room|wash house|laundry|conservatory|greenhouse|tray|bowl|counter|"
    r"windowsill|flowerpot|plant|stone|brick|stove|cabinet|larder|vase|envelope|"
    r"pocket|purse|bank|meter|gate|fence)\b"
)


_HIDDEN = re.compile(r"(?:behind|under|underneath|beneath|inside|on top of|above|below|next to) the ")


def _is_place(match: re.Match[str]) -> bool:
    """Somewhere things are put; nobody's pet lies there."""
    is_hidden = _HIDDEN.match(match["x"]) is not None and not re.search(rf"\b(?:{ANIMALS})\b", match["what"])
    return is_hidden or _HOLDERS.search(match["x"]) is not None


def kept(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    match = _WE_KEEP.match(clause.verbs) or (None if reading.is_user else _KEPT.match(clause.text))
    if match is None or _NOT_THINGS.match(match["what"]) or not _is_place(match):
        return False
    where = re.sub(r"^(?:in|at) ", "", match["x"])
    old = re.search(r",? not (?:in |under |on )?(?:the )?(?P<old>\w+)$", where)
    where = re.sub(r",? (?:not|by|instead|now|remember|if|so|where)\b.*|,? it is .*", "", where)
    what = match["what"].strip()
    what = f"my {what}" if clause.text.startswith("my ") else what
    place = re.sub(r"^(?:the|my|our|a) ", "", where).replace(",", "")
    place = re.sub(r"^(in|on|under|behind|inside|above|below|by) (?:my|our|a) ", r"\1 the ", place)
    if match.groupdict().get("no") or clause.denies:
        notes.end(what, "is_kept_in", re.sub(rf"^{_PREPOSITION} (?:the )?", "", re.sub(r" now$", "", place)))
        notes.about = (what, "is_kept_in")
        return True
    notes.add(what, "is_kept_in", place)
    old and notes.end(what, "is_kept_in", old["old"])
    return True


_SIZE = re.compile(
    r"^(?:my|(?P<who>\w+) 's) (?:shoe |dress |shirt |clothes |trouser |ring "
    rf")?size (?:is|'s) (?P<x>\w+(?: \w+)?)|(?:wears?|takes?|{BE}) (?:a )?size "
    rf"(?P<y>{CARDINAL}|small|medium|large)"
)
_FEAST = re.compile(
    r"(?:celebrates?|keeps?|do|does|observes?|fast in|fasts? (?:in|during)|fast "
    rf"for|go to mass at|marks?) (?:a big |the )?(?P<x>{FEASTS})\b"
)
_EATS = re.compile(r"(?P<v>(?:only )?eats?|(?:is|'s|gets) fed|lives on|gets|has) (?:only |a )?(?P<x>.+)")
_FODDER = re.compile(
    r"\b(?:seeds?|biscuits?|food|pate|fish|hay|lettuce|chicken|mince|meat|carrots?|"
    r"apples?|kibble|pellets|treats|bones?|"
    r"tuna|rice|mutton|beef|liver|salmon|grass|worms|crickets|flakes|fruit|nuts|"
    r"greens|millet|dandelions?|oats|prawns)\b"
)
_IS_ANIMAL = re.compile(
    r"(?:is|'s|was) (?:a|an|the) (?:(?:little|big|old|tiny|rescue|black|white|"
    rf"brown|grey|ginger|mixed) )*(?P<x>(?:{ANIMALS})(?: cross| mix)?)(?:,? not "
    r".*)?$"
)


def small_things(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _SIZE.match(clause.text) or _SIZE.match(clause.verbs):
        from companion.memory.times.numbers import english

        told = match["x"] or match["y"]
        number = english(told)
        subject = match["who"].capitalize() if match["who"] else notes.user if match["x"] else clause.subject
        notes.add(subject, "wears_size", told if number is None else str(number))
        return True
    if match := _FEAST.match(clause.verbs):
        (notes.end if clause.denies or clause.ended else notes.add)(clause.subject, "celebrates", match["x"].title())
        return True
    if (match := _IS_ANIMAL.match(clause.verbs)) and not reading.is_user and clause.is_plain:
        if clause.denies:
            return notes.end(clause.subject, "is_a", match["x"])
        return notes.add(clause.subject, "is_a", match["x"], kind=ANIMAL)
    match = _EATS.match(clause.verbs)
    is_animal = any(one.subject == clause.subject and one.relation == "is_a" for one in notes.triples)
    is_fed = match is not None and (match["v"] not in ("gets", "has") or _FODDER.search(match["x"]) is not None)
    if match and not reading.is_user and (is_animal or is_fed) and not clause.denies and clause.is_plain:
        told = thing(re.sub(r",? not .*| (?:now|instead|of an|every|in the|at|twice|each)\b.*", "", match["x"]))
        told and notes.add(clause.subject, "eats", told)
        return bool(told)
    return False


RULES: tuple[Rule, ...] = (likes, kept, small_things)
OWNING: tuple[Rule, ...] = (possessions,)
