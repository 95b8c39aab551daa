"""English words for abbreviations, e-mail addresses and domain names."""

from __future__ import annotations

import re

from companion.voice.say.english_numbers import digits
from companion.voice.say.rules import Rule, word


def _email(match: re.Match[str]) -> str:
    spoken = match[0].replace("@", " at ").replace(".", " dot ").replace("_", " underscore ").replace("-", " dash ")
    return re.sub(r"\d+", lambda found: f" {digits(found[0])} ", spoken)


def _domain(match: re.Match[str]) -> str:
    return match[0].replace(".", " dot ")


def _stop_after(match: re.Match[str]) -> str:
    """The full stop of an abbreviation that also ends the sentence."""
    rest = match.string[match.end() :].lstrip()
    return "." if not rest or rest[0].isupper() else ""


def _kept_stop(pattern: str, words: str) -> Rule:
    return (re.compile(pattern), lambda match: words + _stop_after(match))


def _before_or_after_name(match: re.Match[str], before: str, after: str) -> str:
    """ "Dr. Oak" is a doctor, "Oak Dr." a drive."""
    words = match.string[: match.start()].split()
    name = words[-1] if words else ""
    follows_name = name[-1:].isalnum() and (name[0].isdigit() or (name[0].isupper() and len(words) > 1))
    if match.string[match.end() :].lstrip()[:1].isupper() and not follows_name:
        return before
    return after + _stop_after(match) if follows_name else before


_ENDING = (
    (r"\b[Ee]tc\.", "et cetera"),
    (r"\bInc\.", "Incorporated"),
    (r"\bLtd\.", "Limited"),
    (r"\bJr\.", "Junior"),
    (r"\bSr\.", "Senior"),
    (r"(?<![\w.])(?:a\.m\.|A\.M\.)", "AM"),
    (r"(?<![\w.])(?:p\.m\.|P\.M\.)", "PM"),
    (r"(?<![\w.])U\.S\.", "US"),
    (r"(?<![\w.])U\.K\.", "UK"),
    (r"(?<=[a-z] )Ave\.", "Avenue"),
    (r"(?<=[a-z] )Blvd\.", "Boulevard"),
    (r"(?<=[a-z] )Rd\.", "Road"),
)

ABBREVIATIONS: tuple[Rule, ...] = (
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"), _email),
    (
        re.compile(r"(?<![\w.@/])(?:[A-Za-z][\w-]{0,62}\.)+(?:com|org|net|io|dev|edu|gov|info|de|uk|fr|eu|cn)\b"),
        _domain,
    ),
    (re.compile(r"\bDr\."), lambda match: _before_or_after_name(match, "Doctor", "Drive")),
    word(r"\bMr\.", "Mister"),
    word(r"\bMrs\.", "Missus"),
    word(r"\bMs\.", "Miss"),
    word(r"\bProf\.", "Professor"),
    (re.compile(r"\bSt\."), lambda match: _before_or_after_name(match, "Saint", "Street")),
    word(r"\bMt\.(?=\s+[A-Z])", "Mount"),
    word(r"\b[Ee]\.\s?g\.,?", "for example,"),
    word(r"\b[Ii]\.\s?e\.,?", "that is,"),
    word(r"\b[Vv]s\b\.?", "versus"),
    word(r"\b[Aa]pprox\.", "approximately"),
    word(r"(?<!\S)ca?\.\s?(?=\d)", "circa "),
    word(r"(?<=\d)\s?in\.(?=\s[a-z])", " inches"),
    word(r"\b[Nn]o\.\s?(?=\d)", "number "),
    word(r"\b[Ff]ig\.\s?(?=\d)", "figure "),
    word(r"\b[Vv]ol\.\s?(?=\d)", "volume "),
    word(r"\bp\.\s?(?=\d)", "page "),
    word(r"\bpp\.\s?(?=\d)", "pages "),
    word(r"\bApt\.\s?(?=\d)", "apartment "),
    word(r"\bw/o\b", "without"),
    word(r"\bw/(?=\s|[a-z])", "with "),
    *(_kept_stop(pattern, words) for pattern, words in _ENDING),
)
