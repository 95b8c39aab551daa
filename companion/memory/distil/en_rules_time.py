"""English clauses about what is to come and what comes again: appointments, plans, routines."""

from __future__ import annotations

import re
from datetime import timedelta

from companion.memory.distil.en_reading import BE, HAVE, Reading, Rule, looks_like_a_name
from companion.memory.distil.en_things import thing
from companion.memory.distil.en_words import MEETINGS, NOBODY, PLAYED, ROLE, TRADES
from companion.memory.times.when import When

_DAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_OFTEN = re.compile(
    rf"\b(?:every(?: (?:second|other|single|two|three))? (?:{_DAY}|day|night|"
    r"morning|evening|afternoon|week|weekend|month|year|summer|christmas eve|"
    r"christmas|winter|spring|autumn|lunchtime)|every|each (?:day|night|morning|"
    rf"week|{_DAY})|"
    rf"(?:on )?(?:{_DAY})s(?: and (?:{_DAY})s)*|(?:on )?weekdays|(?:at |on )?weekends|"
    rf"most (?:days|nights|mornings|evenings|{_DAY}s|weekends)|once a (?:week|"
    r"month|day|year)|"
    r"twice a (?:week|month|day|year)|(?:three|four|five) times a (?:week|day|"
    rf"month)|as a rule|(?:{_DAY}) (?:mornings|evenings|afternoons|nights)|{_DAY} "
    rf"to {_DAY}|(?:in the )(?:mornings|evenings|afternoons)|at night|nightly|"
    rf"daily|weekly|{_DAY} (?:and|or) {_DAY}s?|on a {_DAY}|of an evening|without "
    r"fail)\b"
)
_HABIT_VERB = re.compile(
    r"(?:am|is|are|'s|go|goes|do|does|have|has|play|plays|walk|walks|run|runs|"
    r"swim|swims|take|takes|get|gets|wake|wakes|"
    r"open|opens|close|closes|work|works|ring|rings|call|calls|visit|visits|"
    r"cook|cooks|eat|eats|watch|watches|come|comes|meet|"
    r"meets|train|trains|bake|bakes|clean|cleans|read|reads|pick|picks|drop|"
    r"drops|start|starts|finish|finishes|fast|fasts|"
    r"help|helps|sing|sings|practise|practises|practice|practices|study|studies|"
    r"attend|attends|teach|teaches|need|needs|leave|leaves|drive|drives|"
    r"drink|drinks|feed|feeds|water|waters|put|puts|volunteer|volunteers|pray|"
    r"prays|collect|collects|stay|stays|shower|showers|shop|shops|skype|phone|"
    r"phones|bring|brings|make|makes|sleep|sleeps|nap|naps|jog|jogs|cycle|cycles|"
    r"babysit|babysits|mow|mows|milk|milks|dance|dances|hold|holds|tutor|tutors|"
    r"look|looks|wash|washes|host|hosts|order|orders|garden|gardens|iron|irons|"
    r"let|lets|knit|knits|paint|paints|video|see|sees|want|wants|got|must|spend|"
    r"spends)\b"
)
_BY_HOUR = re.compile(
    r"(?:walks?|wakes? up|wakes?|get up|gets up|goes to bed|go to bed|is in "
    r"bed|am in bed|up|has? (?:my |his |her )?(?:dinner|lunch|breakfast|tea)|"
    r"have (?:my )?(?:dinner|lunch|breakfast|tea)|am up|is up|finish(?:es)? "
    r"work|starts? work|leaves? for work|leave for work|opens?|closes?|prays?)\b.* "
    r"(?:at|by|around) "
)
_LEAD = re.compile(
    rf"^(?:(?:{BE}|go|goes|going|have got|has got|have|has|do|does|to|the|my|"
    r"his|her|our|a|an|in|must|need to|needs to) )+"
)


def routines(reading: Reading) -> bool:
    clause = reading.clause
    often = _OFTEN.search(clause.text)
    if often is None and clause.ended and re.match(r"(?:do|does|go|goes|have|has)\b", clause.verbs):
        return _ended(reading)
    if often is None and not clause.habit and not _BY_HOUR.match(clause.verbs) and not _bins(clause.text):
        return False
    if clause.subject == "it" or re.search(r"\b(?:was|were|went|had|used to|will|tomorrow|next|this)\b", clause.text):
        return clause.ended and _ended(reading)
    if missed := re.match(r"miss(?:es)? (?P<x>.+)", clause.verbs):
        return clause.denies and _note(reading, missed["x"])
    if clause.denies or clause.ended:
        return _ended(reading)
    if not _HABIT_VERB.match(clause.verbs):
        return False
    if re.match(r"works? (?:at|for)\b", clause.verbs):
        return False  # where, not when
    return _note(reading, clause.verbs)


