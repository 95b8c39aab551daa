"""The OpenAI Realtime protocol as a grammar: events of its server read, events of its client written.

Source: the API reference of OpenAI, "Realtime", client events and server events, as generally available since 2025.
"""

from companion.dialects.openai_realtime.events import (
    AnswerBegan,
    AnswerEnded,
    Called,
    Committed,
    Heard,
    Noted,
    Outcome,
    RealtimeEvent,
    Said,
    SessionReady,
    Sounded,
    Trouble,
    VoiceBegan,
    VoiceEnded,
    read_event,
)
from companion.dialects.openai_realtime.orders import (
    RATE,
    Order,
    RealtimeSettings,
    Turns,
    answer,
    append,
    cancel,
    clear,
    commit,
    item,
    session,
    truncate,
)
from companion.dialects.openai_realtime.recall import Recall

__all__ = [
    "RATE",
    "AnswerBegan",
    "AnswerEnded",
    "Called",
    "Committed",
    "Heard",
    "Noted",
    "Order",
    "Outcome",
    "RealtimeEvent",
    "RealtimeSettings",
    "Recall",
    "Said",
    "SessionReady",
    "Sounded",
    "Trouble",
    "Turns",
    "VoiceBegan",
    "VoiceEnded",
    "answer",
    "append",
    "cancel",
    "clear",
    "commit",
    "item",
    "read_event",
    "session",
    "truncate",
]
