"""English utterances taken apart: contractions undone, clauses parted, and of each who does what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion.memory.distil.en_words import HELPER, KIN, NOBODY, PETS, ROLE

_CONTRACTIONS = (
    (re.compile(r"\b(i)(?:'m|m)\b"), r"\1 am"),
    (re.compile(r"\b(you|we|they)(?:'re)\b"), r"\1 are"),
    (re.compile(r"\b(theyre)\b"), "they are"),
    (re.compile(r"^where (?=living|staying|moving)"), "we are "),
    (re.compile(r"\b(i|you|we|they)'?ve\b"), r"\1 have"),
    (re.compile(r"\b(\w+)'ve\b"), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|there|what|who)'?s\b(?! (?:dog|cat|name|mum|dad))"), r"\1 is"),
    (re.compile(r"\b(i|you|he|she|it|we|they)'ll\b"), r"\1 will"),
    (re.compile(r"\b(i|you|he|she|it|we|they)'d (?=got\b|had\b|been\b|[a-z]+ed\b)"), r"\1 had "),
    (re.compile(r"\bcan'?t\b|\bcan not\b"), "cannot"),
    (re.compile(r"\bwon'?t\b"), "will not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|should|could)n'?t\b"), r"\1 not"),
    (re.compile(r"(?<=\w)(?<!\bi)(?<!\bwe)(?<!\bhe)(?<!\bshe)(?<!\bthey)(?<!\byou)(?<!\bit)'d\b"), " 'd"),
    (re.compile(r"\bain't\b"), "is not"),
    (re.compile(r"\bgonna\b|\bgoing to to\b"), "going to"),
    (re.compile(r"\bwanna\b"), "want to"),
    (re.compile(r"\bfav(?:e|ourite|orite)?\b"), "favourite"),
    (re.compile(r"(?<=\w)(?<!parkinson)(?<!alzheimer)(?<!crohn)'s\b"), " 's"),
    (re.compile(r"(?<=\w)s' "), "s 's "),
    (
        re.compile(
            r"\b(?:um+|uh+|er|erm|hmm|you know|i mean|sort of|kind of|kinda|by the way|"
            r"btw|like(?= (?:three|two|four|five|six|seven|no|really|nine|ten))|"
            r"i tell you|i must say|to be honest|honestly|just so you know|so keep that "
            r"in mind|keep that in mind|remember that|believe it or not|can you believe "
            r"it|as it happens)\b,?"
        ),
        " ",
    ),
    (
        re.compile(
            r"\b(?:really|actually|absolutely|totally|definitely|literally|basically|"
            r"seriously|proper|well and truly|very much|deeply)\b"
        ),
        " ",
    ),
    (re.compile(r"\b(\w+(?: 's)?) \1(?= |$)"), r"\1"),
)
_SPACES = re.compile(r"\s+")
_COMMA = re.compile(r"\s*[,;:]\s*")
_HARD = re.compile(
    r"\s*(?:[.!;]+(?:\s+|$)|\s-+\s|(?<!anything )(?<!nothing )\bbut\b|\balthough\b|"
    r"\bthough\b|\bwhereas\b|\bbecause\b|\bcos\b|\bcause\b|\bso (?=i |we |he "
    r"|she |it |keep|please|no |don|never|that |be |you ))\s*"
)
_VERBS = (
    r"(?:am|is|are|'s|was|were|has|have|had|does|do|likes?|loves?|hates?|works?|"
    r"lives?|stays?|plays?|studies|study|takes?|goes|"
    r"speaks?|wants?|moved|turned|teaches|runs?|owns?|drives?|eats?|drinks?|got|keeps?|sold|bought|left|quit|retired|"
    r"will|cannot|never|always|just|still|used|gets?|comes?|means?|makes?|did|helps?|prefers?|enjoys?|"
    r"switched|changed|stopped|started|gave|broke|go|can|must|need|grew|collects?|"
    r"swims?|cooks?|sings?|dances?|reads?)"
)
_STARTS = re.compile(
    r"(?:i|we|he|she|they|it|my|our|the|there|that|this|not|now|never|no|before|"
    rf"after|when|every|on|at|\w+(?: and i| 's \w+)?|\w+ and \w+) {_VERBS}\b|"
    r"(?:my|our) |(?:not|now|never|when|if|every|instead) "
)
_NOT_THAT = re.compile(r"not (?:in |at |on |the |an? )*\w+(?: \w+)?")
_INNER = re.compile(
    r"(?<!that )(?<!which )(?<!who )(?<!what )(?<!when )(?<!than )(?<!if )(?<!how "
    r")(?<!where )(?<!while )(?<!and )(?<!or )(?<!since )(?<!before )(?<!after "
    r")(?<!until )(?<!like )(?<!whenever )(?<!as )"
    r"(?<=\w )(?=(?:(?:he|she|it|they) (?:is|has|does|did|works?|lives?|was|"
    r"plays?|hates?|loves?|likes?|helps?|wants?|moved|gets?|goes|have|are)|i "
    r"(?:am|hate|love|have|like|work|want|never|always|go)|we (?:are|have|live|"
    r"call|named)|its|it is) )"
)
_AND = re.compile(
    rf" and (?=(?:i|we|he|she|they|it|my (?:{KIN})|our (?:{KIN})|\w+(?: 's| is| has)) (?:{_VERBS}|also|don|\w+)\b)"
)

_ONLY_SUBJECT = re.compile(r"(?:my|our|the) \w+(?: \w+)?|[^\W\d_]+|(?:and|so|that|because)|")
_TIME_FIRST = re.compile(
    r"(?P<first>(?:since|by|in|on|next|last|this|every|for|at|before|after|tomorrow|"
    r"yesterday|today|most|each|two|three|four|once|from|during|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b[\w' ]{0,32}?),? "
    rf"(?P<rest>(?:i|we|he|she|they|(?:my|our) (?:{KIN})) (?!and|'s).+|[^\W\d_]+ "
    r"(?:'s got|has|goes|is going|'s going) .+)"
)

_NAME = r"[^\W\d_][\w\-]*"
_SUBJECT = re.compile(
    rf"(?P<us>(?:me|i|we)(?= )(?! and))|(?P<he>(?:he|she|they)(?= ))|(?P<it>(?:it|its|that|this)(?= ))|"
    rf"(?P<with>(?:(?:{_NAME}) and (?:i|me)|(?:me|i) and (?P<other>my \w+|{_NAME})))(?= )|"
    rf"(?P<owner>(?:my|our) (?:{ROLE})|{_NAME}) 's (?P<of>(?:{ROLE}|{HELPER}|"
    rf"{PETS}))\b(?P<pet>(?! 's (?!\w+(?:ed|ing)\b|been|got|had|an? |in |at |from|not|the |very|"
    rf"\w+ (?:years?|months?)\b)))(?!,? (?:and|or) )|"
    rf"(?P<kin>(?:my|our) (?:{ROLE}|{HELPER}|(?:old |new |little |baby )?(?:{PETS})))\b|"
    rf"our (?P<ours>{_NAME})(?= )|"
    r"the (?P<thing>(?:home |dog |window |cleaning )?\w+)(?= (?:comes?|goes?|opens?|starts?)\b)|"
    rf"(?P<mama>mum|mom|mama|dad|papa|grandma|granny|gran|nan|baba)(?= )|"
    rf"(?P<name>{_NAME})(?= )"
)
_HERS = re.compile(rf"^(?P<name>{_NAME}) and (?:his|her) (?:{ROLE}) ")
_NAMED_KIN = re.compile(
    rf"^(?P<role>(?:my|our) (?:{ROLE}|(?:{PETS}))|(?:(?:my|our) (?:{ROLE})|{_NAME}) "
    rf"'s (?:{ROLE})) (?P<name>{_NAME})(?= (?:'s|"
    r"is|has|was|and|works?|lives?|just|does|goes|likes?|loves?|hates?|will|"
    r"cannot|plays?|got|had|turned|moved|left|started|joined)\b|(?<!s)(?<!tly) (?!\w+ss)[a-z]{3,}s\b)"
)
_ADVERBS = re.compile(
    r"^(?:(?:just|still|also|always|usually|only|now|currently|recently|already|"
    r"simply|even|both|all|mostly|mainly|ever|originally|once|"
    r"finally|lately|normally|regularly|typically|generally|often|sometimes|she|he|they|quite|rather|"
    r"very|pretty|so|too|probably|certainly|actually|there) )+"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """subject: as it is stored. verbs: what comes after it, with its negations taken out.

    denies: "not", "never". ended: "no longer", "any more".
    """

    text: str
    subject: str
    verbs: str
    denies: bool = False
    ended: bool = False
    role: str = ""
    """How the subject is somebody's, where a role and a name stand together: "my son Leo"."""
    other: str = ""
    """Who does it together with the speaker."""
    is_plain: bool = True
    """That the subject is somebody or something named, not only "it"."""
    habit: str = ""
    """ "always", "usually": what said that it is often so."""


