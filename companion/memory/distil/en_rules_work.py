"""English clauses about work and study."""

from __future__ import annotations

import re

from companion.memory.distil.en_reading import BE, Reading, Rule
from companion.memory.distil.en_rules_people import NOT_PLACES
from companion.memory.distil.en_things import thing
from companion.memory.distil.en_words import SUBJECTS, TRADES
from companion.memory.times.numbers import CARDINAL
from companion.memory.times.when_en import when

_WORKS = re.compile(
    rf"(?:{BE} )?(?:earns? (?:my|his|her) living|goes to work|go to work|works?|"
    r"working|employed(?= by)|employed|has been working|have been working|"
    r"used to work|spends? (?:my|his|her|their) (?:working )?days)(?: \w+)? (?:for|at|in|with|on|by) (?P<x>.+)"
)
_WORKS_AS = re.compile(
    rf"(?:works?|working|(?:am|is|are|'s) working|(?:{BE} )?employed|(?:makes?|earns?) (?:my|his|her|their|a) "
    r"(?:money|living)) as (?P<x>.+)|(?P<v>(?:drives?|"
    r"drove) (?:a |an )?(?:taxi|bus|lorry|truck|van|cab|tram|train)|cleans? "
    r"(?:offices|houses|windows)|teach(?:es)? (?!(?:me|him|her|us)\b)\w+|makes? "
    r"(?:the )?(?:kitchens|furniture) for a living)|(?P<w>\w+ \w+) for a living"
)
_TRADE = re.compile(
    rf"(?:(?:{BE}|became|become|have become|has become|started as|have been|has been|'s been|trained as|trains "
    r"as|qualified as) )?(?:now |still |just |actually "
    r")?(?:(?:a|an|the|our|their) )?(?P<x>(?:(?:junior|senior|retired|trainee|"
    r"freelance|primary|secondary|primary school|high school|maths|english|music|"
    r"piano|head|assistant|software|mechanical|civil|electrical|chief|self employed|"
    r"professional|part time|full time|veterinary|dental|social|project|product|"
    r"data|web|sales|shop|bank|night|care|swimming|yoga|driving|football|graphic|"
    rf"interior) )*(?:{TRADES}))\b(?P<rest>.*)"
)
_PLACED = re.compile(r"(.+?)((?: (?:at|for) .+)?)")
_RETIRED = re.compile(rf"(?:(?:{BE}|have been|has been|just) )?retired\b")
_AT = re.compile(r"(?:^|.*?\b)(?:at|for|in) (?P<x>.+)")
_NOT_WORK = re.compile(
    r"^(?:home|night|nights|the morning|the mornings|weekends?|moment|a team|"
    r"shifts|days|hours|\w+days?|least|ages|all|first|last|once|it|that|this|\w+ "
    r"years?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b.*)$"
)


