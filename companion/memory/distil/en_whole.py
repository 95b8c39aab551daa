"""English patterns over all of an utterance, where who does what is not in the usual order."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from re import Match

from companion.memory.distil.en_favourites import favourite, swapped_favourite
from companion.memory.distil.en_reading import looks_like_a_name, note_kin, plain_role
from companion.memory.distil.en_things import name, names, thing
from companion.memory.distil.en_words import ANIMALS, HELPER, KIN, MEETINGS, NOBODY, PETS, ROLE
from companion.memory.distil.numbers import CARDINAL, english
from companion.memory.distil.told import ANIMAL, PERSON, PLACE, Notes
from companion.memory.distil.when_en import when

_N = r"[^\W\d_][\w\-]*"
Make = Callable[[Match[str], Notes, str], bool]


def _called(match: Match[str], notes: Notes, shown: str) -> bool:
    told = name(match["x"])
    if not told or not looks_like_a_name(told, shown):
        return False
    notes.add(notes.user, "is_called", told, kind=PERSON)
    return True


def _also(match: Match[str], notes: Notes, shown: str) -> bool:
    words = match["x"].split()
    told = " ".join(
        word.capitalize() for word in words[: 2 if words[0] in ("brother", "sister", "uncle", "auntie") else 1]
    )
    if words[0] in NOBODY:
        return False
    subject = notes.person if match.groupdict().get("whom") in ("him", "her") else notes.user
    kin = next((one for one in reversed(notes.triples) if one.relation == "is_called"), None)
    subject = kin.subject if kin is not None and match.groupdict().get("whom") != "me" else subject
    notes.add(subject or notes.user, "also_called", told)
    return True


def _of_somebody(match: Match[str], notes: Notes, shown: str) -> bool:
    who, told = match["who"].replace(" 's ", "'s ").removesuffix(" 's"), name(match["x"])
    if "'s " in who and not who.startswith("my "):
        who = who if f"the {who[:4]}" in match.string else who[0].upper() + who[1:]
    who = who if "little one" in who else re.sub(r"^our ", "my ", who)
    if (
        not told
        or not looks_like_a_name(told.split()[-1], shown)
        or who.split()[0] in ("your", "this", "that", "whose")
    ):
        return False
    if match["no"]:
        notes.end(who, "is_called", told)
        return True
    notes.add(who, "is_called", told)
    owner, owned, role = who.partition("'s ")
    if owned and f"the {match['who'][:4]}" in match.string:
        return True  # "the neighbour's dog": whose it is has no name
    if owned:
        note_kin(notes, owner, role, told)
    elif who.startswith(("my ", "our ")):
        note_kin(notes, notes.user, who, told)
    return True


def _shared(match: Match[str], notes: Notes, shown: str) -> bool:
    if not looks_like_a_name(match["x"], shown):
        return False
    notes.add(notes.user, "lives_with", match["x"].capitalize(), kind=PERSON)
    return True


def _named_baby(match: Match[str], notes: Notes, shown: str) -> bool:
    is_pet = match["what"] not in ("baby", "little one", "boy", "girl", "son", "daughter", "wee one")
    notes.add(
        notes.user, "has_pet" if is_pet else "is_parent_of", match["x"].capitalize(), kind=ANIMAL if is_pet else PERSON
    )
    return True


def _simple(relation: str) -> Make:
    def make(match: Match[str], notes: Notes, shown: str) -> bool:
        told = thing(match["x"])
        if not told:
            return False
        notes.add(notes.user, relation, told, kind=PLACE if relation == "comes_from" else "Concept")
        return True

    return make


def _pair(match: Match[str], notes: Notes, shown: str) -> bool:
    other = match["a"] or match["b"]
    if other in NOBODY and not other.startswith("my "):
        return False
    other = other if other.startswith("my ") else other.capitalize()
    what = match["what"]
    relation = next(
        (
            relation
            for words, relation in (
                (("twin", "sibling", "brother", "sister"), "is_sibling_of"),
                (
                    ("married", "together", "engaged", "couple", "hitched", "husband", "wife", "partner"),
                    "is_partner_of",
                ),
                (("friend", "mate", "bestie"), "is_friend_of"),
                (("flatmate", "housemate", "roommate", "live together", "share"), "lives_with"),
                (("cousin",), "is_relative_of"),
                (("neighbour", "neighbor"), "is_neighbour_of"),
                (("colleague", "work together"), "is_colleague_of"),
            )
            if any(word in what for word in words)
        ),
        "",
    )
    if "flatmate" in what or "housemate" in what or "roommate" in what:
        relation = "lives_with"
    if not relation or "going" in what:
        return False
    is_over = (
        re.search(r"\bnot\b|any ?more|no longer|broke up|split|divorced|separated", f"{what} {match[0]}") is not None
    )
    if is_over:
        notes.end(notes.user, relation, other)
    else:
        told = when(what, notes.at, past=True)
        since = told.start if told and re.search(r"since|ago|last|in \w", what) else None
        notes.add(notes.user, relation, other, since=since, kind=PERSON)
    return True


def _moved_date(match: Match[str], notes: Notes, shown: str) -> bool:
    """An appointment gets another date: what was is ended."""
    if match["what"] in NOBODY or not (re.search(rf"\b(?:{MEETINGS})s?\b| been ", match[0])):
        return False
    told = when(match["when"], notes.at)
    if told is None:
        return False
    owner = match.groupdict().get("owner")
    subject = owner.capitalize() if owner and owner not in NOBODY else notes.user
    what = thing(match["what"])
    notes.end(subject, "has_appointment", what)
    notes.add(subject, "has_appointment", what, since=told.start, until=told.end)
    return bool(what)


def _role_is(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "that's my grandson jack", "wiremu that's my brother"."""
    told = match["x"]
    if not looks_like_a_name(told, shown):
        return False
    role = f"my {match['role']}"
    notes.add(role, "is_called", told.capitalize())
    note_kin(notes, notes.user, role, told.capitalize())
    return True


