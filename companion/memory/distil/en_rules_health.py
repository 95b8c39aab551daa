"""English clauses about allergies, food that is avoided, medicine and illness."""

from __future__ import annotations

import re

from companion.memory.distil.en_reading import BE, HAVE, Reading, Rule
from companion.memory.distil.en_things import thing, things
from companion.memory.distil.en_words import (
    ANIMALS,
    DIETS,
    DRUGS,
    ILL,
    ILL_BE,
    PILL,
    PLAYED,
)
from companion.memory.times.numbers import CARDINAL
from companion.memory.times.when_en import when

_ALLERGIC = re.compile(
    rf"(?:{BE}|have been|has been) (?:\w+ )?(?:allergic|intolerant) to (?P<x>.+)|"
    r"(?:reacts?|reacted) (?:badly |terribly |violently )?to (?P<y>.+)|"
    r"(?:breaks?|broke|comes?|came) out in (?:hives|a rash|spots|lumps) (?:from|with|after) (?P<z>.+)|"
    r"(?:swells?|swelled) up (?:from|with|after) (?P<w>.+)|gets? (?:a rash|hives|itchy) (?:from|with) (?P<v>.+)"
)
_ALLERGY = re.compile(
    rf"{HAVE} an? (?:\w+ )?(?:allergy|intolerance) to (?P<y>.+)|"
    rf"{HAVE} (?:a |an )?(?:\w+ )??(?P<x>[\w]+(?: \w+)?) (?:allergy|intolerance)\b|(?:{BE}) (?P<z>lactose|"
    r"gluten|fructose|histamine|dairy) (?:intolerant|sensitive)"
)
_CANNOT_HAVE = re.compile(r"can (?:have|eat|drink|take|touch) (?P<x>.+)")


