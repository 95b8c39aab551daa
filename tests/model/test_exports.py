"""The room of models exports the chat model, and imports it when it is first asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import companion.model
from companion.model.chat import ChatModel

ASK = """
import sys
import companion.model
before = "companion.model.chat" in sys.modules
companion.model.ChatModel
print(before, "companion.model.chat" in sys.modules)
"""


def test_what_not_everybody_needs_is_imported_when_it_is_asked_for() -> None:
    told = subprocess.run([sys.executable, "-c", ASK], capture_output=True, check=True, text=True, timeout=60).stdout

    assert told.split() == ["False", "True"]
    assert companion.model.ChatModel is ChatModel


def test_what_is_not_exported_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Talker'"):
        companion.model.Talker  # noqa: B018
