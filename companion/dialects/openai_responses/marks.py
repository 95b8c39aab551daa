"""What the Responses API alone can read of an answer: the words under which it is kept."""

from typing import Final

NAME: Final = "openai-responses"
REASONING: Final = "reasoning"
"""The id of a thought, a blank, and the thought as only OpenAI can read it."""
ITEM: Final = "item"
"""Of a tool that the provider runs itself, as JSON."""
PHASE: Final = "phase"
"""Of the message behind it: newer models want to be told it again."""
