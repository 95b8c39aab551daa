"""What a docstring says about a function and its parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection
from typing import NamedTuple

_HEADS = re.compile(r"(Args|Arguments|Parameters|Returns|Yields|Raises|Examples?|Notes?):\s*")
_ABOUT_PARAMETERS = ("Args", "Arguments", "Parameters")
_PARAMETER = re.compile(r"\s*(?::param\s+)?(\w+)(?:\s*\([^)]*\))?:\s+(\S.*)")


class Told(NamedTuple):
    """description: the text before any section. parameters: name to what is said of it, in the order of the text."""

    description: str
    parameters: dict[str, str]


def told(function: object, parameters: Collection[str]) -> Told:
    """Read ``name: what it is`` lines, under ``Args:`` or without a heading, and the text above them."""
    description: list[str] = []
    about: dict[str, str] = {}
    current, indent, is_open = "", 0, True
    for line in (inspect.getdoc(function) or "").splitlines():
        depth = len(line) - len(line.lstrip())
        found = _PARAMETER.fullmatch(line)
        if head := _HEADS.fullmatch(line):
            is_open, current = head[1] in _ABOUT_PARAMETERS, ""
        elif is_open and found and found[1] in parameters:
            current, indent = found[1], depth
            about[current] = found[2].strip()
        elif current and line.strip() and depth > indent:
            about[current] += " " + line.strip()
        elif is_open and not about:
            description.append(line)
    return Told("\n".join(description).strip(), about)
