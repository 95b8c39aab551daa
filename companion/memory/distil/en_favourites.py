"""What English calls a favourite: "my favourite colour's green", "kippers, now that's my favourite breakfast"."""

from __future__ import annotations

import re
from re import Match

from companion.memory.distil.en_things import thing
from companion.memory.distil.en_words import NOBODY, ROLE_RELATIONS
from companion.memory.distil.told import Notes


def favourite(match: Match[str], notes: Notes, shown: str) -> bool:
    whose = (match.groupdict().get("who") or "my").strip()
    if whose.removesuffix(" 's") in NOBODY and whose not in ("my", "our", "the", ""):
        if whose not in ("his", "her"):
            return False
        owner = notes.person
    else:
        owner = notes.user if whose in ("my", "our", "the", "") else _owner(whose)
    kind = re.sub(r" (?:of mine|ever|by far|of all time)", "", match["kind"]).strip()
    kind = "food" if kind in ("", "thing to eat") else kind
    if len(kind.split()) > 2 or kind in ROLE_RELATIONS or kind in ("thing", "part", "one", "person", "person ever"):
        return False
    relation = f"favourite_{kind.replace(' ', '_').replace('color', 'colour')}"
    told = match["x"]
    if re.match(r"not ", told):
        notes.end(owner, relation, thing(told[4:]))
        return bool(owner)
    told = thing(told.split(", not ")[0])
    pieces = told.split(", ")
    told = pieces[1] if len(pieces) == 2 and pieces[0] in pieces[1] else pieces[0] if len(pieces) > 1 else told
    if told and owner:
        notes.add(owner, relation, told)
    return True


def _owner(who: str) -> str:
    who = who.removesuffix(" 's")
    return who if who.startswith("my ") else who.capitalize()


def swapped_favourite(match: Match[str], notes: Notes, shown: str) -> bool:
    told = thing(match["x"].rsplit(" of all the ", 1)[-1])
    if told.endswith("s") and not match["kind"].strip() and " of all the " in f" {shown.lower()}":
        of = re.search(r"of all the (\w+?)s\b", shown.lower())
        told = thing(re.sub(r"^.*of all the \w+ ", "", shown.lower().split(" are my")[0]))
        return notes.add(notes.user, f"favourite_{of[1]}" if of else "likes", told)
    kind = match["kind"].strip()
    if not told or len(kind.split()) > 2 or kind in ROLE_RELATIONS:
        return False
    notes.add(notes.user, f"favourite_{kind.replace(' ', '_')}" if kind else "likes", told)
    return True