def works(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _WORKS_AS.match(clause.verbs):
        what, place = _PLACED.fullmatch(match["v"] or match["w"] or match["x"]).groups("")  # type: ignore[union-attr]
        return _trade(reading, what, place)
    if match := _WORKS.match(clause.verbs):
        told = _employer(match["x"])
        told and _note(reading, "works_at", told, gone="used to" in clause.verbs)
        return bool(told)
    if match := _TRADE.match(clause.verbs):
        return _trade(reading, match["x"], match["rest"])
    if _RETIRED.match(clause.verbs) and not clause.denies:
        since = when(clause.text, notes.at, past=True)
        notes.add(clause.subject, "works_as", "retired", since=since.start if since else None)
        return True
    return False


def _trade(reading: Reading, what: str, rest: str) -> bool:
    verbs = reading.clause.verbs
    what = thing(what)
    if not what or re.search(r"\b(?:of|fan|lover|person)$", rest.strip()) or rest.startswith((" 's", "s ", "-")):
        return False
    _note(reading, "works_as", what, gone=verbs.startswith("used to"))
    place = _AT.match(rest)
    employer = _employer(place["x"]) if place and not re.match(r"was|were", verbs) else ""
    if employer:
        inner = re.match(r".+ (?:at|in) (.+)", place["x"]) if place else None
        _note(reading, "works_at", _employer(inner[1]) if inner and "ward" in place["x"] else employer)  # type: ignore[index]
    return True


def _employer(text: str) -> str:
    told = thing(
        re.sub(
            (
                r" (?:not|called|on|since|from|every|now|as|in (?=january|february|march|"
                r"april|may\b|june|july|august|september|october|november|december|\d))\b.*"
            ),
            "",
            text,
        ),
        words=6,
    )
    if found := re.search(r" called (.+)", text):
        told = thing(found[1], words=4)
    return "" if not told or _NOT_WORK.match(told) else told


def _note(reading: Reading, relation: str, told: str, *, gone: bool = False) -> bool:
    clause, notes = reading.clause, reading.notes
    if clause.denies or clause.ended or gone:
        return notes.end(clause.subject, relation, told)
    since = when(clause.text, notes.at, past=True) if re.search(r"\bsince\b|\bfor \w+ years", clause.text) else None
    return notes.add(clause.subject, relation, told, since=since.start if since else None)


_BEEN_AT = re.compile(
    rf"(?:(?:have|has|'s) been|{BE}) at (?P<x>(?:the |a |saint |st )?[\w' ]+?)(?P<long> "
    rf"(?:for )?{CARDINAL} years.*| for (?:ages|years).*| since .*| these days| now|,? not .*|$)"
)
_RUNS = re.compile(
    r"(?:run|runs|owns?|have|has|opened|manages?) (?:my |his |her |our |a |an "
    r"|the )?(?P<x>(?:own )?(?:\w+ )*?(?:shop|store|restaurant|cafe|café|bakery|"
    r"garage|business|company|salon|farm|practice|firm|studio|hotel|pub|nursery|"
    r"stall|gallery))\b"
)
_LEFT = re.compile(
    r"(?:have |has |'s )?(?:just )?(?:left|quit|resigned from|got (?:sacked|"
    r"fired) from|lost (?:my|his|her) job at|handed in (?:my|his|her) notice "
    r"at|finished at|stopped working (?:at|for)) (?P<x>.+)"
)
_STARTED = re.compile(
    r"(?:have |has |'s )?(?:just )?(?:got|started|began|landed|took|found)(?: working)?(?: a| my|"
    r" his| her)?(?: new)?(?: job| work| position| post)? (?:at|with) (?P<x>.+)"
)
_HAS_JOB = re.compile(
    r"(?:has|have|got) (?:a|the) (?:new |good |part time )?(?:job|position|post|place) (?:at|with|in) (?P<x>.+)"
)
_BECAME = re.compile(
    r"(?:(?:has |have )?(?:become|became)|(?:has|have) been) an? "
    r"(?P<x>(?!bit\b|lot\b|problem|pain|while|long|good|bad|great)[a-z ]{3,28}?)"
    r"(?: for (?:ages|years|\w+ years)| now| recently)?$"
)
_PARTNER_AT = re.compile(
    r"(?:just )?made (?P<w>partner|manager|director|head \w+) at (?:my |his "
    r"|her |the )?(?P<x>.+)"
)
_APPRENTICE = re.compile(
    rf"(?:{BE} )?(?:doing|in|starting|started) (?:an|his|her|my|the) apprenticeship (?:as (?:a|an)|in|at) (?P<x>.+)"
)
_JOB_AT = re.compile(
    r"(?:do|does|work|works) (?:saturdays|sundays|weekends|shifts|nights|evenings|mornings) (?:at|in) (?P<x>.+)"
)


def employed(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    verbs = clause.verbs
    if match := _PARTNER_AT.match(verbs):
        notes.add(clause.subject, "works_as", match["w"])
        notes.add(clause.subject, "works_at", thing(match["x"]))
    elif match := _APPRENTICE.match(verbs):
        notes.add(clause.subject, "works_as", thing(match["x"]))
    elif match := _HAS_JOB.match(verbs):
        return _note(reading, "works_at", _employer(match["x"]))
    elif (match := _BECAME.match(verbs)) and clause.subject != "it" and not clause.denies:
        return _note(reading, "works_as", thing(match["x"], words=3))
    elif match := _RUNS.match(verbs):
        _note(reading, "works_at", match["x"].removeprefix("own "))
    elif match := _LEFT.match(verbs):
        told = thing(re.sub(r" (?:in|last|on|this|yesterday|at the end)\b.*", "", match["x"]))
        past = reading.when(past=True)
        known = next((word for word in ("university", "college", "uni", "school") if told.endswith(word)), "")
        told and notes.end(
            clause.subject,
            "studies_at" if known in ("university", "college", "uni") else "works_at",
            told,
            at=past.start if past else None,
        )
        return bool(told)
    elif match := _STARTED.match(verbs):
        past = reading.when(past=True)
        told = _employer(match["x"].replace(past.said, "") if past else match["x"])
        return notes.add(clause.subject, "works_at", told, since=past.start if past else None)
    elif match := _JOB_AT.match(verbs):
        return _note(reading, "works_at", _employer(match["x"]))
    else:
        return _been_at(reading)
    return True


def _been_at(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    match = _BEEN_AT.match(clause.verbs)
    told = thing(match["x"], words=4) if match else ""
    if (
        match is None
        or not told
        or clause.subject == "it"
        or _NOT_WORK.match(told)
        or (told in NOT_PLACES and not match["long"].strip())
    ):
        return False
    if "hospital" not in told and re.search(
        r"\b(?:school|university|college|uni|imperial|oxford|cambridge|academy|nursery)\b", told
    ):
        _note(reading, "studies_at", told)
        return True
    if not match["long"].strip() and not (clause.denies or clause.ended):
        return False
    since = when(
        match["long"].strip() if "since" in match["long"] else f"for{match['long'].removeprefix(' for')}",
        notes.at,
        past=True,
    )
    if clause.denies or clause.ended:
        notes.end(clause.subject, "works_at", told)
    else:
        notes.add(clause.subject, "works_at", told, since=since.start if since else None)
    return True


_STUDY = re.compile(
    rf"(?:(?:{BE}|have been|has been) )?(?:stud(?:y|ies|ied|ying)|reads?(?= (?:{SUBJECTS}))|"
    rf"reading(?= (?:{SUBJECTS}))|doing(?= (?:a degree in |a masters in )?(?:{SUBJECTS}))|"
    rf"does(?= (?:{SUBJECTS})\b)|do(?= (?:{SUBJECTS})\b)|learn(?:s|ing)?|majoring "
    r"in|teaching (?:myself|himself|herself)|takes? (?:a |some )?(?:classes|lessons|courses|a course) in|"
    rf"working towards|(?:{BE} )?in (?:my|his|her) \w+ year of|{BE} a student of|"
    rf"{BE} at (?:uni|university|college) (?:for|doing)) "
    r"(?:(?:a degree|a masters|a phd|a diploma|a certificate) in )?(?P<x>.+)"
)
_SWITCHED = re.compile(
    rf"(?:have |has )?(?:switched|changed|transferred) (?:from (?P<old>\w+) )?to (?P<x>{SUBJECTS})\b"
)
_YEAR_AT = re.compile(
    rf"(?:{BE} )?(?:in|starting|finishing|now in) (?:year|grade|class|form|reception|"
    r"kindergarten|nursery) ?\w* (?:at|in) (?P<x>.+)"
)
_INTO = re.compile(
    r"(?:just )?(?:got into|go to|goes to|going to|attends?|started at|enrolled "
    r"at|transferred to|got a place at) (?P<x>[\w' ]*?(?:university|college|"
    r"school|academy|imperial|oxford|cambridge|uni|nursery|kindergarten)[\w' "
    r"]*?)(?: to (?:do|study|read) (?P<y>.+))?$"
)


def studies(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _SWITCHED.match(clause.verbs):
        notes.add(clause.subject, "studies", match["x"])
        return True
    if match := _YEAR_AT.match(clause.verbs) or _INTO.match(clause.verbs):
        told = thing(match["x"], words=5)
        told and _note(reading, "studies_at", told)
        subject = match.groupdict().get("y")
        subject and notes.add(clause.subject, "studies", thing(subject))
        return bool(told)
    match = _STUDY.match(clause.verbs)
    if match is None:
        return False
    what, _, where = match["x"].partition(" at ")
    if match["x"].startswith("at "):
        what, where = "", match["x"].removeprefix("at ")
    told = thing(
        re.sub(r" (?:on|with|in|this|for|by|from|to|because|and play)\b.*", "", re.sub(r"^(?:how )?to .*", "", what)),
        words=4,
    )
    told = re.sub(r",.*", "", told)
    if told and not told.startswith(("play", "for", "hard", "drive", "cook", "swim")):
        _note(reading, "studies", told)
    if (
        where
        and re.search(r"uni|college|school|academy|institute|imperial|oxford|cambridge", where)
        and len(thing(where).split()) > 1
    ):
        _note(reading, "studies_at", thing(where))
    return bool(told or where)


def by_doing(reading: Reading) -> bool:
    """ "cleans offices at night", "do saturdays at a coffee place": work told by what is done."""
    clause = reading.clause
    if match := _JOB_AT.match(clause.verbs):
        told = _employer(match["x"])
        told and _note(reading, "works_at", told)
        return bool(told)
    match = _WORKS_AS.match(clause.verbs)
    return match is not None and bool(match["v"]) and _trade(reading, match["v"], "")


EARLY: tuple[Rule, ...] = (by_doing,)
RULES: tuple[Rule, ...] = (works, employed, studies)