def allergies(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    match = _ALLERGIC.match(clause.verbs) or _ALLERGY.match(clause.verbs)
    if match is not None:
        told = thing(
            re.sub(
                r"^(?:severe|serious|bad|slight|mild|big|terrible) ",
                "",
                next(group for group in match.groups() if group),
            )
        )
        for one in things(told) if told else ():
            if clause.denies or clause.ended:
                notes.end(clause.subject, "is_allergic_to", one)
            else:
                notes.add(clause.subject, "is_allergic_to", one)
        return bool(told)
    if clause.denies and (match := _CANNOT_HAVE.match(clause.verbs)):
        told = thing(match["x"])
        relation = (
            "is_allergic_to"
            if re.search(r"gluten|lactose|dairy|nuts|peanut|shellfish|wheat|milk|egg|seafood|soy", told)
            else "avoids"
        )
        told and notes.add(clause.subject, relation, told)
        return bool(told)
    return False


_DIET = re.compile(
    rf"(?:(?:{BE}|have been|has been|went|gone|turned|became|become|have gone|"
    r"has gone|keeps?|eats?|only eats?|follows?)) (?:(?:a|an|strictly|strict|"
    rf"only|mostly|on a) )*(?P<x>{DIETS})\b(?! (?:restaurant|recipe|place|pizza|"
    r"food))"
)
_CONSUME = re.compile(
    r"(?:eats?|drinks?|touch(?:es)?|takes?|smokes?|drives?|have|has|uses?|watch(?:es)?|celebrates?)(?P<x>(?: .+)?)$"
)
_GAVE_UP = re.compile(
    r"(?:have |has |'s )?(?:given up|gave up|stopped|quit|cut out|packed in|"
    r"kicked) (?P<x>(?!the job|my job|his job|her job|working).+)"
)
_BUT = re.compile(r"eat(?:s)? (?:anything|nothing) but (?P<x>.+)")


_LEAVES_OUT = re.compile(
    r"(?:leaves? out|avoids?|skips?|stays? (?:away from|off)|steers? clear of|keeps? (?:away from|off)|cuts? out|"
    r"does without|do without|lives? without|says no to|say no to|(?:have |has )?(?:sworn|swore) off|"
    rf"{BE} off(?! (?:work|to|sick|the|today|on|school|for|now)\b)) (?P<x>.+)"
)


def food(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _DIET.match(clause.verbs):
        if clause.denies or clause.ended:
            notes.end(clause.subject, "keeps_diet", match["x"])
        else:
            notes.add(clause.subject, "keeps_diet", match["x"])
        return True
    if (match := _LEAVES_OUT.match(clause.verbs)) and (clause.denies or clause.ended):
        return notes.end(clause.subject, "avoids", thing(match["x"]))
    if (match := _LEAVES_OUT.match(clause.verbs)) and clause.subject != "it":
        return _note_avoided(reading, thing(re.sub(r" (?:altogether|completely|entirely)$", "", match["x"])))
    if match := _BUT.match(clause.verbs):
        notes.add(clause.subject, "eats", thing(match["x"]))
        return True
    if match := _GAVE_UP.match(clause.verbs):
        return _gave_up(reading, match["x"])
    if (clause.denies or clause.ended) and (match := _CONSUME.match(clause.verbs)):
        return _avoids(reading, match)
    return False


def _avoids(reading: Reading, match: re.Match[str]) -> bool:
    """ "does not eat meat", "don't drive on sundays": what is not done, lastingly."""
    verbs = match[0]
    verb = verbs.split()[0]
    if verb in ("have", "has"):
        is_never = "never" in reading.clause.text and not reading.clause.ended
        if liked := re.match(r" (?:really )?(?:liked|loved|enjoyed|cared for|got on with) (?P<x>.+)", match["x"]):
            return reading.notes.add(reading.subject, "dislikes", thing(liked["x"]))
        return _note_avoided(reading, thing(match["x"])) if is_never else _has_no_more(reading, match["x"])
    what = match["x"].strip()
    if verb in ("take", "takes", "use", "uses", "watch", "celebrate", "celebrates") and not thing(what):
        return False
    if verb in ("take", "takes") and (re.search(rf"\b{PILL}\b|\b{DRUGS}\b", what)):
        reading.notes.end(reading.subject, "takes_medicine", thing(what))
        return True
    told = thing(what)
    if what and not told:
        return verb.startswith("driv") and _note_avoided(reading, "drive")
    if verb.startswith("driv"):
        return _note_avoided(reading, f"drive {what}" if re.search(r"on \w+days?|at night", what) else "drive")
    if verb.startswith("smok"):
        return _note_avoided(reading, told or "smoking")
    return _note_avoided(reading, told or ("drink" if verb.startswith("drink") else ""))


_FOR_DISLIKE = re.compile(
    r"\b(?:because|since|as) (?:i|he|she|they|we) (?:hates?|cannot stand|dislikes?|fears?|is afraid)\b"
)


def _note_avoided(reading: Reading, told: str) -> bool:
    if told and _FOR_DISLIKE.search(reading.text):
        return reading.notes.add(reading.subject, "dislikes", told)
    told and reading.notes.add(reading.subject, "avoids", told)
    if reading.clause.ended and told and told != "drive":
        reading.notes.end(reading.subject, "likes", told)
    return bool(told)


def _has_no_more(reading: Reading, what: str) -> bool:
    told = thing(what)
    if not told or not (reading.clause.ended or re.search(rf"\b(?:{ANIMALS})\b", told)):
        return False
    relation = (
        "has_pet"
        if re.search(rf"\b(?:{ANIMALS})s?\b", told)
        else "has_condition"
        if re.search(rf"\b(?:{ILL})\b", told)
        else "owns"
    )
    reading.notes.end(reading.subject, relation, told)
    return True


_HABITS = (
    r"(?:smoking|drinking|meat|sugar|alcohol|coffee|caffeine|dairy|bread|carbs|"
    r"gluten|chocolate|cigarettes|gambling|booze|wine|beer|fags|sweets|wheat|"
    r"vaping|fizzy drinks|crisps|cheese|milk|soda)"
)


def _gave_up(reading: Reading, text: str) -> bool:
    clause, notes = reading.clause, reading.notes
    told = when(text, notes.at, past=True)
    if match := re.match(
        r"(?:having|eating|drinking|touching) (?P<x>.+?)(?: (?:in|since|last) .*| \w+ \w+ ago)?$", text
    ):
        told_what = thing(match["x"])
        notes.end(clause.subject, "likes", told_what)
        return notes.add(clause.subject, "avoids", told_what, since=told.start if told else None)
    text = text.replace(told.said, "").strip() if told else text
    what = thing(re.sub(r" (?:in|since|last|on|for|years ago|a while|ages).*", "", text))
    if not what or clause.subject == "it":
        return False
    if match := re.match(r"(?:taking|using) (?P<x>.+)", text):
        notes.end(clause.subject, "takes_medicine", thing(match["x"]))
    elif re.fullmatch(rf"(?:(?:eating|smoking|drinking|having) )?{_HABITS}", what):
        notes.add(
            clause.subject, "avoids", re.sub(r"^(?:eating|having) ", "", what), since=told.start if told else None
        )
        notes.end(clause.subject, "likes", re.sub(r"^(?:eating|having|drinking) ", "", what))
    elif re.match(r"(?:playing|learning|studying|going to|doing) (?P<x>.+)", what):
        _ends_doing(reading, what)
    elif re.search(rf"\b(?:{PLAYED})\b", what):
        notes.end(clause.subject, "plays", what)
        notes.end(clause.subject, "does_regularly", what)
    elif re.match(r"(?:\w+ing)\b", what):
        notes.end(clause.subject, "does_regularly", what)
    elif re.search(r"days?\b|evenings?|mornings?", text):
        notes.end(clause.subject, "does_regularly", thing(text))
    else:
        notes.end(clause.subject, "works_at" if clause.verbs.startswith("quit") else "owns", what)
    return True


def _ends_doing(reading: Reading, what: str) -> None:
    verb, _, told = what.partition(" ")
    told = thing(told.removeprefix("to "))
    relations = {
        "playing": ("plays", "does_regularly"),
        "learning": ("studies",),
        "studying": ("studies",),
    }.get(verb, ("does_regularly",))
    for relation in relations:
        reading.notes.end(reading.subject, relation, told)


_ON_DRUG = re.compile(
    rf"(?:(?:{BE}|have been|has been|has|have|put|went|gone|started|started on) )+(?:(?:now|"
    rf"back|still) )*on (?P<x>(?:\w+ )?{DRUGS}|(?:[\w ]+ )?{PILL})\b"
)
_TAKES = re.compile(
    r"(?:(?:have to|has to|must|need to|needs to|needs?(?= \w+ (?:every|twice|"
    r"each|daily))|still|'s taking|am taking|is "
    r"taking|are taking|started|been) )*(?:takes?|taking|needs?|uses?|using|(?:has|have)(?= (?:my|his|her) )|inject|"
    rf"injects|swallow) (?:(?:a|an|my|his|her|one|two|three|some|half a|{CARDINAL}) "
    rf")*(?P<x>(?:[\w' ]+? )??(?:{DRUGS}|{PILL})(?: for (?:the |my |his |her "
    r")?\w+)?)\b"
)
_PUT_ON = re.compile(
    rf"\b(?:put|started|has|have) (?P<whom>me|him|her|my \w+) on (?P<x>(?:\w+ )?(?:{DRUGS}|"
    rf"{PILL})|(?<=[td] me on )[a-z]+)\b"
)
_SWAPPED = re.compile(
    rf"\b(?:changed|swapped|switched) (?P<whose>my|his|her|\w+ 's) (?:\w+ )?(?:{PILL}),? "
    r"it is (?P<x>[\w ]+?) (?:now )?(?:instead of|not|rather than) (?:the )?(?P<y>[\w "
    r"]+)$"
)


def medicine(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _SWAPPED.search(reading.text):
        subject = notes.user if match["whose"] == "my" else notes.person or notes.user
        notes.end(subject, "takes_medicine", thing(match["y"]))
        notes.add(subject, "takes_medicine", thing(match["x"].removesuffix(" now")))
        return True
    if match := _PUT_ON.search(clause.text):
        subject = (
            notes.user
            if match["whom"] == "me"
            else notes.person
            if match["whom"] in ("him", "her")
            else match["whom"].capitalize()
        )
        subject and notes.add(subject, "takes_medicine", thing(match["x"]))
        return True
    match = _TAKES.match(clause.verbs) or _ON_DRUG.match(clause.verbs)
    told = thing(match["x"]) if match else ""
    if not told or clause.subject == "it":
        return False
    if clause.denies or clause.ended:
        notes.end(clause.subject, "takes_medicine", told)
    else:
        notes.add(clause.subject, "takes_medicine", told)
    return True


_ILL_BE = re.compile(
    rf"(?:{BE}|have been|has been|{BE} born|went|gone|going|got|is getting) (?:(?:very|"
    rf"a bit|a little|badly|slightly|severely|partly|almost|half|{CARDINAL} (?:months?|"
    rf"weeks?)|heavily) )*(?P<x>(?:{ILL_BE})(?: in (?:my|his|her|one|both|the) "
    r"(?:\w+ )?(?:ears?|eyes?))?)(?P<rest>\b.*)"
)
_ILL_HAVE = re.compile(
    rf"(?:(?:have|has) (?:always )?(?:got|had)|'s had|{HAVE}|gets?|struggles? with|suffers? (?:from|"
    rf"with)|{BE} (?:living with|diagnosed with)|diagnosed with|"
    rf"(?:have |has )?(?:come|came|gone) down with|{BE} got|developed|"
    r"been having|lives with) (?:(?:a|an|the|my|bad|really bad|severe|mild|slight|"
    r"chronic|type \w+|these|awful|terrible|from|with|bit of|touch of|some) "
    rf")*(?P<x>(?:{ILL}|broken \w+)(?: type (?:one|two|1|2))?)\b(?P<rest>.*)"
)
_PROBLEM = re.compile(
    rf"(?:{HAVE}|{BE} having) (?:(?:a|an|some|the) )?(?P<x>(?:problems?|trouble|"
    r"issues?) with (?:my|his|her|the) \w+|bad (?:back|knees?|hips?|heart|eyes|"
    r"hearing|chest|leg|feet|hip|shoulder)|"
    r"(?:dodgy|gammy|bum|gone) (?:back|knees?|hips?|heart|eyes|leg|foot|shoulder)|weak \w+|"
    r"(?:back|knee|hip|heart|stomach|"
    r"thyroid) (?:problems?|trouble|condition))\b"
)
_BROKE = re.compile(
    r"(?:(?:have|has|'s) )?(?:just )?(?P<v>broke|broken|fractured|sprained|tore|"
    r"twisted|dislocated) (?:me |my |his |her |an? )?(?P<x>(?:left |right )?(?:wrist|"
    r"arm|leg|ankle|hip|foot|toe|finger|collarbone|rib|ribs|elbow|shoulder|nose|"
    r"knee|acl|hand))\b"
)
_HAD = re.compile(
    r"(?:had|has had|have had|'s had) (?:(?:a|an|my|his|her) )?(?P<x>(?:new "
    r"(?:hip|knee|heart)|heart attack|stroke|bypass|hip replacement|knee replacement|"
    r"operation on \w+ \w+|pacemaker(?: fitted)?|transplant|baby|miscarriage|"
    r"mastectomy|hysterectomy))\b"
)
_PRESSURE = re.compile(
    r"^(?:my|his|her|\w+ 's) (?:blood )?(?P<x>pressure|cholesterol|sugar|heart|"
    r"hearing|eyesight|sight|memory|knee|knees|back|hip) ?(?:is|'s|are) (?P<y>high|"
    r"low|bad|weak|poor|failing|going|not good|dodgy|gone)\b"
)
_EXPECTING = re.compile(rf"(?:{BE} (?:expecting|having a baby)|{BE} expecting a baby|having a baby)\b")


def health(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _PRESSURE.match(clause.text):
        owner = clause.text.split()[0]
        subject = notes.user if owner == "my" else notes.person if owner in ("his", "her") else owner.capitalize()
        subject and notes.add(subject, "has_condition", f"{match['x']} {match['y']}")
        return True
    if clause.subject == "it":
        return False
    if _EXPECTING.match(clause.verbs) and not clause.denies:
        told = reading.when()
        notes.add(
            clause.subject,
            "has_condition",
            "having a baby",
            since=told.start if told else None,
            until=told.end if told else None,
        )
        return True
    if match := _BROKE.match(clause.verbs) or _BROKE.match(clause.text):
        return _ill(reading, f"{'broke' if match['v'].startswith('brok') else match['v']} {match['x']}", dated=True)
    for pattern in (_HAD, _PROBLEM, _ILL_BE, _ILL_HAVE):
        if match := pattern.match(clause.verbs):
            what = re.sub(r"\b(?:a|the) ", "", match["x"])
            if what == "baby" or re.match(r" (?:allergy|today|joke|free)|,? no\b", match.groupdict().get("rest") or ""):
                return False
            kind = re.search(r"type (?:one|two|1|2)", reading.text) if what == "sugar" else None
            what = f"sugar {kind[0]}" if kind else what
            if what == "sugar" and (clause.denies or clause.ended):
                return False  # what is not eaten
            return _ill(reading, what, dated=pattern is _HAD)
    return False


def _ill(reading: Reading, told: str, *, dated: bool = False) -> bool:
    clause, notes = reading.clause, reading.notes
    since = reading.when(past=True) if dated or "since" in clause.text else None
    if clause.denies or clause.ended:
        notes.end(clause.subject, "has_condition", told)
    else:
        notes.add(clause.subject, "has_condition", told, since=since.start if since else None)
    return True


RULES: tuple[Rule, ...] = (allergies, medicine, health, food)