def undone(text: str) -> str:
    """Without contractions and words that only fill; still in lower case."""
    for pattern, written in _CONTRACTIONS:
        text = pattern.sub(written, text)
    return _SPACES.sub(" ", text).strip(" ,")


def parts(text: str) -> Iterator[str]:
    """The clauses of an utterance, as near as words alone tell."""
    for hard in _HARD.split(text):
        pieces: list[str] = []
        for piece in _COMMA.split(hard):
            if pieces and (_NOT_THAT.fullmatch(piece) or not _STARTS.match(piece + " ")):
                pieces[-1] += f", {piece}"
            elif piece:
                pieces.append(piece)
        for piece in pieces:
            for half in _AND.split(piece):
                yield from _inner(turned(half))


def _inner(text: str) -> Iterator[str]:
    """Clauses that follow each other without a word between; "my wife she works" is one."""
    held = ""
    for piece in _INNER.split(text):
        held = f"{held} {piece.strip(' ,')}".strip()
        if not _ONLY_SUBJECT.fullmatch(held):
            yield turned(held)
            held = ""
    if held:
        yield held


def turned(text: str) -> str:
    """A clause with its time or place behind: "by december i want to go" becomes "i want to go by december"."""
    match = _TIME_FIRST.match(text)
    return f"{match['rest']} {match['first'].strip(' ,')}" if match else text


