"""The arguments of a call in the history, as an object, for wires that want one and for models that wrote none."""

from __future__ import annotations

import logging
from typing import cast

from companion.errors import InvalidAnswer
from companion.model.json_repair import read_json, strict_json
from companion.model.options import JsonValue
from companion.stream import FuncCall

logger = logging.getLogger(__name__)


def arguments_of(call: FuncCall) -> dict[str, JsonValue]:
    """The arguments by name. Quotes that are not JSON's are mended.

    Where they are no object, or were cut off, there are none: a provider refuses the whole conversation over them.
    """
    words = call.arguments.strip()
    if not words:
        return {}
    try:
        value = _read(words)
    except (ValueError, InvalidAnswer):
        value = None
    if isinstance(value, dict):
        return cast("dict[str, JsonValue]", value)
    logger.warning("the arguments of an earlier call of %s are no object and are left out", call.name)
    return {}


def _read(words: str) -> object:
    try:
        return strict_json(words)
    except ValueError:
        if words.startswith("{") and words.endswith("}"):
            return read_json(words, only_one=True)
        raise