def _bins(text: str) -> bool:
    return (
        re.match(
            rf"(?:the )?(?:bins?|rubbish|recycling|cleaner|home help|milkman|gardener|paper)\b.* (?:on )?{_DAY}", text
        )
        is not None
    )


def _note(reading: Reading, verbs: str) -> bool:
    verbs = re.sub(
        (
            r"\b(?:like|sharp|about|most|just) (?=\w)|\b(?:sharp|as a rule|in our place|"
            r"at our place|the whole family|round the block|every week|regularly|but monday)\b|"
            r","
        ),
        " ",
        verbs,
    )
    said = thing(" ".join(_LEAD.sub("", verbs).split()), words=10)
    if _OFTEN.search(reading.clause.text) and not _OFTEN.search(said) and (ahead := _OFTEN.search(reading.clause.text)):
        said = f"{said} {ahead[0].removeprefix('every ') if said.startswith(ahead[0]) else ahead[0]}"
    if not said or (len(said.split()) < 2 and "church" not in said):
        return False
    reading.notes.add(reading.subject, "does_regularly", said)
    return True


def _ended(reading: Reading) -> bool:
    verbs = re.sub(r"^(?:(?:go|goes|do|does|have|has|am|is|are|'s|to|the|at|in|going) )+", "", reading.clause.verbs)
    told = thing(verbs)
    told and reading.notes.end(reading.subject, "does_regularly", told)
    return bool(told)


_FRONT = re.compile(
    r"^(?:(?:on |at )?(?P<when>(?:every (?:second |other )?\w+|weekdays|weekends|"
    rf"{_DAY}s?(?: (?:mornings|evenings|afternoons|nights))?|(?:in the )?(?:mornings|"
    r"evenings))),? )(?P<rest>(?:i|we|he|she|they|my \w+|(?!is|are|means|was)\w+) "
    r".+)"
)
_DAYS_ARE = re.compile(rf"^(?P<when>{_DAY}s?(?: (?:night|evening|morning)s?)?) (?:is|are|'s|means) (?P<x>.+)")
_PRACTICE_IS = re.compile(
    r"^(?:the |my )?(?P<what>[\w ]*?(?:practice|training|lessons?|class|club|"
    rf"rehearsals?|choir|yoga|judo|karate|ballet|swimming|{PLAYED}|shopping|laundry|"
    r"cleaning|book club|shift|mass|church)) (?:is|'s|are)(?: on)? (?P<x>(?:on "
    rf")?{_DAY}s?.*|every .+)"
)


def routine_first(text: str) -> tuple[str, str] | None:
    """ "on weekdays i'm up at half five": the time, and the rest as a clause of its own."""
    match = _FRONT.match(text)
    return (match["when"], match["rest"]) if match else None


def days_are(reading: Reading) -> bool:
    """ "fridays is fish and chips", "football practice is mondays and thursdays"."""
    text, notes = reading.clause.text, reading.notes
    match = _PRACTICE_IS.match(text)
    if match is not None:
        days, _, old = re.sub(r"\b(?:now|instead)\b", " ", match["x"]).partition(" of ")
        days, _, other = days.partition(",")
        if not re.search(rf"{_DAY}s|every", days) and "now" not in text:
            return False
        notes.add(notes.user, "does_regularly", f"{match['what']} {' '.join(days.split())}")
        if old or "not" in other:
            notes.end(notes.user, "does_regularly", f"{match['what']} on {(old or other.replace('not', '')).strip()}")
        return True
    match = _DAYS_ARE.match(text)
    if match is not None and match["when"].endswith("s"):
        told = thing(re.sub(r" from .*", "", match["x"]))
        told and notes.add(notes.user, "does_regularly", f"{told} {match['when']}")
        return bool(told)
    return False


_MEETING = re.compile(
    r"\b(?P<x>(?:(?:driving|piano|organic|maths|english|eye|blood|job|parents|"
    r"doctor's|dentist|hospital|school|end of year|final|first|second|annual|"
    rf"flu) )*(?:{MEETINGS}|\w+ (?:test|exam|interview|recital|party|trip|match|"
    r"tournament|course|lesson|"
    r"gala|concert|show|race|performance|competition|audition|"
    r"scan|surgery|check-?up|jab))s?(?: appointment)?)\b(?P<rest> for (?:my|the|"
    r"his|"
    r"her) [\w ]+)?"
)
_SEEING = re.compile(r"(?:(?:am|is|are|'s) )?(?:seeing|meeting|visiting) (?:the |my |our |his |her )?(?P<x>[\w' ]+)")
_COMING = re.compile(r"^(?:the |my |our )?(?P<x>[\w ]+?) (?:is|'s|are) (?:coming|due|arriving)\b")
_THING_IS = re.compile(r"^(?:the |my |our )?(?P<x>[\w' ]+?) (?:is|'s|are)(?: due| on| at)?$")
_OWNER = re.compile(r"^(?P<who>\w+) 's (?P<x>.+)")


