"""Tool calls that a model writes as text: recognised as they come, and taken out of its words.

Small models write a call as JSON with ``name`` and ``arguments``: bare, in a code fence, or between ``<tool_call>``
tags (the way of the Hermes and Qwen models); several in a row, or as a list. Laws:

1. Only a tool that was offered is called; anything else is words.
2. Words come out at once. What may be the beginning of a call is held back until it is one, or cannot be one.
3. Nothing is lost and nothing comes twice: what is no call comes out as it was written. To a call belong its fence,
   its tags and the blank space behind it.
4. What comes out does not depend on how the text was cut.
5. An answer that was cut calls nothing that was not whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from companion.errors import InvalidAnswer
from companion.model.calls import CallDelta
from companion.model.deltas import TextDelta
from companion.model.json_repair import Json, is_json, read_json, strict_json
from companion.model.json_scan import JsonScan, Verdict
from companion.model.plain import json_text

LONGEST_CALL = 1 << 15
"""Characters that are held back for one call."""
_SLICE = 1 << 12
"""Characters looked at together: each call that is none costs a copy of what is held."""
_MOST_REPAIRS = 16
"""Broken calls of one answer that somebody tries to understand."""

TAG, TAG_END = "<tool_call>", "</tool_call>"
FENCE = "```"
_NAME, _ARGUMENTS = "name", ("arguments", "parameters")
_BESIDE = ("id", "type")
"""Keys a call may hold besides."""

_SIGN = re.compile(r"[{\[<`]")
_FENCED = re.compile(r"```[ \t]{0,8}[A-Za-z_]{0,16}\s{0,64}")
_TAGGED = re.compile(r"<tool_call>\s{0,64}")
_FIRST_KEY = re.compile(r"""\[?\s{0,64}\{\s{0,64}["']([^"'\\]{0,16})(["']?)""")
_NAMED = re.compile(r"""\s*:\s*["']([^"'\\]*)(["']?)""")
_BEFORE_KEY = re.compile(r"\[?\s{0,64}(\{\s{0,64})?")
_BEFORE_NAME = re.compile(r"\s*(:\s*)?")


class _Call(NamedTuple):
    name: str
    arguments: str


class ToolText:
    """Takes the text of one answer, and gives its words and its calls.

    names: of the tools that were offered.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._held = ""
        self._trial: _Trial | None = None
        """What is held back may be a call; it begins at its first letter."""
        self._closers: tuple[str, ...] = ()
        """What may close the call that has just come."""
        self._is_behind = False
        """Nothing but blank space has come since the last call."""
        self._is_over = False
        self._is_cut = False
        self._repairs = _MOST_REPAIRS
        self._count = 0

    @property
    def count(self) -> int:
        """How many calls have come."""
        return self._count

    def feed(self, text: str) -> list[TextDelta | CallDelta]:
        """What is certain by now."""
        if not self._names:
            return [TextDelta(text)] if text else []
        out: list[TextDelta | CallDelta] = []
        for place in range(0, len(text), _SLICE):
            self._held += text[place : place + _SLICE]
            out += self._certain()
        return out

    def end(self, *, is_cut: bool = False) -> list[TextDelta | CallDelta]:
        """The rest. A call whose last brackets the model forgot is still a call, unless the answer was cut.

        is_cut: the answer ended in the middle.
        """
        self._is_over, self._is_cut = True, is_cut
        return self._certain()

    def _certain(self) -> list[TextDelta | CallDelta]:
        out: list[TextDelta | CallDelta] = []
        words: list[str] = []
        while True:
            calls = self._step(words)
            if calls is None:
                break
            if calls:
                _say(out, words)
                out += [self._delta(call) for call in calls]
        _say(out, words)
        return out

    def _delta(self, call: _Call) -> CallDelta:
        self._count += 1
        return CallDelta(self._count - 1, name=call.name, arguments=call.arguments)

    def _step(self, words: list[str]) -> list[_Call] | None:
        """One step on: the calls that came of it, or None where nothing more is certain."""
        if self._trial is not None:
            return self._try(self._trial, words)
        if self._is_behind and not self._pass_closers():
            return None
        place, is_sign = self._next_sign()
        if place:
            words.append(self._held[:place])
            self._held = self._held[place:]
            self._is_behind, self._closers = False, ()
        if not is_sign:
            return None
        self._trial = _Trial(self._names, self._closers)
        return []

    def _pass_closers(self) -> bool:
        """Pass over what belongs to the call before; False where more is needed to tell."""
        self._held = self._held.lstrip()
        for place, closer in enumerate(self._closers):
            if self._held.startswith(closer):
                self._held = self._held[len(closer) :]
                self._closers = self._closers[place + 1 :]
                return self._pass_closers()
        if self._is_over:
            return True
        return bool(self._held) and not any(closer.startswith(self._held) for closer in self._closers)

    def _next_sign(self) -> tuple[int, bool]:
        """How many letters are words for certain, and whether a call may begin behind them."""
        for found in _SIGN.finditer(self._held):
            place = found.start()
            if found[0] in "{[":
                return place, True
            sign = TAG if found[0] == "<" else FENCE
            if self._held.startswith(sign, place):
                return place, True
            if not self._is_over and sign.startswith(self._held[place:]):
                return place, False
        return len(self._held), False

    def _try(self, trial: _Trial, words: list[str]) -> list[_Call] | None:
        verdict = trial.look(self._held)
        if verdict is Verdict.OPEN and len(self._held) <= LONGEST_CALL and not self._is_over:
            return None
        calls = self._calls(trial, verdict)
        self._trial = None
        if not calls:
            # Only its first letter is words for certain: a call may begin in the midst of it.
            words.append(self._held[0])
            self._held = self._held[1:]
            self._is_behind, self._closers = False, ()
            return []
        self._held = self._held[trial.end :]
        self._is_behind, self._closers = True, (*dict.fromkeys((*trial.closers, TAG_END)),)
        return calls

    def _calls(self, trial: _Trial, verdict: Verdict) -> list[_Call]:
        if verdict is Verdict.WHOLE:
            is_short = trial.end <= LONGEST_CALL
            return self._calls_in(trial, is_whole=not trial.is_broken) if is_short else []
        if verdict is Verdict.BROKEN or not self._is_over or self._is_cut or not trial.is_named or not self._repairs:
            return []
        trial.end = len(self._held)
        return self._calls_in(trial, is_whole=False)

    def _calls_in(self, trial: _Trial, *, is_whole: bool) -> list[_Call]:
        """is_whole: it is JSON by its form."""
        text = self._held[trial.begin : trial.end]
        if calls := _calls_of_json(text, self._names):
            return calls
        if not self._repairs:
            return []
        self._repairs -= 1
        return _calls_of_broken(text, self._names, only_one=not is_whole)