_HABITS = frozenset(("always", "usually", "often", "normally", "regularly", "typically"))
_NO_LONGER = re.compile(r"\b(?:any ?more|any longer|no longer)\b")
_NOT = re.compile(r"\b(?:(?:do|does|did|will|have|has|am|is|are|was|were|'s|would) not|never|not|cannot)\b ?")
_AUXILIARY = {f"{word} not": word for word in ("am", "is", "are", "was", "were", "'s", "have", "has")} | {
    "cannot": "can",
    "will not": "",
}


def read_clause(text: str, user: str, person: str) -> Clause | None:
    """Who does what; None where nobody does anything. person: whom "he" and "she" mean."""
    role = ""
    text = _HERS.sub(r"\g<name> ", text)
    found = _NAMED_KIN.match(text)
    if found is not None and found["name"] not in NOBODY:
        role, text = found["role"], text[found.start("name") :]
    match = _SUBJECT.match(text)
    if match is None:
        return None
    subject = _subject(match, user, person)
    rest = text[match.end() :].strip(" ,")
    if subject is None or not rest:
        return None
    for pattern, written in _AFTER_A_NAME:
        rest = pattern.sub(written, rest)
    adverbs = _ADVERBS.match(rest + " ")
    habit = " ".join(word for word in (adverbs[0].split() if adverbs else ()) if word in _HABITS)
    rest = _ADVERBS.sub("", rest + " ").strip()
    rest, denies, ended = _negations(rest)
    if rest.startswith("used to ") and not re.match(r"used to (?:be|work|live)", rest):
        rest, ended = rest.removeprefix("used to "), True
    ended = ended or (denies and re.search(r"\bthese days\b|\bnow$", rest) is not None)
    rest = re.sub(r"^(?:reckon|reckons|think) (?:that )?(?:we|i|he|she|they) ", "", rest)
    rest = _ADVERBS.sub("", rest + " ").strip()
    other = (match["other"] or match["with"].split(" and ")[0]) if match["with"] else ""
    return Clause(text, subject, rest, denies, ended, role, other, match["it"] is None, habit)


_PARTICIPLES = (
    "been|become|gone|had|left|moved|started|stopped|given|reached|come|made|sworn|turned|put|decided|lost|quit|sold|"
    "cut|spent|met|seen|begun|eaten|driven|run|bought|broken|taken|found|booked|grown|retrained|changed|switched|never|always|just|swapped|joined|trained"
)
_AFTER_A_NAME = (
    (re.compile(r"^(?:'s|has|have|'d|had) got (?!(?:sacked|fired|married|engaged|rid|over|used|into|to)\b)"), "has "),
    (re.compile(rf"^'s (?=(?:just |never |always |already |now )?(?:{_PARTICIPLES})\b)"), "has "),
    (re.compile(r"^'d (?=(?:like|love|rather|never|be|move|go)\b)"), "would "),
    (re.compile(r"^'d (?=\w)"), "had "),
    (re.compile(r"^'s (?=\w)"), "is "),
)
"""What is said short behind a name, written out: "hassan 's been put on", "ciara 's got an allergy"."""


def _negations(verbs: str) -> tuple[str, bool, bool]:
    ended = _NO_LONGER.search(verbs) is not None
    if ended:
        verbs = _NO_LONGER.sub(" ", verbs)
    # What is denied in the first words denies the whole; later ones belong to something else.
    found = _NOT.search(verbs[:24])
    if found is None or (found.start() > 0 and " " in verbs[: found.start()].strip()):
        return _SPACES.sub(" ", verbs).strip(), False, ended
    kept = _AUXILIARY.get(found[0].strip(), "")
    if found[0].strip().split()[0] in ("do", "does", "did"):
        kept = ""
    verbs = f"{verbs[: found.start()]}{kept} {verbs[found.end() :]}"
    verbs = _NOT.sub(" ", verbs, count=1) if found[0].strip() == "never" else verbs
    return _SPACES.sub(" ", verbs).strip(), True, ended


def _subject(match: re.Match[str], user: str, person: str) -> str | None:
    if match["us"] or match["with"]:
        return user
    if match["he"]:
        return person or None
    if match["it"]:
        return "it"
    if match["owner"]:
        owner = match["owner"].replace("our ", "my ", 1)
        owner = owner if owner.startswith("my ") else owner.capitalize()
        return None if match["owner"] in NOBODY else f"{owner}'s {match['of']}"
    if match["kin"]:
        return match["kin"].replace("our ", "my ", 1) if "little one" not in match["kin"] else match["kin"]
    if match["thing"]:
        return match["thing"]
    name = match["ours"] or match["mama"] or match["name"]
    return None if name in NOBODY else (name if match["mama"] else name.capitalize())
