"""What the Messages API alone can read of a message: the words under which it is kept."""

from typing import Final

NAME: Final = "anthropic"
SIGNATURE: Final = "signature"
REDACTED: Final = "redacted"
BLOCK: Final = "block"
"""Of a tool that the provider runs itself, as JSON."""