class _Trial:
    """Whether a text is a call, from its first sign on.

    closers: of a call before, which may close this one.
    """

    def __init__(self, names: frozenset[str], closers: tuple[str, ...]) -> None:
        self._names = names
        self._scan: JsonScan | None = None
        self._place = 0
        self.closers = closers
        self.begin = self.end = 0
        """Of the JSON."""
        self.is_named = False
        """It calls a tool that was offered, or has not come to its name yet."""
        self.is_broken = False
        """Its JSON is no JSON; it ends where its fence or tag does."""

    def look(self, text: str) -> Verdict:
        """What ``text`` is; each time all of it is given, and more than before. ``begin`` and ``end`` are its JSON."""
        if self._scan is None:
            verdict = self._unwrap(text)
            if verdict is not Verdict.WHOLE:
                return verdict
            self._scan, self._place = JsonScan(), self.begin
        if not self.is_named:
            named = _is_named(text[self.begin :], self._names)
            if named is Verdict.BROKEN:
                return named
            self.is_named = named is Verdict.WHOLE
        if not self.is_broken:
            verdict, self._place = self._scan.take(text, self._place)
            if verdict is not Verdict.BROKEN:
                self.end = self._place
                return verdict
            if not self.closers:
                return verdict
            self.is_broken = True
        return self._find_closer(text)

    def _unwrap(self, text: str) -> Verdict:
        """Find the begin of the JSON behind fence and tag."""
        place = 0
        closers: list[str] = []
        for sign, wrapping, closer in ((FENCE, _FENCED, FENCE), (TAG, _TAGGED, TAG_END)):
            if found := wrapping.match(text, place):
                place = found.end()
                closers.insert(0, closer)
            elif sign.startswith(text[place:]):
                return Verdict.OPEN
        if place == len(text):
            return Verdict.OPEN
        self.begin, self.closers = place, tuple(closers) or self.closers
        return Verdict.WHOLE if text[place] in "{[" else Verdict.BROKEN

    def _find_closer(self, text: str) -> Verdict:
        places = [place for closer in self.closers if (place := text.find(closer, self._place)) >= 0]
        if not places:
            self._place = max(self._place, len(text) - len(TAG_END))
            return Verdict.OPEN
        self.end = min(places)
        return Verdict.WHOLE


