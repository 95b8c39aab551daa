"""Understands commands without a model: rules are data, and a rule understands a whole sentence or none of it.

A rules file (``assets/commands/en.toml``) holds ``language``, ``lead`` and ``trail`` (phrases that may
stand before and behind any command), ``[replace]`` and ``[heard_as]`` (what recognisers write),
``[parts]``, ``[slots]`` and one ``[rules]`` entry for each command: a list of templates
(``companion.insight.template``). The first rule of the file that fits wins.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.errors import RuleError
from companion.insight.hearing import plain_sentence
from companion.insight.template import ANY, Compiler, Sequence, TemplateError, first_key, parse

LONGEST = 240
"""Characters. Nobody speaks a longer command, and it bounds the time a match may take."""

_KEYS = {"language", "spaces", "lead", "trail", "replace", "heard_as", "parts", "slots", "rules", "open_ended"}


@dataclass(frozen=True, slots=True)
class Match:
    """The rule that understood a sentence."""

    rule: str
    slots: Mapping[str, str]
    """The words in each slot, as spoken, lower case."""
    open_ended: bool = False
    """Whether more words may follow and belong to it ("remind me at six to call ...")."""


class _Pattern(NamedTuple):
    rank: int
    rule: str
    regex: re.Pattern[str]


class Matcher:
    """The rules of one language, compiled. Made by ``parse``; changes never, so it may be shared."""

    def __init__(self, rules: _RulesFile) -> None:
        self.language = rules.language
        self.rules = tuple(rules.rules)
        self._separator = rules.separator
        self._replace = rules.replace
        self._open_ended = frozenset(rules.open_ended)
        self._lead = rules.edge_regex("lead", "^(?:{})++")
        self._trail = rules.edge_regex("trail", "(?:{})++$")
        self._patterns: Mapping[str, list[_Pattern]] = rules.patterns()

    @classmethod
    def parse(cls, toml_text: str, *, file: str) -> Matcher:
        """Compile a rules file.

        file: its name, for errors.

        Raises:
            RuleError: it cannot be used; the message names file and rule.
        """
        return cls(_RulesFile(toml_text, file))

    def match(self, text: str) -> Match | None:
        """The rule that understands all of ``text``, or None. Under a millisecond."""
        if len(text) > LONGEST:
            return None
        for sentence in self._readings(text):
            if found := self._find(sentence):
                return found
        return None

    def _readings(self, text: str) -> Iterator[str]:
        """The bare sentence; then as it was said, for "thank you" may be all there is."""
        said = plain_sentence(text, separator=self._separator, replace=self._replace)
        bare = self._trail.sub("", self._lead.sub("", said))
        if bare:
            yield bare
        if said and said != bare:
            yield said

    def _find(self, sentence: str) -> Match | None:
        for pattern in self._candidates(sentence):
            if fit := pattern.regex.fullmatch(sentence):
                slots = {name: words.strip() for name, words in fit.groupdict().items() if words is not None}
                return Match(pattern.rule, slots, pattern.rule in self._open_ended)
        return None

    def _candidates(self, sentence: str) -> list[_Pattern]:
        by_key, anywhere = self._patterns.get(first_key(sentence, self._separator), []), self._patterns.get(ANY, [])
        return sorted((*by_key, *anywhere)) if anywhere else by_key


class _RulesFile:
    """A rules file, read and checked."""

    def __init__(self, toml_text: str, file: str) -> None:
        self._file = file
        try:
            tables: dict[str, Any] = tomllib.loads(toml_text)
        except tomllib.TOMLDecodeError as error:
            raise RuleError(f"{file}: {error}", file=file, mend="mend the line, or reinstall companion") from error
        for key in tables.keys() - _KEYS:
            raise self._error(f"there is no {key!r} in a rules file")
        self.language = self._words(tables.get("language", ""), "language")
        self.separator = " " if tables.get("spaces", True) else ""
        self.replace = self._table(tables, "replace", str)
        self._lists = {key: self._strings(tables.get(key, []), key) for key in ("lead", "trail")}
        self._heard_as = self._table(tables, "heard_as", list)
        self._parts = self._templates(tables, "parts")
        self._slots = self._templates(tables, "slots")
        self.rules = {name: self._strings(given, name) for name, given in self._table(tables, "rules", list).items()}
        self.open_ended = self._strings(tables.get("open_ended", []), "open_ended")
        for name in set(self.open_ended) - self.rules.keys():
            raise self._error("open_ended names a rule that there is not", name)

    def edge_regex(self, key: str, frame: str) -> re.Pattern[str]:
        """What ``lead`` or ``trail`` may take off a sentence, longest phrase first."""
        phrases = (plain_sentence(phrase, separator=self.separator, replace={}) for phrase in self._lists[key])
        longest_first = sorted(phrases, key=len, reverse=True)
        # A trailing phrase must not start in the middle of a word.
        start = r"(?:(?<=\s)|^)" if self.separator else ""
        return re.compile(start + frame.format("|".join(map(re.escape, longest_first)) or "(?!)"))

    def patterns(self) -> dict[str, list[_Pattern]]:
        """Every template's regular expression, under each key its sentences may start with."""
        index: defaultdict[str, list[_Pattern]] = defaultdict(list)
        compiler = Compiler(self._parts, self._slots, self._heard_as, self.separator)
        for rule, templates in self.rules.items():
            for number, template in enumerate(templates, start=1):
                try:
                    node = parse(template)
                    regex = re.compile(compiler.regex(node))
                    keys, empty = compiler.first(node)
                except (TemplateError, re.error) as error:
                    raise self._error(f"template {number}: {error}", rule) from error
                if empty:
                    raise self._error(f"template {number} fits silence", rule)
                rank = sum(map(len, index.values()))
                for key in keys:
                    index[key].append(_Pattern(rank, rule, regex))
        return dict(index)

    def _templates(self, tables: Mapping[str, Any], key: str) -> dict[str, Sequence]:
        templates: dict[str, Sequence] = {}
        for name, text in self._table(tables, key, str).items():
            try:
                templates[name] = parse(text)
            except TemplateError as error:
                raise self._error(f"{key}: {error}", name) from error
        return templates

    def _table(self, tables: Mapping[str, Any], key: str, kind: type) -> dict[str, Any]:
        table = tables.get(key, {})
        if not isinstance(table, dict):
            raise self._error(f"[{key}] must be a table")
        for name, value in table.items():
            if not isinstance(value, kind):
                raise self._error(f"[{key}] must hold a {'list' if kind is list else 'text'}", name)
        return table

    def _strings(self, value: object, name: str) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._error("must be a list of texts", name)
        return value

    def _words(self, value: object, name: str) -> str:
        if not isinstance(value, str) or not value:
            raise self._error("must be a text", name)
        return value

    def _error(self, what: str, rule: str = "") -> RuleError:
        where = f"{self._file}: {rule}: " if rule else f"{self._file}: "
        return RuleError(where + what, file=self._file, rule=rule, mend="mend the rule, or reinstall companion")
