"""English patterns over all of an utterance, where who does what is not in the usual order."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match

from companion.memory.distil.en_favourites import favourite, swapped_favourite
from companion.memory.distil.en_makes import (
    also,
    called,
    called_here,
    cancelled,
    doctor,
    ended_thing,
    gone_off,
    moved_date,
    named_baby,
    not_the_one,
    of_somebody,
    of_theirs,
    pair,
    passed,
    pet_called,
    role_is,
    shared,
    simple,
    two,
    with_the_users,
    years,
)
from companion.memory.distil.en_reading import plain_role
from companion.memory.distil.en_things import names
from companion.memory.distil.en_words import ANIMALS, HELPER, KIN, MEETINGS, PETS, ROLE
from companion.memory.distil.told import Notes
from companion.memory.times.numbers import CARDINAL

_N = r"[^\W\d_][\w\-]*"
Make = Callable[[Match[str], Notes, str], bool]


def _rule(pattern: str, make: Make) -> tuple[re.Pattern[str], Make]:
    return re.compile(pattern), make


RULES = (
    _rule(
        r"(?:^|\b)(?:my|the) (?:full |first |real |given |own )?name(?: is| 's|,? "
        rf"it is| was)(?: not \w+,?(?: it is)?)? (?P<x>{_N})",
        called,
    ),
    _rule(rf"^(?:me )?i am (?:called|named) (?P<x>{_N})", called),
    _rule(
        rf"^(?:this|it) is (?P<x>{_N})(?: (?:here|speaking))$|^it is (?P<x2>{_N})(?: "
        r"(?:\w )+\w)?$",
        lambda match, notes, shown: called_here(match["x"] or match["x2"], notes, shown),
    ),
    _rule(rf"^(?P<x>{_N}) here\b", called),
    _rule(rf"\b(?:you (?:may|can)(?: just)?|just|please|you may just|^) ?call me (?P<x>{_N})(?: {_N})?", also),
    _rule(
        r"\b(?:everybody|everyone|people|folks|friends|mates|my friends|most people|"
        r"they all)(?: at \w+| here)? (?:says?|calls?|call|knows?|know)(?: (?P<whom>me|"
        rf"him|her))?(?: as)? (?P<x>{_N}(?: {_N})?)",
        also,
    ),
    _rule(rf"\bshort for (?P<x>{_N})", also),
    _rule(rf"\bnobody (?:uses|calls).*?, (?P<x>{_N}) 's fine", also),
    _rule(
        rf"(?P<who>(?:my|our) (?:{ROLE}|{HELPER}|(?:{PETS}))|(?:(?:my|our) (?:{ROLE})|"
        rf"{_N}) 's (?:{ROLE}|{HELPER}|{PETS})|(?:the )?(?:{PETS})|our little "
        r"one)(?: 's)? (?:name(?: is| 's| was)|(?:is|'s|was|are|is now) (?:called|"
        rf"named)|(?:is|'s) name is)(?P<no> not)? (?P<x>(?:(?:mr|mrs|ms|miss|dr|doctor|auntie|uncle|father) )?{_N})",
        of_somebody,
    ),
    _rule(
        r"\b(?:the|a) (?:girl|guy|boy|lad|man|woman|person|one) (?:i|we) (?:share|"
        rf"live)(?: a \w+)? with (?:is|'s)(?: called)? (?P<x>{_N})$",
        shared,
    ),
    _rule(
        r"\bwe (?:have )?(?:named|called) (?:the|our|her|him) ?(?P<what>baby|little "
        rf"one|boy|girl|{PETS}|son|daughter)? (?P<x>{_N})",
        named_baby,
    ),
    _rule(rf"^(?:(?:that|this) (?:is|'s) my (?P<role>{ROLE}) (?P<x>{_N})\b)", role_is),
    _rule(rf"\b(?P<x>{_N}),? (?:that (?:is|'s)|who is) my (?P<role>{ROLE})\b(?! 's)", role_is),
    _rule(
        r"\b(?P<who>(?:my|our) (?:\w+ ){1,2}'s (?:\w+ 's )?|my |our |his |her |the "
        r"|\w+ 's |my \w+ 's |)(?:all[ -]time )?favou?rite "
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
        gone_off,
    ),
    _rule(rf"^(?P<x>{CARDINAL}) years (?:young|old)(?: now)?,? (?:i am|me)\b", years),
    _rule(
        rf"(?:^|\bour |, )(?P<owner>{_N}) 's (?P<role>{ROLE})(?: 's| is| was)(?: "
        rf"now)?(?: called| named)? (?P<x>{_N})(?:$|,| and | not )",
        of_theirs,
    ),
    _rule(
        rf"^(?P<a>{_N}) and (?P<b>(?!i |me ){_N}) (?:are|were|got|have been|have|"
        r"just)(?: getting| been| just| both)? "
        r"(?P<what>(?:best )?(?:married|engaged|a couple|together|divorced|separated|split up|brothers|sisters|"
        r"siblings|twins|cousins|friends|neighbours|flatmates|broke up|broken up))\b",
        two,
    ),
    _rule(
        (
            r"^(?:my|our) (?P<what>dentist|doctor|gp|vet|therapist)(?: is| 's)(?: now)?(?: "
            rf"called| named)? (?P<x>(?:(?:dr|doctor|mr|mrs|ms|miss) )?{_N})$"
        ),
        doctor,
    ),
    _rule(r"\bnothing i (?:love|like|enjoy) more than (?P<x>.+)", simple("likes")),
    _rule(r"^(?P<x>.+?) (?:is|are) what i (?:enjoy|like|love)\b", simple("likes")),
    _rule(r"^(?P<x>.+?),? that(?: is|'s) how i (?:like|take|drink|have) (?:it|them|mine)", simple("likes")),
    _rule(r"^(?P<x>.+?) tastes? like (?:soap|feet|dirt)\b", simple("dislikes")),
    _rule(
        r"^(?P<x>.+?) (?:gives? me (?:hives|a rash|an? \w+ reaction)|makes? me (?:swell|"
        r"itch|come out|sneeze|break out))",
        simple("is_allergic_to"),
    ),
    _rule(r"^(?:i was )?born and (?:bred|raised) in (?P<x>\w+)", simple("comes_from")),
    _rule(r"^home is (?P<x>\w+)", simple("comes_from")),
    _rule(
        rf"^(?:(?P<a>my \w+|{_N}) and (?:i|me)|(?:me|i) and (?P<b>my \w+|{_N})) (?P<what>(?:are|"
        r"were|have been|got|is|have|'s|broke|split|share|live|work|going|aren't)\b.*)",
        pair,
    ),
    _rule(
        rf"^(?:the |my )?(?:(?P<owner>{_N}) 's )?(?P<what>[\w ]{{3,30}}?)(?: 's| "
        r"has| is)?(?: been| now)? (?:moved|changed|pushed back|pushed|rescheduled|"
        r"put back|brought forward|postponed) (?:to|until|till) (?P<when>.+)",
        moved_date,
    ),
    _rule(
        rf"^(?:the |my )?(?:(?P<owner>{_N}) 's )?(?P<what>(?:\w+ )?(?:{MEETINGS}))(?: "
        r"is| 's| on)* not (?:on )?[\w ]+?,? (?:it is|but) (?P<when>.+)",
        moved_date,
    ),
    _rule(r"\b(?:we|they) changed the date,? the (?P<what>\w+)(?: is| 's)(?: on| now)? (?P<when>.+)", moved_date),
    _rule(r"^the (?P<x>[\w ]+?) 's gone\b", ended_thing),
    _rule(
        r"^(?:no )?(?P<x>(?:appointment with )?[\w ]+?)(?: again| any ?more)?, (?:they|"
        r"he|she|it) (?:was |has |have )?cancel",
        cancelled,
    ),
    _rule(
        r"^(?:the |my )?(?P<x>[\w ]+?)(?: 's| has| is| was)?(?: been)? (?:cancelled|"
        r"canceled|called off)",
        cancelled,
    ),
    _rule(
        rf"\b(?P<owner>{_N}) (?:'s|has a|has got a|keeps an?) (?:{ANIMALS})(?: in "
        rf"[\w ]+)?,?(?: it is an? (?:{ANIMALS}))?(?: called| named)? (?P<x>{_N})(?:(?: "
        rf"is| 's) an? (?P<kind>(?:{ANIMALS})))?$",
        with_the_users,
    ),
    _rule(
        rf"\b(?P<owner>{_N}) keeps an? \w+(?: in [\w ]+)?, it is an? (?P<kind>{ANIMALS}) "
        rf"(?:called|named) (?P<x>{_N})",
        with_the_users,
    ),
    _rule(rf"^the [\w ]*?\b(?P<what>{PETS})(?P<where>[\w ]*) (?:is|'s) (?:called|named) (?P<x>{_N})", pet_called),
    _rule(r"\b(?:we|i) had to put (?:the |our |my )?(?P<x>[\w ]+?) (?:down|to sleep).*", passed),
    _rule(
        r"\bnot (?P<who>\w+) who is allergic to (?P<x>[\w ]+?)(?:,? it is (?P<other>(?:his|"
        r"her|my) \w+|\w+))?$",
        not_the_one,
    ),
)


def whole(text: str, notes: Notes, shown: str) -> None:
    """Note what patterns over the whole utterance find."""
    for pattern, make in RULES:
        match = pattern.search(text)
        if match is not None:
            make(match, notes, shown)


__all__ = ["KIN", "names", "plain_role", "whole"]
