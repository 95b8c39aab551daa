"""Chooses labels for a text among candidates, with a score each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from companion.errors import InvalidAnswer
from companion.insight.form import Form
from companion.model import Generator


@dataclass(frozen=True, slots=True)
class LabelInput:
    """aliases: other names of candidates. top_k: how many labels at most; 0 or less: all."""

    text: str
    candidates: tuple[str, ...]
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    top_k: int = 0


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """score: 0 to 1."""

    label: str
    score: float


@dataclass(frozen=True, slots=True)
class LabelResult:
    """matches: in the order the model gave them. left_out: labels that are no candidates."""

    matches: tuple[LabelMatch, ...] = ()
    left_out: tuple[str, ...] = ()


class _WrittenMatch(TypedDict):
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class _Selection:
    matches: list[_WrittenMatch]


_TOOL = "select_labels"
# Not the candidates themselves: a foreign label must not cost the whole answer.
_LABEL = {"type": "string", "minLength": 1, "description": "one of the candidates, letter by letter"}
_SCORE = {"type": "number", "minimum": 0, "maximum": 1, "description": "how sure it is that it fits"}
_MATCH = {
    "type": "object",
    "properties": {"label": _LABEL, "score": _SCORE},
    "required": ["label", "score"],
    "additionalProperties": False,
}

_INSTRUCTION = """\
You choose the labels that fit the user's text. Choose among the candidates only, the best first, at most {top_k}.
Leave the list empty where none fits."""


class Labeler:
    """Asks ``generator``; serves concurrent calls. ``model``: see ``Generator.invoke``."""

    def __init__(self, generator: Generator, *, model: str = "") -> None:
        self._generator = generator
        self._model = model

    async def process(self, given: LabelInput) -> LabelResult:
        """Choose. Without a text or candidates the result is empty and no model is asked.

        Raises:
            InvalidAnswer: the model's answer does not fit, names an empty label, or a score outside of 0 to 1.
            ModelError, StreamError, TimeoutError: see ``Generator.invoke``.
        """
        if not given.text.strip() or not given.candidates:
            return LabelResult()
        form = _form(given)
        written = await form.filled(self._generator, _instruction(given), given.text, model=self._model)
        return _result(written.matches, given)


def _top(given: LabelInput) -> int:
    count = len(given.candidates)
    return given.top_k if 0 < given.top_k < count else count


def _form(given: LabelInput) -> Form[_Selection]:
    """A list with an end, or a small model would name labels for ever; some may be foreign, or come twice."""
    most = 2 * len(given.candidates) + 2
    matches = {"type": "array", "items": _MATCH, "maxItems": most, "description": "the best first"}
    schema = {
        "type": "object",
        "properties": {"matches": matches},
        "required": ["matches"],
        "additionalProperties": False,
    }
    return Form(_TOOL, "Choose the labels that fit a text.", _Selection, schema=schema)


def _instruction(given: LabelInput) -> str:
    lines = [f"- {label}{_also(given.aliases.get(label, ()))}" for label in given.candidates]
    return "\n".join([_INSTRUCTION.format(top_k=_top(given)), "", "Candidates:", *lines])


def _also(aliases: Iterable[str]) -> str:
    also = ", ".join(aliases)
    return f" (also: {also})" if also else ""


def _result(written: Iterable[_WrittenMatch], given: LabelInput) -> LabelResult:
    names = _names(given)
    scores: dict[str, float] = {}
    left_out: list[str] = []
    for number, match in enumerate(written, start=1):
        label, score = match["label"].strip(), match["score"]
        if not label:
            raise _invalid(f"match {number} has no label")
        if not 0 <= score <= 1:
            raise _invalid(f"match {number} has the score {score:g}, which is not from 0 to 1")
        if label not in names:
            left_out.append(f"match {number}: {label!r} is no candidate")
            continue
        scores.setdefault(names[label], score)
    best = [LabelMatch(label, score) for label, score in scores.items()]
    return LabelResult(tuple(best[: _top(given)]), tuple(left_out))


def _names(given: LabelInput) -> Mapping[str, str]:
    """Every name a candidate goes by; its own goes before another's alias."""
    aliases = {alias: label for label in given.candidates for alias in given.aliases.get(label, ())}
    return {**aliases, **{label.strip(): label for label in given.candidates}}


def _invalid(why: str) -> InvalidAnswer:
    return InvalidAnswer(f"the answer for {_TOOL!r}: {why}")
