"""What the Interactions API alone can read of a message: the words under which it is kept."""

from typing import Final

NAME: Final = "google-interactions"
THOUGHT: Final = "thought"
CALL: Final = "call"
STEP: Final = "step"
"""A whole step of one of Google's own tools, as JSON."""
