"""Pure grammars of provider protocols: encode a request, decode wire events.

Holds no sockets, clocks or retries.
"""

from companion.dialects.answer import AnswerReader
from companion.dialects.contract import Decoder, Dialect, Framing, WireEvent, WireRequest
from companion.dialects.registry import choose_dialect, dialects, register_dialect
from companion.dialects.urls import complete_url

__all__ = [
    "AnswerReader",
    "Decoder",
    "Dialect",
    "Framing",
    "WireEvent",
    "WireRequest",
    "choose_dialect",
    "complete_url",
    "dialects",
    "register_dialect",
]