def _is_named(text: str, names: frozenset[str]) -> Verdict:
    """Whether JSON that begins like ``text`` calls one of ``names``, as far as can be told.

    What does not begin with its name is taken for a call as long as its first key is one of a call.
    """
    key = _FIRST_KEY.match(text)
    if key is None:
        before = _BEFORE_KEY.match(text)
        return Verdict.OPEN if before and before.end() == len(text) else Verdict.BROKEN
    if not key[2]:
        keys = (_NAME, *_ARGUMENTS, *_BESIDE)
        return _so_far(key[1], keys, is_all=key.end() == len(text))
    if key[1] != _NAME:
        return Verdict.WHOLE if key[1] in (*_ARGUMENTS, *_BESIDE) else Verdict.BROKEN
    name = _NAMED.match(text, key.end())
    if name is None:
        before = _BEFORE_NAME.match(text, key.end())
        return Verdict.OPEN if before and before.end() == len(text) else Verdict.BROKEN
    if not name[2]:
        return _so_far(name[1], names, is_all=name.end() == len(text))
    return Verdict.WHOLE if name[1] in names else Verdict.BROKEN


def _so_far(begun: str, known: Collection[str], *, is_all: bool) -> Verdict:
    return Verdict.OPEN if is_all and any(one.startswith(begun) for one in known) else Verdict.BROKEN


def _calls_of_json(text: str, names: frozenset[str]) -> list[_Call]:
    """The calls that ``text`` is; none where it is anything else."""
    try:
        value = strict_json(text)
    except ValueError:
        return []
    return _all_calls(value, names, text if isinstance(value, dict) else "")


def _calls_of_broken(text: str, names: frozenset[str], *, only_one: bool) -> list[_Call]:
    try:
        return _all_calls(read_json(text, only_one=only_one), names, "")
    except InvalidAnswer:
        return []


def _all_calls(value: Json, names: frozenset[str], text: str) -> list[_Call]:
    calls = [_call(one, names, text) for one in (value if isinstance(value, list) else [value])]
    whole = [call for call in calls if call is not None]
    return whole if len(whole) == len(calls) else []


def _call(value: Json, names: frozenset[str], text: str) -> _Call | None:
    """text: the JSON of ``value`` where it is known; its arguments are then given on as they were written."""
    if not isinstance(value, dict) or value.keys() - {_NAME, *_ARGUMENTS, *_BESIDE}:
        return None
    name, given = value.get(_NAME), [key for key in _ARGUMENTS if key in value]
    if not isinstance(name, str) or name not in names or len(given) != 1:
        return None
    arguments = value[given[0]]
    if isinstance(arguments, str):
        return _call_of_text(name, arguments)
    if not isinstance(arguments, dict):
        return None
    return _Call(name, _as_written(text, given[0], arguments) or json_text(arguments))


def _call_of_text(name: str, arguments: str) -> _Call | None:
    """The arguments as a text that holds their JSON."""
    try:
        return _Call(name, arguments) if isinstance(strict_json(arguments), dict) else None
    except ValueError:
        return None


def _as_written(text: str, key: str, value: Json) -> str:
    """``value``, which stands under ``key`` of the JSON object ``text``, in its own letters; empty if not found."""
    for opening in re.finditer(rf'[{{,]\s*"{key}"\s*:\s*(?=\{{)', text):
        verdict, end = JsonScan().take(text, opening.end())
        written = text[opening.end() : end]
        return written if verdict is Verdict.WHOLE and is_json(written) and strict_json(written) == value else ""
    return ""


def _say(out: list[TextDelta | CallDelta], words: list[str]) -> None:
    if text := "".join(words):
        out.append(TextDelta(text))
    words.clear()
