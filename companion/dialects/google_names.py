"""What Google's protocols take for names: ai.google.dev/api/caching, "FunctionDeclaration"."""

from typing import Final

from companion.dialects.wire_names import WORD, Form, NameLimits

LIMITS: Final = NameLimits(Form(rf"{WORD}.:", 128, first="a-zA-Z_"))
