"""Every sentence in which the program may tell a person of trouble, read out of its source: what errors are raised
with, problems told with, and what a check finds. A blank is filled with a sign that stands for anything.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion import errors

FILLED = "7"
"""Stands in each blank: a name as well as a number."""
ERRORS = frozenset(
    name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, errors.CompanionError)
)
TELLING = {
    "Problem": (1, 2),
    "Trouble": (0, 1),
    "Unanswered": (1, 2),
    "EngineEnded": (0, 1),
    "Finished": (1, 2),
    "ok": (1,),
    "warn": (1, 2),
    "bad": (1, 2),
    "Finding": (2, 3),
    "Metered": (2, 3),
    "Piece": (),
    "Entry": (),
}
"""Which arguments of a call hold sentences; of an error it is the first."""
NAMED = ("mend", "problem", "message")
MOST = 64
"""Sentences that one expression may be."""

Constants = dict[str, list[str]]


def told_in(source: str) -> Iterator[tuple[int, str]]:
    """The sentences of a module, with their lines."""
    tree = ast.parse(source)
    constants = _constants(tree)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        for argument in _telling(call):
            for sentence in _sentences(argument, constants):
                if any(letter.isalpha() for letter in sentence):
                    yield call.lineno, sentence


def told_by(files: Iterable[Path], top: Path) -> dict[str, str]:
    """Where each sentence of these files stands."""
    told: dict[str, str] = {}
    for file in files:
        for line, sentence in told_in((top / file).read_text(encoding="utf-8")):
            told.setdefault(sentence, f"{file}:{line}")
    return told


def _telling(call: ast.Call) -> Iterator[ast.expr]:
    name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
    if name not in ERRORS and name not in TELLING:
        return
    for place in TELLING.get(name, (0,)):
        yield from call.args[place : place + 1]
    yield from (keyword.value for keyword in call.keywords if keyword.arg in NAMED)


def _constants(tree: ast.Module) -> Constants:
    """The texts that names of the module stand for."""
    known: Constants = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple | ast.JoinedStr):
            targets = node.targets[0]
            pairs = (
                zip(targets.elts, node.value.elts, strict=False)
                if isinstance(targets, ast.Tuple) and isinstance(node.value, ast.Tuple)
                else [(targets, node.value)]
            )
            known |= {name.id: _sentences(value, {}) for name, value in pairs if isinstance(name, ast.Name)}
    return known


def _sentences(node: ast.expr, constants: Constants) -> list[str]:
    """What the expression may be; nothing where only running it would tell."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=parts):
            choices = [_part(part, constants) for part in parts]
            return ["".join(one) for one in itertools.islice(itertools.product(*choices), MOST)]
        case ast.IfExp(body=body, orelse=other):
            return [*_sentences(body, constants), *_sentences(other, constants)]
        case ast.BoolOp(values=values):
            return [sentence for value in values for sentence in _sentences(value, constants)]
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            pairs = itertools.product(_filled(left, constants), _filled(right, constants))
            return ["".join(pair) for pair in pairs]
        case ast.Name(id=name):
            return constants.get(name, [])
        case _:
            return []


def _part(part: ast.expr, constants: Constants) -> list[str]:
    if isinstance(part, ast.FormattedValue):
        quote = "'" if part.conversion == ord("r") else ""
        return [f"{quote}{one}{quote}" for one in _filled(part.value, constants)]
    return _sentences(part, constants)


def _filled(node: ast.expr, constants: Constants) -> list[str]:
    return _sentences(node, constants) or [FILLED]
