"""A book of rules, as data: written in YAML, JSON or TOML, by the ending of its file's name.

It is a list of rules, or a table::

    language: en                      needed
    spaces: true                      whether they stand between words; false for Chinese
    lead: [please, can you]           phrases that may stand before any command
    trail: [thanks]                   and behind it
    replace: {um: ""}                 what a recogniser writes, and what is read instead
    heard_as: {for: [four, "4"]}      a word, and what else a recogniser writes for it
    parts: {unit: (minute|minutes)}   templates that others hold as <unit>
    slots: {length: "# <unit>"}       what [length] holds in any rule that does not say so itself
    open_ended: [reminder]            rules to which more words may belong
    rules:
      - name: timer
        vars: {length: {label: how long}, count: {type: int}}
        references: {kitchen: the oven has a timer of its own}
        patterns: ["set a timer for [length]", ["[count] timers", "timer: count=[count]"]]
        examples: [[a length in words, set a timer for ten minutes, "timer: length=ten minutes"]]

Rules may also be a table of names, with the patterns alone where nothing else is to be said.
How a template is written: ``companion.insight.template``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.errors import RuleError
from companion.insight.hearing import Hearing
from companion.insight.rule import Example, Pattern, Rule, Var, VarType, check_rules, rule_error
from companion.settings.written import Unreadable, read_written

_BOOK = {"language", "spaces", "lead", "trail", "replace", "heard_as", "parts", "slots", "rules", "open_ended"}
_RULE = {"name", "references", "vars", "patterns", "examples"}
_VAR = {"label", "type", "words"}


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules of one language.

    lead, trail: phrases that may stand before and behind any command.
    parts: templates by name, which others hold as ``<name>``.
    open_ended: rules to which more words may belong, so that a short silence is not yet their end.
    file: its name, for errors.
    """

    rules: tuple[Rule, ...]
    language: str = ""
    hearing: Hearing = field(default_factory=Hearing)
    lead: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    open_ended: tuple[str, ...] = ()
    file: str = ""


def read_rule_book(text: str, *, file: str) -> RuleBook:
    """Read a book of rules.

    file: its name; ``.json`` is read as JSON, ``.toml`` as TOML, anything else as YAML.

    Raises:
        RuleError: it cannot be read or used; the message names file and rule.
    """
    try:
        written = read_written(text, file=file, plain_as_text=True)
    except Unreadable as error:
        raise rule_error(str(error), file=file) from error
    return _Reader(file).book(written)


class _Reader:
    """Reads what was written, and tells in which rule a fault is."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._slots: Mapping[str, str] = {}

    def book(self, written: object) -> RuleBook:
        if isinstance(written, list):
            return RuleBook(self._rules(written), file=self._file)
        table = self._known(written, _BOOK, "a rules file", "")
        self._slots = self._texts_by_name(table, "slots")
        rules = self._rules(table.get("rules", []))
        open_ended = self._texts(table.get("open_ended"), "open_ended")
        for name in set(open_ended) - {rule.name for rule in rules}:
            raise self._error("open_ended names a rule that there is not", name)
        return RuleBook(
            rules,
            language=self._needed(table.get("language"), "language"),
            hearing=self._hearing(table),
            lead=self._texts(table.get("lead"), "lead"),
            trail=self._texts(table.get("trail"), "trail"),
            parts=self._texts_by_name(table, "parts"),
            open_ended=open_ended,
            file=self._file,
        )

    def _hearing(self, table: Mapping[str, object]) -> Hearing:
        heard_as = self._table(table.get("heard_as"), "heard_as")
        return Hearing(
            # YAML is read as texts, so that no word turns into something else.
            spaces=str(table.get("spaces", True)).lower() != "false",
            replace=self._texts_by_name(table, "replace"),
            heard_as={word: self._texts(said, word) for word, said in heard_as.items()},
        )

    def _rules(self, written: object) -> tuple[Rule, ...]:
        return check_rules(list(self._each_rule(written)), file=self._file)

    def _each_rule(self, written: object) -> Iterator[Rule]:
        if isinstance(written, dict):
            for name, rule in written.items():
                yield self._rule(name, {"patterns": rule} if isinstance(rule, list) else rule)
            return
        for number, rule in enumerate(self._list(written, "rules"), start=1):
            where = f"rule {number}"
            yield self._rule(self._needed(self._table(rule, where).get("name"), f"{where}: name"), rule)

    def _rule(self, name: str, written: object) -> Rule:
        table = self._known(written, _RULE, "a rule", name)
        patterns = tuple(self._pattern(pattern, name) for pattern in self._list(table.get("patterns"), name))
        own = {var: self._var(said, name) for var, said in self._table(table.get("vars"), name).items()}
        used = {slot for pattern in patterns for slot in pattern.placeholders} & self._slots.keys()
        shared = {slot: Var(words=self._slots[slot]) for slot in used}
        references = self._table(table.get("references"), name)
        return Rule(
            name,
            patterns,
            {**shared, **own},
            {key: self._text(text, name) for key, text in references.items()},
            tuple(self._example(example, name) for example in self._list(table.get("examples"), name)),
        )

    def _var(self, written: object, rule: str) -> Var:
        table = self._known(written, _VAR, "a variable", rule)
        label, kind, words = (self._text(table.get(key, ""), rule) for key in ("label", "type", "words"))
        if kind not in {"", *VarType}:
            raise self._error(f"there is no type {kind!r}; there are {', '.join(VarType)}", rule)
        return Var(label, VarType(kind or VarType.STRING), words)

    def _pattern(self, written: object, rule: str) -> Pattern:
        if isinstance(written, str):
            return Pattern(written)
        texts = self._texts(written, rule) if isinstance(written, list) else ()
        if len(texts) not in (1, 2):
            raise self._error("a pattern is a text, or a list of what is said and what is answered", rule)
        return Pattern(*texts)

    def _example(self, written: object, rule: str) -> Example:
        texts = (written,) if isinstance(written, str) else self._texts(written, rule)
        if len(texts) > 3:
            raise self._error("an example is its subject, and perhaps what is said and what is answered", rule)
        return Example(*(texts or ("",)))

    def _texts_by_name(self, table: Mapping[str, object], key: str) -> Mapping[str, str]:
        return {name: self._text(text, name, f"[{key}]") for name, text in self._table(table.get(key), key).items()}

    def _known(self, written: object, keys: set[str], what: str, rule: str) -> Mapping[str, object]:
        table = self._table(written, rule or what)
        for key in sorted(table.keys() - keys):
            raise self._error(f"there is no {key!r} in {what}", rule)
        return table

    def _table(self, written: object, where: str) -> Mapping[str, object]:
        if not isinstance(written, dict):
            if written in (None, ""):
                return {}
            raise self._error("must be a table", where)
        for name in written:
            if not isinstance(name, str):
                raise self._error(f"the name {name!r} must be a text", where)
        return written

    def _list(self, written: object, where: str) -> Sequence[object]:
        if written in (None, ""):
            return ()
        if not isinstance(written, list):
            raise self._error("must be a list", where)
        return written

    def _texts(self, written: object, where: str) -> tuple[str, ...]:
        return tuple(self._text(text, where) for text in self._list(written, where))

    def _text(self, written: object, where: str, what: str = "each value") -> str:
        if not isinstance(written, str):
            raise self._error(f"{what} must be a text", where)
        return written

    def _needed(self, written: object, where: str) -> str:
        if not isinstance(written, str) or not written.strip():
            raise self._error("must be a text", where)
        return written

    def _error(self, what: str, rule: str) -> RuleError:
        return rule_error(what, file=self._file, rule=rule)
