"""Text to speech by a provider: ``/audio/speech`` of the OpenAI API (reference: Audio, Create speech).

Sound is asked for as PCM (24 kHz, 16-bit, mono) and given on as it arrives; a server that sends WAV all the same is
understood.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping

from companion.dialects import choose_dialect
from companion.dialects.contract import WireCall
from companion.dialects.urls import complete_url
from companion.errors import ModelMissing, WireBroken
from companion.model import JsonValue, Kind
from companion.providers.remote.http import HttpAnswer
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.spoken import SLICE_SECONDS, spoken_stream, words_to_say
from companion.settings.language import primary
from companion.stream import Blob, PulledStream, Stream, Text, pcm
from companion.stream.chunk import PcmFormat

PATH = "/v1/audio/speech"
RATE = 24_000
"""Of the PCM that the API sends."""
LONGEST_SECONDS = 300
"""Sound of one piece; no piece of a reply is as long."""
_FAULTS = "openai-completions"
_LONGEST_HEAD = 4096
"""Bytes before the sound of a WAV file."""
_WHOLE_NUMBER_PCM, _EXTENSIBLE = 1, 0xFFFE
_RATES = range(8_000, 192_001)
_MOST_CHANNELS = 2


class RemoteSynthesiser:
    """A Transformer: pieces of text in; each as a caption, then as sound, out. The words go to the provider.

    voices: the name of the voice for each language (BCP 47 tag); the first one says what has none of its own.
    language: of pieces that do not say theirs. speed: 1 is as made, 0.25 to 4.
    instructions: how it shall sound, for models that take them.
    """

    def __init__(
        self,
        line: ProviderLink,
        model: str,
        voices: Mapping[str, str],
        *,
        language: str = "",
        speed: float = 1.0,
        instructions: str = "",
    ) -> None:
        if not voices:
            raise ModelMissing("there is no voice", mend="name one in the settings")
        self._line = line
        self._model = model
        self._voices = {tag.replace("_", "-").lower(): voice for tag, voice in voices.items()}
        self._language = language
        self._speed = speed
        self._instructions = instructions
        self._dialect = choose_dialect(standard=_FAULTS)

    @property
    def name(self) -> str:
        return f"{self._line.endpoint.name}/{self._model}"

    @property
    def is_local(self) -> bool:
        """Whether what it says stays on this machine."""
        return self._line.endpoint.is_local

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self.speak)

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The sound of one piece as it comes. Closing it leaves the provider.

        Raises:
            MissingKey: there is no key; nothing was sent.
            ModelError: the provider could not be reached, refused or failed; or what it sent is no such sound.
            TimeoutError: it did not answer in time, or stopped.
        """
        answer, _ = await self._line.open(self._call(text), self._dialect, kinds=frozenset({Kind.TEXT}))
        sound = _Sound()
        try:
            while piece := await answer.next():
                for blob in sound.take(piece):
                    yield blob
            for blob in sound.rest(answer):
                yield blob
        finally:
            await answer.close()

    def _call(self, text: Text) -> WireCall:
        body: dict[str, JsonValue] = {
            "model": self._model,
            "input": words_to_say(text),
            "voice": self._voice_for(text.language or self._language),
            "response_format": "pcm",
        }
        if self._speed != 1.0:
            body["speed"] = self._speed
        if self._instructions:
            body["instructions"] = self._instructions
        url = complete_url(self._line.endpoint.door.base_url, PATH)
        return WireCall.of_json(url, body, {"accept": "audio/pcm, audio/wav"})

    def _voice_for(self, language: str) -> str:
        tag = language.replace("_", "-").lower()
        near = next((voice for known, voice in self._voices.items() if primary(known) == primary(tag)), "")
        return self._voices.get(tag) or near or next(iter(self._voices.values()))


class _Sound:
    """Cuts the bytes of one answer into slices of a tenth of a second."""

    def __init__(self) -> None:
        self._held = b""
        self._form: PcmFormat | None = None
        self._size = 0

    def take(self, piece: bytes) -> list[Blob]:
        self._size += len(piece)
        self._held += piece
        if self._form is None and not self._begin():
            return []
        return self._slices(is_last=False)

    def rest(self, answer: HttpAnswer) -> list[Blob]:
        """What is left. Half a sample is left out.

        Raises:
            WireBroken: there was no sound at all.
        """
        if self._form is None and self._held[:4] != b"RIFF":
            self._form = PcmFormat(RATE, 1)
        if self._form is None or self._size < 2:
            raise WireBroken(f"{answer.host} sent no sound")
        return self._slices(is_last=True)

    def _slices(self, *, is_last: bool) -> list[Blob]:
        assert self._form is not None
        rate, channels = self._form
        if self._size > LONGEST_SECONDS * rate * channels * 2:
            raise WireBroken(f"a piece of speech is longer than {LONGEST_SECONDS} s", retryable=False)
        frame = 2 * channels
        size = frame * int(rate * SLICE_SECONDS)
        end = len(self._held) // (frame if is_last else size) * (frame if is_last else size)
        blobs = [pcm(self._held[place : min(place + size, end)], rate, channels) for place in range(0, end, size)]
        self._held = self._held[end:]
        return blobs

    def _begin(self) -> bool:
        """Find out what kind of sound it is; False while that cannot be told."""
        if b"RIFF".startswith(self._held[:4]) and len(self._held) < 4:
            return False
        if self._held[:4] != b"RIFF":
            self._form = PcmFormat(RATE, 1)
            return True
        head = _wav_head(self._held)
        if head is None:
            if len(self._held) > _LONGEST_HEAD:
                raise WireBroken("a WAV file without its sound came for speech")
            return False
        self._form, place = head
        self._held = self._held[place:]
        return True


def _wav_head(data: bytes) -> tuple[PcmFormat, int] | None:
    """The format of a WAV file and where its sound begins; None while more of it is needed."""
    place, form = 12, None
    while place + 8 <= len(data):
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        place += 8
        if name == b"data":
            if form is None:
                raise WireBroken("a WAV file without its format came for speech")
            return form, place
        if name == b"fmt " and place + 16 <= len(data):
            form = _format_of(data[place : place + 16])
        place += size + size % 2
    return None


def _format_of(head: bytes) -> PcmFormat:
    kind, channels, rate, bits = (
        int.from_bytes(head[begin:end], "little") for begin, end in ((0, 2), (2, 4), (4, 8), (14, 16))
    )
    if kind not in (_WHOLE_NUMBER_PCM, _EXTENSIBLE) or bits != 16:
        raise WireBroken("speech came as WAV of a kind that is not understood", mend="set the server to 16-bit PCM")
    if rate not in _RATES or not 1 <= channels <= _MOST_CHANNELS:
        raise WireBroken(f"speech came as WAV of {rate} Hz in {channels} channels")
    return PcmFormat(rate, channels)
