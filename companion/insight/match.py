"""Understands commands without a model: a rule understands a whole sentence or none of it.

Rules are data (``companion.insight.rule_book``), compiled once to regular expressions. Each stands in an index
under a word it cannot do without, the rarest one, so that of hundreds only a few are tried. The first rule of the
book that fits wins.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.errors import RuleError
from companion.insight.compiler import DIGIT, Compiler
from companion.insight.rule import Rule, Var, VarType, check_rules, rule_error
from companion.insight.rule_book import RuleBook, read_rule_book
from companion.insight.template import Choice, Node, TemplateError, Wild, Word, parse
from companion.insight.template import Sequence as Template
from companion.insight.understood import Arg, Match

LONGEST = 240
"""Characters. Nobody speaks a longer command, and it bounds the time a match may take."""

_BY_TYPE: Mapping[VarType, Node] = {
    VarType.STRING: Wild.MANY,
    VarType.INT: Wild.INT,
    VarType.FLOAT: Wild.FLOAT,
    VarType.BOOL: Choice(tuple(Template((Word(word),)) for word in ("true", "false", "yes", "no", "on", "off"))),
}


class _Pattern(NamedTuple):
    rank: int
    rule: Rule
    regex: re.Pattern[str]
    needs: tuple[frozenset[str], ...]

    def rarest_need(self, commonness: Mapping[str, int]) -> frozenset[str]:
        """The need that the fewest patterns share; nothing where every word can be missing."""
        shared = {need: sum(commonness[token] for token in need) for need in self.needs}
        return min(shared, key=lambda need: (shared[need], sorted(need)), default=frozenset())


class Matcher:
    """The rules of one book, compiled. Changes never, so it may be shared between tasks and threads.

    Raises:
        RuleError: the book cannot be used; the message names file and rule.
    """

    def __init__(self, book: RuleBook) -> None:
        self.language = book.language
        self.rules = tuple(rule.name for rule in check_rules(book.rules, file=book.file))
        self._hearing = book.hearing
        self._open_ended = frozenset(book.open_ended)
        self._lead = self._edge(book.lead, "^(?:{})++")
        self._trail = self._edge(book.trail, "(?:{})++$")
        self._by_need, self._anywhere = _indexed(list(_Templates(book).patterns()))

    @classmethod
    def parse(cls, text: str, *, file: str) -> Matcher:
        """Compile a rule book from its text.

        file: its name; its ending says how it is written (see ``read_rule_book``).

        Raises:
            RuleError: it cannot be used; the message names file and rule.
        """
        return cls(read_rule_book(text, file=file))

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
        said = self._hearing.plain(text)
        bare = self._trail.sub("", self._lead.sub("", said))
        if bare:
            yield bare
        if said and said != bare:
            yield said

    def _find(self, sentence: str) -> Match | None:
        for pattern in self._candidates(sentence):
            if fit := pattern.regex.fullmatch(sentence):
                words = fit.groupdict()
                args = {name: Arg(var, _stripped(words.get(name))) for name, var in pattern.rule.vars.items()}
                return Match(pattern.rule.name, args, open_ended=pattern.rule.name in self._open_ended)
        return None

    def _candidates(self, sentence: str) -> list[_Pattern]:
        """The patterns whose rarest need the sentence has, in the order of the book."""
        tokens = set(self._hearing.tokens(sentence))
        if any(token[0].isdigit() for token in tokens):
            tokens.add(DIGIT)
        found = {pattern.rank: pattern for token in tokens for pattern in self._by_need.get(token, ())}
        found.update((pattern.rank, pattern) for pattern in self._anywhere)
        return [found[rank] for rank in sorted(found)]

    def _edge(self, phrases: Sequence[str], frame: str) -> re.Pattern[str]:
        """What ``lead`` or ``trail`` may take off a sentence, longest phrase first."""
        longest_first = sorted(map(self._hearing.plain, phrases), key=len, reverse=True)
        # A trailing phrase must not start in the middle of a word.
        start = r"(?:(?<=\s)|^)" if self._hearing.spaces else ""
        return re.compile(start + frame.format("|".join(map(re.escape, longest_first)) or "(?!)"))


def _stripped(words: str | None) -> str | None:
    return None if words is None else words.strip()


def _indexed(patterns: Sequence[_Pattern]) -> tuple[Mapping[str, Sequence[_Pattern]], Sequence[_Pattern]]:
    """The patterns under each token of their rarest need, and those that need none."""
    commonness = Counter(token for pattern in patterns for need in pattern.needs for token in need)
    by_need: defaultdict[str, list[_Pattern]] = defaultdict(list)
    anywhere: list[_Pattern] = []
    for pattern in patterns:
        need = pattern.rarest_need(commonness)
        for token in need:
            by_need[token].append(pattern)
        if not need:
            anywhere.append(pattern)
    return dict(by_need), anywhere


class _Templates:
    """The templates of a book, read and compiled; an error names file and rule."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        parts = {name: self._read(text, name, "parts") for name, text in book.parts.items()}
        self._compiler = Compiler(book.hearing, parts)

    def patterns(self) -> Iterator[_Pattern]:
        """Every pattern of every rule, in order."""
        rank = 0
        for rule in self._book.rules:
            slots = {name: self._holds(var, rule.name) for name, var in rule.vars.items()}
            for number, pattern in enumerate(rule.patterns, start=1):
                regex, needs = self._compile(pattern.text, slots, rule.name, f"pattern {number}")
                yield _Pattern(rank, rule, regex, needs)
                rank += 1

    def _holds(self, var: Var, rule: str) -> Node:
        """What ``var`` may hold."""
        return self._read(var.words, rule, "words") if var.words else _BY_TYPE[var.type]

    def _compile(
        self, text: str, slots: Mapping[str, Node], rule: str, where: str
    ) -> tuple[re.Pattern[str], tuple[frozenset[str], ...]]:
        try:
            compiled = self._compiler.compile(parse(text), slots)
            regex = re.compile(compiled.regex)
        except (TemplateError, re.error) as error:
            raise self._error(f"{where}: {error}", rule) from error
        if regex.fullmatch(""):
            raise self._error(f"{where} fits silence", rule)
        return regex, compiled.needs

    def _read(self, text: str, name: str, where: str) -> Template:
        try:
            return parse(text)
        except TemplateError as error:
            raise self._error(f"{where}: {error}", name) from error

    def _error(self, what: str, rule: str) -> RuleError:
        return rule_error(what, file=self._book.file, rule=rule)
