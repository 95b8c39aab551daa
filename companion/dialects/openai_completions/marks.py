"""What only one provider of chat completions can read of an answer: the words under which it is kept."""

from typing import Final

NAME: Final = "openai-completions"
DETAIL: Final = "detail"
"""What OpenRouter keeps of a thought beside its text, as JSON: an entry of ``reasoning_details``."""
EXTRA: Final = "extra"
"""What Google keeps with a call, as JSON: its ``extra_content``."""