def _ended_thing(match: Match[str], notes: Notes, shown: str) -> bool:
    what = thing(match["x"])
    notes.end(notes.user, "owns", what)
    return bool(what)


def _cancelled(match: Match[str], notes: Notes, shown: str) -> bool:
    what = thing(match["x"].removeprefix("appointment with ").removeprefix("the "))
    notes.end(notes.user, "has_appointment", what)
    return bool(what)


def _with_the_users(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "emma's dog biscuit is a beagle", "zoe keeps a snake called noodle"."""
    owner = match["owner"].capitalize()
    if match["owner"] in NOBODY or not looks_like_a_name(match["x"], shown):
        return False
    notes.add(owner, "has_pet", match["x"].capitalize(), kind=ANIMAL)
    if match["kind"]:
        notes.add(match["x"].capitalize(), "is_a", thing(match["kind"]))
    return True


def _pet_called(match: Match[str], notes: Notes, shown: str) -> bool:
    if not looks_like_a_name(match["x"], shown):
        return False
    told = match["x"].capitalize()
    if "barn" in match["where"] or match["what"] == "cat":
        notes.add(match["what"], "is_called", told)
    notes.add(notes.user, "has_pet", told, kind=ANIMAL)
    notes.add(told, "is_a", match["what"])
    return True


def _passed(match: Match[str], notes: Notes, shown: str) -> bool:
    """An animal that had to be put down: "we had to put the cat down last month poor felix"."""
    told = when(match[0], notes.at, past=True)
    poor = re.search(r"\bpoor (?:old )?(\w+)", match[0])
    who = poor[1].capitalize() if poor else thing(match["x"]).capitalize()
    if told is not None:
        notes.add(
            who, "died_on", told.start.date().isoformat() if told.end - told.start < _MONTH else f"{told.start:%Y-%m}"
        )
    return True


def _not_the_one(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "it's not tom who's allergic to shellfish it's his brother"."""
    who, what = match["who"].capitalize(), thing(match["x"])
    notes.end(who, "is_allergic_to", what)
    if match["other"]:
        other = re.sub(r"^(?:his|her) ", f"{who}'s ", match["other"])
        notes.add(other, "is_allergic_to", what)
    return True


def _gone_off(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "i've gone off kippers, it's porridge i like best for breakfast now"."""
    relation = f"favourite_{match['meal']}" if match["meal"] else "likes"
    notes.end(notes.user, relation, thing(match["old"]))
    notes.add(notes.user, relation, thing(match["x"]))
    return True


_TWO = {
    "is_partner_of": "married engaged couple together divorced separated split broke",
    "is_sibling_of": "brothers sisters siblings twins",
    "is_relative_of": "cousins",
    "is_friend_of": "friends",
    "is_neighbour_of": "neighbours",
    "lives_with": "flatmates",
}


def _two(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "karl and nina are married"."""
    one, other = match["a"], match["b"]
    if not (looks_like_a_name(one, shown) and looks_like_a_name(other, shown)):
        return False
    words = set(match["what"].split())
    relation = next((name for name, said in _TWO.items() if words & set(said.split())), "")
    is_over = words & {"divorced", "separated", "split", "broke", "broken"}
    note = notes.end if is_over else notes.add
    return bool(relation or is_over) and note(one.capitalize(), relation or "is_partner_of", other.capitalize())


def _doctor(match: Match[str], notes: Notes, shown: str) -> bool:
    relation = "doctor" if match["what"] in ("doctor", "gp") else match["what"]
    told = name(match["x"])
    return (
        looks_like_a_name(told.split()[-1], shown) and notes.add(notes.user, relation, told, kind=PERSON)
        if told
        else False
    )


def _years(match: Match[str], notes: Notes, shown: str) -> bool:
    number = english(match["x"])
    number is None or notes.add(notes.user, "is_aged", str(number))
    return True


def _of_theirs(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "susan's lad is called jack"."""
    if match["owner"] in NOBODY or not looks_like_a_name(match["x"], shown):
        return False
    note_kin(notes, match["owner"].capitalize(), match["role"], match["x"].capitalize())
    return True


_MONTH = timedelta(days=20)


def _rule(pattern: str, make: Make) -> tuple[re.Pattern[str], Make]:
    return re.compile(pattern), make


RULES = (
    _rule(
        r"(?:^|\b)(?:my|the) (?:full |first |real |given |own )?name(?: is| 's|,? "
        rf"it is| was)(?: not \w+,?(?: it is)?)? (?P<x>{_N})",
        _called,
    ),
    _rule(rf"^(?:me )?i am (?:called|named) (?P<x>{_N})", _called),
    _rule(
        rf"^(?:this|it) is (?P<x>{_N})(?: (?:here|speaking))$|^it is (?P<x2>{_N})(?: "
        r"(?:\w )+\w)?$",
        lambda match, notes, shown: _called_here(match["x"] or match["x2"], notes, shown),
    ),
    _rule(rf"^(?P<x>{_N}) here\b", _called),
    _rule(rf"\b(?:you (?:may|can)(?: just)?|just|please|you may just|^) ?call me (?P<x>{_N})(?: {_N})?", _also),
    _rule(
        r"\b(?:everybody|everyone|people|folks|friends|mates|my friends|most people|"
        r"they all)(?: at \w+| here)? (?:says?|calls?|call|knows?|know)(?: (?P<whom>me|"
        rf"him|her))?(?: as)? (?P<x>{_N}(?: {_N})?)",
        _also,
    ),
    _rule(rf"\bshort for (?P<x>{_N})", _also),
    _rule(rf"\bnobody (?:uses|calls).*?, (?P<x>{_N}) 's fine", _also),
    _rule(
        rf"(?P<who>(?:my|our) (?:{ROLE}|{HELPER}|(?:{PETS}))|(?:(?:my|our) (?:{ROLE})|"
        rf"{_N}) 's (?:{ROLE}|{HELPER}|{PETS})|(?:the )?(?:{PETS})|our little "
        r"one)(?: 's)? (?:name(?: is| 's| was)|(?:is|'s|was|are|is now) (?:called|"
        rf"named)|(?:is|'s) name is)(?P<no> not)? (?P<x>(?:(?:mr|mrs|ms|miss|dr|doctor|auntie|uncle|father) )?{_N})",
        _of_somebody,
    ),
    _rule(
        r"\b(?:the|a) (?:girl|guy|boy|lad|man|woman|person|one) (?:i|we) (?:share|"
        rf"live)(?: a \w+)? with (?:is|'s)(?: called)? (?P<x>{_N})$",
        _shared,
    ),
    _rule(
        r"\bwe (?:have )?(?:named|called) (?:the|our|her|him) ?(?P<what>baby|little "
        rf"one|boy|girl|{PETS}|son|daughter)? (?P<x>{_N})",
        _named_baby,
    ),
    _rule(rf"^(?:(?:that|this) (?:is|'s) my (?P<role>{ROLE}) (?P<x>{_N})\b)", _role_is),
    _rule(rf"^(?P<x>{_N}),? that (?:is|'s) my (?P<role>{ROLE})\b", _role_is),
    _rule(
        r"\b(?P<who>my |our |his |her |the |\w+ 's |my \w+ 's |)(?:all[ -]time )?favou?rite "
        r"(?P<kind>(?:\w+ )?(?:\w+)??)(?: of mine| ever| by far| of all time)? ?(?: "
        r"is|'s| are|has got to be|was|'s got to be|must be|would be) (?:probably "
        r"|still |now )?(?P<x>.+)",
        favourite,
    ),
    _rule(
        r"^(?P<x>.+?),?(?: is [\w ]+?)? (?:is|are|(?:now )?that(?: is|'s)|it is|"
        r"its|they are|those are) (?:my|our) (?:favou?rite|best)(?P<kind>(?: \w+){0,2})$",
        swapped_favourite,
    ),
    _rule(
        r"\b(?:gone|went) off (?P<old>[\w ]+?),? (?:and )?(?:it is|now it is|i) "
        r"(?P<x>[\w ]+?) (?:that )?i (?:like|love|prefer|have)(?: best| most)?(?: "
        r"for (?P<meal>breakfast|lunch|dinner|tea|supper|pudding|dessert))?\b",
        _gone_off,
    ),
    _rule(rf"^(?P<x>{CARDINAL}) years (?:young|old)(?: now)?,? (?:i am|me)\b", _years),
    _rule(
        rf"(?:^|\bour |, )(?P<owner>{_N}) 's (?P<role>{ROLE})(?: 's| is| was)(?: "
        rf"now)?(?: called| named)? (?P<x>{_N})(?:$|,| and | not )",
        _of_theirs,
    ),
    _rule(
        rf"^(?P<a>{_N}) and (?P<b>(?!i |me ){_N}) (?:are|were|got|have been|have|just)(?: getting| been| just| both)? "
        r"(?P<what>(?:best )?(?:married|engaged|a couple|together|divorced|separated|split up|brothers|sisters|"
        r"siblings|twins|cousins|friends|neighbours|flatmates|broke up|broken up))\b",
        _two,
    ),
    _rule(
        (
            r"^(?:my|our) (?P<what>dentist|doctor|gp|vet|therapist)(?: is| 's)(?: now)?(?: "
            rf"called| named)? (?P<x>(?:(?:dr|doctor|mr|mrs|ms|miss) )?{_N})$"
        ),
        _doctor,
    ),
    _rule(r"\bnothing i (?:love|like|enjoy) more than (?P<x>.+)", _simple("likes")),
    _rule(r"^(?P<x>.+?) (?:is|are) what i (?:enjoy|like|love)\b", _simple("likes")),
    _rule(r"^(?P<x>.+?),? that(?: is|'s) how i (?:like|take|drink|have) (?:it|them|mine)", _simple("likes")),
    _rule(r"^(?P<x>.+?) tastes? like (?:soap|feet|dirt)\b", _simple("dislikes")),
    _rule(
        r"^(?P<x>.+?) (?:gives? me (?:hives|a rash|an? \w+ reaction)|makes? me (?:swell|"
        r"itch|come out|sneeze|break out))",
        _simple("is_allergic_to"),
    ),
    _rule(r"^(?:i was )?born and (?:bred|raised) in (?P<x>\w+)", _simple("comes_from")),
    _rule(r"^home is (?P<x>\w+)", _simple("comes_from")),
    _rule(
        rf"^(?:(?P<a>my \w+|{_N}) and (?:i|me)|(?:me|i) and (?P<b>my \w+|{_N})) (?P<what>(?:are|"
        r"were|have been|got|is|have|'s|broke|split|share|live|work|going|aren't)\b.*)",
        _pair,
    ),
    _rule(
        rf"^(?:the |my )?(?:(?P<owner>{_N}) 's )?(?P<what>[\w ]{{3,30}}?)(?: 's| "
        r"has| is)?(?: been| now)? (?:moved|changed|pushed back|pushed|rescheduled|"
        r"put back|brought forward|postponed) (?:to|until|till) (?P<when>.+)",
        _moved_date,
    ),
    _rule(
        rf"^(?:the |my )?(?:(?P<owner>{_N}) 's )?(?P<what>(?:\w+ )?(?:{MEETINGS}))(?: "
        r"is| 's| on)* not (?:on )?[\w ]+?,? (?:it is|but) (?P<when>.+)",
        _moved_date,
    ),
    _rule(r"\b(?:we|they) changed the date,? the (?P<what>\w+)(?: is| 's)(?: on| now)? (?P<when>.+)", _moved_date),
    _rule(r"^the (?P<x>[\w ]+?) 's gone\b", _ended_thing),
    _rule(
        r"^(?:no )?(?P<x>(?:appointment with )?[\w ]+?)(?: again| any ?more)?, (?:they|"
        r"he|she|it) (?:was |has |have )?cancel",
        _cancelled,
    ),
    _rule(
        r"^(?:the |my )?(?P<x>[\w ]+?)(?: 's| has| is| was)?(?: been)? (?:cancelled|"
        r"canceled|called off)",
        _cancelled,
    ),
    _rule(
        rf"\b(?P<owner>{_N}) (?:'s|has a|has got a|keeps an?) (?:{ANIMALS})(?: in "
        rf"[\w ]+)?,?(?: it is an? (?:{ANIMALS}))?(?: called| named)? (?P<x>{_N})(?:(?: "
        rf"is| 's) an? (?P<kind>(?:{ANIMALS})))?$",
        _with_the_users,
    ),
    _rule(
        rf"\b(?P<owner>{_N}) keeps an? \w+(?: in [\w ]+)?, it is an? (?P<kind>{ANIMALS}) "
        rf"(?:called|named) (?P<x>{_N})",
        _with_the_users,
    ),
    _rule(rf"^the [\w ]*?\b(?P<what>{PETS})(?P<where>[\w ]*) (?:is|'s) (?:called|named) (?P<x>{_N})", _pet_called),
    _rule(r"\b(?:we|i) had to put (?:the |our |my )?(?P<x>[\w ]+?) (?:down|to sleep).*", _passed),
    _rule(
        r"\bnot (?P<who>\w+) who is allergic to (?P<x>[\w ]+?)(?:,? it is (?P<other>(?:his|"
        r"her|my) \w+|\w+))?$",
        _not_the_one,
    ),
)


def _called_here(told: str, notes: Notes, shown: str) -> bool:
    if not looks_like_a_name(told, shown) or told in NOBODY:
        return False
    notes.add(notes.user, "is_called", told.capitalize(), kind=PERSON)
    return True


def whole(text: str, notes: Notes, shown: str) -> None:
    """Note what patterns over the whole utterance find."""
    for pattern, make in RULES:
        match = pattern.search(text)
        if match is not None:
            make(match, notes, shown)


__all__ = ["KIN", "names", "plain_role", "whole"]
