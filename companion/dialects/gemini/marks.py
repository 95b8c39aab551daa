"""What Gemini alone can read of a message: the words under which it is kept, and what stands where it is missing.

Source: Gemini API, "Thought signatures" (ai.google.dev/gemini-api/docs/thought-signatures).
"""

from __future__ import annotations

import re
from typing import Final

NAME: Final = "gemini"
THOUGHT: Final = "thought"
WORDS: Final = "words"
"""The signature of words, a picture or nothing, which stands behind them."""
CALL: Final = "call"
PART: Final = "part"
"""A whole part, as JSON."""
NO_SIGNATURE: Final = "skip_thought_signature_validator"
"""In place of the signature of a call that another model made."""
_GENERATION = re.compile(r"gemini-(\d{1,4})")


def wants_signatures(model: str) -> bool:
    """Whether a model refuses calls that come back without their signature: from Gemini 3 on."""
    found = _GENERATION.search(model)
    return found is not None and int(found[1]) >= 3