def appointments(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    told = reading.when()
    if (
        told is None
        or told.start < notes.at.replace(hour=0, minute=0, second=0, microsecond=0)
        or told.end - told.start > timedelta(days=8)
    ):
        return False
    if _OFTEN.search(clause.text) or clause.denies or re.search(r"\b(?:was|were|went|had|last)\b", clause.text):
        return False
    rest = " ".join(f"{clause.text[: told.at[0]]} {clause.text[told.at[1] :]}".split())
    match = _MEETING.search(rest)
    seeing = _SEEING.search(rest)
    coming = _COMING.match(rest)
    if (
        match is None
        and seeing is None
        and (coming is None or re.search(r"\b(?:mum|dad|mother|father)\b", rest) is None)
    ):
        return False
    what = _what(rest, match, seeing)
    subject = _whose(reading, rest)
    if not what or not subject:
        return False
    notes.add(subject, "has_appointment", what, since=told.start, until=told.end)
    return True


def _what(rest: str, match: re.Match[str] | None, seeing: re.Match[str] | None) -> str:
    if match is not None:
        what = match["x"]
        whom = re.match(r" (?:with|at) (?:the |my |our )?(?P<y>[\w' ]+)$", rest[match.end("x") :])
        if whom and re.fullmatch(r"(?:\w+ )?(?:appointment|meeting|interview|consultation)", what):
            what = whom["y"] if what == "appointment" else f"{what} with {whom['y']}"
        elif found := re.search(r"\bfor (?:the |his |her )(?P<y>[\w ]+)$", rest[match.end("x") :]):
            what = f"{what} {found['y']}"
        return thing(what, words=6)
    return thing(re.sub(r" about .*", "", seeing["x"])) if seeing else ""


_OTHERS = (
    re.compile(rf"(?P<who>(?:my|our) (?:{ROLE})|(?!it\b|that\b|there\b)\w+) 's (?:\w+ )?(?:{MEETINGS})\b"),
    re.compile(rf"\b(?:gave|given|got|booked|made) (?P<who>(?:my|our) (?:{ROLE})|him|her|\w+) (?:an? |in )"),
    re.compile(rf",? for (?P<who>(?:my|our) (?:{ROLE})|\w+)$"),
)


def _other_owner(reading: Reading, rest: str) -> str:
    """Somebody else who is named as the one to go: "they gave my dad an appointment", "a test on friday, for kofi"."""
    for pattern in _OTHERS:
        match = pattern.search(rest)
        who = match["who"].replace("our ", "my ", 1) if match else ""
        if not who or who in NOBODY or who in ("me", "us", "i", "a", "an", "the") or re.search(MEETINGS, who):
            continue
        if who in ("him", "her"):
            return reading.notes.person
        if who.startswith("my ") or looks_like_a_name(who):
            return who if who.startswith("my ") else who.capitalize()
    return ""


def _whose(reading: Reading, rest: str) -> str:
    notes, clause = reading.notes, reading.clause
    if other := _other_owner(reading, rest):
        return other
    owner = _OWNER.match(rest)
    if owner and not re.match(r"(?:coming|on|at|due|a |got |having|going|seeing)", owner["x"]):
        return (
            notes.user if re.search(rf"\b{owner['who']}\b", MEETINGS.replace("\\", "")) else owner["who"].capitalize()
        )
    subject = clause.subject
    alone = rf"(?:{re.escape(subject.lower())} )?(?:{MEETINGS}|the|my (?:{MEETINGS}))\b"
    if subject == "it" or re.match(alone, rest.lower()):
        return notes.user
    if re.match(r"(?:the|our) ", rest) or re.fullmatch(rf"(?:{MEETINGS}|{TRADES}|parents)s?", subject.casefold()):
        return notes.user
    if subject.startswith("my ") and re.search(r"'s (?:coming|due)|is (?:coming|due)", rest):
        return notes.user
    return subject


_GOING_TO = re.compile(
    rf"(?:(?:{BE}|have been|has been) )?(?:going to|planning (?:to|on)|thinking "
    r"(?:of|about)|hoping to|saving(?: up)? (?:for|to)|intending to|aiming to|set to|"
    r"looking to|off to|going back to|planning|about to|due to) (?P<x>.+)"
)
_GO = re.compile(
    rf"(?:{BE}) (?P<x>(?:going|moving|flying|travelling|traveling|getting married|"
    r"starting|trying out|having|visiting|taking|driving|coming|heading|running|"
    r"doing|retiring|emigrating|hiking|staying|spending|throwing|hosting|applying|"
    r"renting|selling|buying|leaving|joining|returning|graduating|opening|building|"
    r"sitting|finishing)\b.+|going back to .+)"
)
_WANT = re.compile(
    r"(?:(?:'d|would) (?:like|love) to|want to|wants to|hope to|hopes to|plan "
    r"to|plans to|intend to|intends to|mean to|wanted to) (?P<x>.+)"
)
_WILL = re.compile(r"(?:will|'ll|shall) (?P<x>.+)")
_DECIDED = re.compile(
    r"(?:plans? to|intends? to|(?:have |has )?(?:decided|resolved) to|(?:have |has )?made up (?:my|his|her) mind to|"
    r"(?:am|is|are) (?:getting ready|determined|preparing) to|(?:(?:am|is|are) )?saving(?: up)? to) (?P<x>.+)"
)
"""Said of nothing that is done in the next minute."""
_BIG = re.compile(
    r"\b(?:be an? |become|build|move|learn|study|travel|visit|marry|get married|"
    r"retire|start|open|buy|emigrate|apply|sell|adopt|renovate|write a|train|"
    r"run (?:a|the)|climb|go (?:back )?to (?:uni|university|college|nursing|"
    r"school|japan)|part time|second|new|masters|degree|house|car|try|quit|teach|"
    r"join|cycle|walk the|redo|paint the|extend|plant|replace)\b"
)
_TRIVIAL = re.compile(
    r"^(?:to )?(?:(?:go |going )?to )?(?:the )?(?:bed|sleep|shop|shops|store|"
    r"loo|toilet|bathroom|kitchen|gym|park|supermarket|lie down|eat|have (?:a|"
    r"some|my|lunch|dinner|breakfast)|watch|listen|hear|"
    r"kill|scream|cry|explode|die|be (?:late|sick|fine|ok|okay|right|there|back|"
    r"home|good|great)|rain|snow|cook|make|take (?:a|the) (?:bath|shower|nap|"
    r"walk|dog|bus|train)|know|tell|ask|say|see (?:if|what)|do (?:it|that|this|"
    r"the (?:dishes|washing|laundry))|need|"
    r"call|ring|phone|text|be able|get (?:up|some|a coffee|dressed|ready)|put|"
    r"leave now|lose|miss|regret|work|go out|head out|pop|grab|buy (?:some|milk|"
    r"bread)|sit|relax|wash|clean|try to|well|out|mad|crazy|wrong|bald|grey|"
    r"blind|deaf|down|up|on|through|bananas|nuts|in|for a (?:walk|run|swim|drink)|"
    r"fine|badly|swimming|running)\b"
)


def plans(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if clause.subject == "it" or _OFTEN.search(clause.text):
        return False
    told = reading.when()
    is_dated = told is not None and told.start.date() > notes.at.date()
    for pattern, needs in ((_DECIDED, False), (_GOING_TO, False), (_WANT, False), (_GO, True), (_WILL, True)):
        match = pattern.match(clause.verbs)
        if match is None:
            continue
        what = _plan(match, told)
        # Without a day to come, only what changes a life is a plan: "going to" alone is said of the next minute too.
        if (
            not what
            or _TRIVIAL.match(what)
            or not (
                is_dated
                or pattern is _DECIDED
                or (not needs and _BIG.search(match["x"]))
                or re.search(r"\bfor (?:diwali|christmas|easter|eid)\b", what)
            )
        ):
            return needs and pattern is _GO and False
        if told and told.start < notes.at.replace(hour=0, minute=0, second=0, microsecond=0):
            told = None
        _note_plan(reading, what, told)
        return True
    return False


def _note_plan(reading: Reading, what: str, told: When | None) -> None:
    clause, notes = reading.clause, reading.notes
    if clause.denies or clause.ended:
        notes.end(clause.subject, "plans", what)
        return
    notes.add(clause.subject, "plans", what, since=told.start if told else None, until=told.end if told else None)


def _plan(match: re.Match[str], told: When | None) -> str:
    what = re.sub(r"^(?:to )?(?:be|become) (?=an? )", "", match["x"])
    if told is not None:
        what = what.replace(told.said, " ").strip()
    what = re.sub(
        r"\b(?:this year|i think|come|by|probably)$|^(?:probably|definitely) ", "", " ".join(what.split())
    ).strip(" ,")
    told_what = thing(re.sub(r" (?:after|before|when) .*", "", what), words=8)
    lead = re.match(r"(?:\w+ )*?(saving(?: up)? for|off to|going back to|going(?= to \w+$))", match[0])
    if lead and told_what and lead[1] != "going":
        return f"{lead[1].replace('off to', 'going to')} {told_what}"
    if match[0].find("going to") >= 0 and told is not None and len(told_what.split()) == 1:
        return f"going to {told_what}"
    return told_what


RULES: tuple[Rule, ...] = (appointments, days_are, routines, plans)
__all__ = ["HAVE", "RULES", "routine_first"]
