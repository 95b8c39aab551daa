"""Turns templates into regular expressions over plain sentences, and says which words they cannot do without."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from companion.insight.hearing import Hearing
from companion.insight.template import Choice, Node, Piece, Sequence, Slot, TemplateError, Wild, Word

DIGIT = "#"
"""Stands among the needs for any token that starts with a digit."""

NO_SLOTS: Mapping[str, Node] = {}


class Compiled(NamedTuple):
    """regex: fits the sentences of a template. needs: sets of tokens, of each of which such a sentence has one."""

    regex: str
    needs: tuple[frozenset[str], ...]


class Compiler:
    """Compiles the templates of one language.

    parts: templates by name, which others may hold; they hold no slots.
    """

    def __init__(self, hearing: Hearing, parts: Mapping[str, Sequence]) -> None:
        self._hearing = hearing
        self._parts = parts
        self._compiled_parts: dict[str, Compiled | None] = {}
        self._words: dict[str, Compiled] = {}
        self._wild = _wild(hearing)

    def compile(self, node: Node, slots: Mapping[str, Node] = NO_SLOTS) -> Compiled:
        """Compile ``node``.

        slots: what each of them may hold.

        Raises:
            TemplateError: it names a part or slot that there is not.
        """
        match node:
            case Word(text):
                return self._word(text)
            case Wild():
                return self._wild[node]
            case Slot(name):
                if name not in slots:
                    raise TemplateError(f"there is no slot [{name}]")
                inner = self.compile(slots[name])
                return Compiled(f"(?P<{name}>{inner.regex})", inner.needs)
            case Piece(name):
                return self._part(name)
            case Sequence(items):
                compiled = [self.compile(item, slots) for item in items]
                needs = tuple(need for item in compiled for need in item.needs)
                return Compiled("".join(item.regex for item in compiled), needs)
            case Choice():
                return self._choice(node, slots)

    def _word(self, text: str) -> Compiled:
        if text not in self._words:
            self._words[text] = self._new_word(text)
        return self._words[text]

    def _new_word(self, text: str) -> Compiled:
        spellings = self._hearing.spellings(text)
        tokens = [self._hearing.tokens(spelling) for spelling in spellings]
        if len(spellings) == 1:
            return Compiled(re.escape(spellings[0]), tuple(frozenset({token}) for token in tokens[0]))
        regex = f"(?:{'|'.join(map(re.escape, spellings))})"
        return Compiled(regex, (frozenset(spelling[0] for spelling in tokens),) if all(tokens) else ())

    def _choice(self, choice: Choice, slots: Mapping[str, Node]) -> Compiled:
        options = [self.compile(option, slots) for option in choice.options]
        # What was repeated is not given back, or a long sentence could be read in endless ways.
        sign = {(False, False): "", (True, False): "?", (False, True): "++", (True, True): "*+"}
        regex = f"(?:{'|'.join(option.regex for option in options)}){sign[choice.optional, choice.repeated]}"
        if choice.optional or not all(option.needs for option in options):
            return Compiled(regex, ())
        either = frozenset[str]().union(*(min(option.needs, key=len) for option in options))
        return Compiled(regex, (either,))

    def _part(self, name: str) -> Compiled:
        if name not in self._parts:
            raise TemplateError(f"there is no part <{name}>")
        if name not in self._compiled_parts:
            self._compiled_parts[name] = None
            regex, needs = self.compile(self._parts[name])
            self._compiled_parts[name] = Compiled(f"(?:{regex})", needs)
        compiled = self._compiled_parts[name]
        if compiled is None:
            raise TemplateError(f"the part <{name}> contains itself")
        return compiled


def _wild(hearing: Hearing) -> Mapping[Wild, Compiled]:
    behind = hearing.separator
    token = r"[^ ]+ " if hearing.spaces else "."
    minus = f"(?:(?:-|minus){behind})?"
    digit = (frozenset({DIGIT}),)
    return {
        Wild.ONE: Compiled(token, ()),
        Wild.MANY: Compiled(f"(?:{token})+?", ()),
        Wild.DIGITS: Compiled(rf"\d[\d.:]*(?:st|nd|rd|th)?{behind}", digit),
        Wild.INT: Compiled(rf"{minus}\d+{behind}", digit),
        Wild.FLOAT: Compiled(rf"{minus}\d+(?:\.\d+)?{behind}", digit),
    }
