"""Speech to text by a provider: ``/audio/transcriptions`` of the OpenAI API (reference: Audio, Create transcription).

Many servers for one's own machine speak it too. The sound travels as WAV, made in memory; no file is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from companion.dialects import choose_dialect
from companion.dialects.contract import WireCall
from companion.dialects.form import FormPart, form_of
from companion.dialects.urls import complete_url
from companion.errors import WireBroken
from companion.model import JsonValue, Kind
from companion.model.plain import whole_letters
from companion.providers.heard import TaskHearing, check_length, heard_stream
from companion.providers.remote.provider_link import ProviderLink
from companion.settings.language import AUTO, primary
from companion.stream import Stream, Text
from companion.stream.threads import finish_in_thread
from companion.stream.wav import wav
from companion.voice.contract import RATE

PATH = "/v1/audio/transcriptions"
_FAULTS = "openai-completions"
"""The dialect in which it tells of failures."""
_QUIETEST = 33
"""Peak of 16-bit samples (-60 dBFS) below which there is nothing worth sending."""
_SHORT_TAG = 3
_LEAST_ODD = -100.0
"""Below, a logarithm is as good as that of nothing."""


class RemoteRecogniser:
    """A Transformer as ``heard_stream`` has it: PCM of a route in, its words out. Sound goes to the provider.

    language: a BCP 47 tag, or "auto" to let the provider find out. prompt: names and words that are to be expected.
    is_detailed: ask for language and confidence (``verbose_json``), which not every model gives.
    has_voice: whether 16 kHz sound is worth hearing, called on a thread; nothing else is sent.
    """

    def __init__(
        self,
        line: ProviderLink,
        model: str,
        *,
        language: str = AUTO,
        prompt: str = "",
        is_detailed: bool = False,
        has_voice: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._line = line
        self._model = model
        self._language = language
        self._prompt = prompt
        self._form = "verbose_json" if is_detailed else "json"
        self._has_voice = has_voice or is_audible
        self._dialect = choose_dialect(standard=_FAULTS)

    @property
    def name(self) -> str:
        return f"{self._line.endpoint.name}/{self._model}"

    @property
    def is_local(self) -> bool:
        """Whether what it hears stays on this machine."""
        return self._line.endpoint.is_local

    async def transform(self, source: Stream) -> Stream:
        return heard_stream(source, TaskHearing(self.hear))

    async def hear(self, sound: bytes) -> Text:
        """Recognise 16 kHz mono sound that is already there. Sound without a voice is not sent.

        Raises:
            Unsupported: it is longer than a route may be.
            MissingKey: there is no key; nothing was sent.
            ModelError: the provider could not be reached, refused or failed.
            TimeoutError: it did not answer in time.
        """
        check_length(len(sound))
        if not await finish_in_thread(lambda: self._has_voice(sound)):
            return Text("", self._tag)
        fields = {"model": self._model, "response_format": self._form, "language": primary(self._tag)}
        if self._prompt:
            fields["prompt"] = self._prompt
        url = complete_url(self._line.endpoint.door.base_url, PATH)
        call = await finish_in_thread(lambda: _posted(url, fields, sound))
        return await self._line.ask(call, self._dialect, self._read, kinds=frozenset({Kind.AUDIO}))

    @property
    def _tag(self) -> str:
        return "" if self._language == AUTO else self._language

    def _read(self, answer: JsonValue) -> Text:
        text = answer.get("text") if isinstance(answer, Mapping) else None
        if not isinstance(answer, Mapping) or not isinstance(text, str):
            raise WireBroken("a transcription came without its text")
        words = whole_letters(text).strip()
        return Text(words, self._language_of(answer.get("language")), _confidence(answer) if words else None)

    def _language_of(self, told: JsonValue) -> str:
        # Some write the name of the language there.
        is_tag = isinstance(told, str) and len(primary(told)) <= _SHORT_TAG
        return self._tag or (whole_letters(str(told)) if is_tag else "")


def is_audible(sound: bytes) -> bool:
    """Whether 16-bit sound is anything but silence."""
    import numpy as np

    samples = np.frombuffer(sound, "<i2", count=len(sound) // 2)
    return bool(len(samples)) and int(np.abs(samples.astype(np.int32)).max()) >= _QUIETEST


def _posted(url: str, fields: Mapping[str, str], sound: bytes) -> WireCall:
    parts = [FormPart(name, whole_letters(value).encode()) for name, value in fields.items() if value]
    body, kind = form_of([*parts, FormPart("file", wav(sound, RATE), "speech.wav", "audio/wav")])
    return WireCall("POST", url, body, {"content-type": kind})


def _confidence(answer: Mapping[str, Any]) -> float | None:
    """0 to 1, the geometric mean over the tokens, where the provider tells of them or of its segments."""
    match answer:
        case {"logprobs": [*told]}:
            odds = [one.get("logprob") for one in told if isinstance(one, dict)]
        case {"segments": [*told]}:
            odds = [one.get("avg_logprob") for one in told if isinstance(one, dict)]
        case _:
            return None
    known = [max(odd, _LEAST_ODD) for odd in odds if isinstance(odd, int | float) and odd <= 0]
    return math.exp(sum(known) / len(known)) if known else None
