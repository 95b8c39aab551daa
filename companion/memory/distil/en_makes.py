"""What is made of English patterns over all of an utterance; ``en_whole`` has the patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from re import Match

from companion.memory.distil.en_reading import looks_like_a_name, note_kin
from companion.memory.distil.en_things import name, thing
from companion.memory.distil.en_words import MEETINGS, NOBODY
from companion.memory.distil.told import ANIMAL, PERSON, PLACE, Notes
from companion.memory.times.numbers import english
from companion.memory.times.when_en import when

_N = r"[^\W\d_][\w\-]*"
Make = Callable[[Match[str], Notes, str], bool]


def called(match: Match[str], notes: Notes, shown: str) -> bool:
    told = name(match["x"])
    if not told or not looks_like_a_name(told, shown):
        return False
    notes.add(notes.user, "is_called", told, kind=PERSON)
    return True


def also(match: Match[str], notes: Notes, shown: str) -> bool:
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
    if match[0].strip().startswith("you can call me") and not any(one.relation == "is_called" for one in notes.triples):
        # It may be the name itself; one that is surely known stays.
        notes.add(notes.user, "is_called", told, sure=0.4, kind=PERSON)
    return True


def of_somebody(match: Match[str], notes: Notes, shown: str) -> bool:
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


def shared(match: Match[str], notes: Notes, shown: str) -> bool:
    if not looks_like_a_name(match["x"], shown):
        return False
    notes.add(notes.user, "lives_with", match["x"].capitalize(), kind=PERSON)
    return True


def named_baby(match: Match[str], notes: Notes, shown: str) -> bool:
    is_pet = match["what"] not in ("baby", "little one", "boy", "girl", "son", "daughter", "wee one")
    notes.add(
        notes.user, "has_pet" if is_pet else "is_parent_of", match["x"].capitalize(), kind=ANIMAL if is_pet else PERSON
    )
    return True


def simple(relation: str) -> Make:
    def make(match: Match[str], notes: Notes, shown: str) -> bool:
        told = thing(match["x"])
        if not told:
            return False
        notes.add(notes.user, relation, told, kind=PLACE if relation == "comes_from" else "Concept")
        return True

    return make


def pair(match: Match[str], notes: Notes, shown: str) -> bool:
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


def moved_date(match: Match[str], notes: Notes, shown: str) -> bool:
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


def role_is(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "that's my grandson jack", "wiremu that's my brother"."""
    told = match["x"]
    if not looks_like_a_name(told, shown):
        return False
    role = f"my {match['role']}"
    notes.add(role, "is_called", told.capitalize())
    note_kin(notes, notes.user, role, told.capitalize())
    return True


def ended_thing(match: Match[str], notes: Notes, shown: str) -> bool:
    what = thing(match["x"])
    notes.end(notes.user, "owns", what)
    return bool(what)


def cancelled(match: Match[str], notes: Notes, shown: str) -> bool:
    what = thing(match["x"].removeprefix("appointment with ").removeprefix("the "))
    notes.end(notes.user, "has_appointment", what)
    return bool(what)


def with_the_users(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "emma's dog biscuit is a beagle", "zoe keeps a snake called noodle"."""
    owner = match["owner"].capitalize()
    if match["owner"] in NOBODY or not looks_like_a_name(match["x"], shown):
        return False
    notes.add(owner, "has_pet", match["x"].capitalize(), kind=ANIMAL)
    if match["kind"]:
        notes.add(match["x"].capitalize(), "is_a", thing(match["kind"]))
    return True


def pet_called(match: Match[str], notes: Notes, shown: str) -> bool:
    if not looks_like_a_name(match["x"], shown):
        return False
    told = match["x"].capitalize()
    if "barn" in match["where"] or match["what"] == "cat":
        notes.add(match["what"], "is_called", told)
    notes.add(notes.user, "has_pet", told, kind=ANIMAL)
    notes.add(told, "is_a", match["what"])
    return True


def passed(match: Match[str], notes: Notes, shown: str) -> bool:
    """An animal that had to be put down: "we had to put the cat down last month poor felix"."""
    told = when(match[0], notes.at, past=True)
    poor = re.search(r"\bpoor (?:old )?(\w+)", match[0])
    who = poor[1].capitalize() if poor else thing(match["x"]).capitalize()
    if told is not None:
        notes.add(
            who, "died_on", told.start.date().isoformat() if told.end - told.start < _MONTH else f"{told.start:%Y-%m}"
        )
    return True


def not_the_one(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "it's not tom who's allergic to shellfish it's his brother"."""
    who, what = match["who"].capitalize(), thing(match["x"])
    notes.end(who, "is_allergic_to", what)
    if match["other"]:
        other = re.sub(r"^(?:his|her) ", f"{who}'s ", match["other"])
        notes.add(other, "is_allergic_to", what)
    return True


def gone_off(match: Match[str], notes: Notes, shown: str) -> bool:
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


def two(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "karl and nina are married"."""
    one, other = match["a"], match["b"]
    if not (looks_like_a_name(one, shown) and looks_like_a_name(other, shown)):
        return False
    words = set(match["what"].split())
    relation = next((name for name, said in _TWO.items() if words & set(said.split())), "")
    is_over = words & {"divorced", "separated", "split", "broke", "broken"}
    note = notes.end if is_over else notes.add
    return bool(relation or is_over) and note(one.capitalize(), relation or "is_partner_of", other.capitalize())


def doctor(match: Match[str], notes: Notes, shown: str) -> bool:
    relation = "doctor" if match["what"] in ("doctor", "gp") else match["what"]
    told = name(match["x"])
    return (
        looks_like_a_name(told.split()[-1], shown) and notes.add(notes.user, relation, told, kind=PERSON)
        if told
        else False
    )


def years(match: Match[str], notes: Notes, shown: str) -> bool:
    number = english(match["x"])
    number is None or notes.add(notes.user, "is_aged", str(number))
    return True


def of_theirs(match: Match[str], notes: Notes, shown: str) -> bool:
    """ "susan's lad is called jack"."""
    if match["owner"] in NOBODY or not looks_like_a_name(match["x"], shown):
        return False
    note_kin(notes, match["owner"].capitalize(), match["role"], match["x"].capitalize())
    return True


_MONTH = timedelta(days=20)


def called_here(told: str, notes: Notes, shown: str) -> bool:
    if not looks_like_a_name(told, shown) or told in NOBODY:
        return False
    notes.add(notes.user, "is_called", told.capitalize(), kind=PERSON)
    return True
