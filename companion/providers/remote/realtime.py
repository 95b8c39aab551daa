"""Speech to speech by a provider: the OpenAI Realtime protocol as a Transformer.

Laws:

1. Each call has a session of its own; closing its stream closes the line.
2. The user's begins and ends pass, and so does what was typed; sound goes to the provider. An answer has a route of
   its own: the words of its sound and the sound as they come, and the tools it calls.
3. A new route of the user's, or a voice that the server hears, interrupts the answer: what nobody pulled is dropped,
   the provider leaves off, and it is told how much was really heard.
4. A line that breaks is made again, and the conversation is put back. An answer of which something came out already
   ends with the error; one of which nothing came is asked for again. Nothing is said twice.
5. Every call of a tool gets one result, whatever becomes of it.
6. Every wait has a deadline, and everything that is kept is bounded.
"""

from __future__ import annotations

from companion.providers.remote.realtime_answers import Hearing
from companion.providers.remote.realtime_call import RealtimeCall
from companion.providers.remote.realtime_plan import RealtimePlan
from companion.stream import PulledStream, Stream

MOST_UNREAD = 32 << 20
"""Bytes that may wait for the reader: ten minutes of speech. Beyond, the stream fails."""


class RealtimeSpeech:
    """A Transformer: PCM of the user (any rate) and typed text in; the answers' words and 24 kHz PCM out.

    heard: how much of an answer somebody has really heard; None takes what was pulled.
    most_unread: bytes that may wait for the reader.
    """

    def __init__(self, plan: RealtimePlan, *, heard: Hearing | None = None, most_unread: int = MOST_UNREAD) -> None:
        self._plan = plan
        self._heard = heard
        self._most_unread = most_unread

    @property
    def name(self) -> str:
        return f"{self._plan.endpoint.name}/{self._plan.model}"

    @property
    def is_local(self) -> bool:
        """Whether what it hears stays on this machine."""
        return self._plan.endpoint.is_local

    async def transform(self, source: Stream) -> PulledStream:
        call = RealtimeCall(self._plan, source, self._heard, self._most_unread)
        stream: PulledStream = PulledStream(call.read(lambda state: stream.finish(state)), source, call.stream)
        return stream
