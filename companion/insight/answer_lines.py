"""The grammar a model answers a rule prompt in, read while it is being written.

One match a line: ``rule`` or ``rule: name=value, name="value, with a comma"``. A line that names no rule is kept as it
is. Blank lines mean nothing; a line ends with LF or CRLF.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from companion.errors import InvalidAnswer
from companion.insight.rule import Rule
from companion.insight.understood import Arg, Match

LONGEST_LINE = 4_096
"""Characters. A model that writes more without a break has lost its way."""

# Possessive throughout: a line is read in one go, however odd it is.
_PAIR = re.compile(r'([^=,]*+)(?:=(?:\s*+("(?:[^"\\]|\\.)*+")\s*+(?=,|\Z)|([^,]*+)))?+(?:,|\Z)')


class AnswerLines:
    """Reads one answer, piece by piece."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        self._line = ""

    def feed(self, text: str) -> Iterator[Match]:
        """The matches of the lines that ``text`` completes.

        Raises:
            InvalidAnswer: a line is longer than any answer.
        """
        *whole, self._line = (self._line + text).split("\n")
        yield from self._matches(whole)
        if len(self._line) > LONGEST_LINE:
            raise InvalidAnswer(
                f"a line of the answer is longer than {LONGEST_LINE} characters", mend="ask again, or ask another model"
            )

    def rest(self, *, whole: bool) -> Iterator[Match]:
        """The match of the last line, which no line break ended; just its words where it is not ``whole``."""
        line, self._line = self._line, ""
        if whole:
            yield from self._matches([line])
        elif line.strip():
            yield Match("", raw_text=line.strip())

    def _matches(self, lines: Iterable[str]) -> Iterator[Match]:
        for line in map(str.strip, lines):
            if line:
                yield self._match(line)

    def _match(self, line: str) -> Match:
        name, _, said = line.partition(":")
        rule = self._rules.get(name.strip())
        if rule is None:
            return Match("", raw_text=line)
        words = dict(_pairs(said))
        return Match(rule.name, {name: Arg(var, words.get(name)) for name, var in rule.vars.items()})


def _pairs(said: str) -> Iterator[tuple[str, str]]:
    for pair in _PAIR.finditer(said):
        name, quoted, plain = pair.groups()
        if quoted is not None:
            yield name.strip(), _unquoted(quoted)
        elif plain is not None:
            yield name.strip(), plain.strip()


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:  # an escape that JSON does not have stands for itself
        return quoted[1:-1]
