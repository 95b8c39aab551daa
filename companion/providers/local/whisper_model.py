"""One loaded Whisper model, and how a recording becomes text at a third of the library's time.

The library pads every recording to 30 seconds, and the encoder's time grows with that. Here it gets
what was voiced, padded to 10 seconds. Short contexts make Whisper run in circles now and then, so
each text is checked, and only a doubtful one is decoded again: first from the same encoding with
repeated phrases forbidden, then on the full 30 seconds. The better one by the same check is kept.
(Forbidding repetition always would forbid "a little bit of milk and a little bit of sugar".)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import ctranslate2
import numpy as np
import tokenizers

from companion.errors import Unsupported
from companion.providers.local.doubt import is_phantom, runs_in_circles
from companion.providers.local.log_mel import FRAMES_PER_SECOND, RATE, Floats, LogMel
from companion.providers.local.voiced import FRAME, FRAME_SECONDS, VoiceFinder
from companion.settings.language import AUTO, primary

SHORT_SECONDS = 10
"""Context that short recordings are padded to. With 8 seconds one-word orders begin to run in circles."""
FULL_SECONDS = 30
"""Context the model was trained with."""

_MARGIN = 0.3
"""Seconds kept around what is voiced."""
_ROOM = 1.0
"""Seconds of silence kept behind longer speech."""
_LONGEST_WINDOW = 28.0
_SHORTEST_WINDOW = 20.0
_VOICED = 0.5
"""Silero's probability from which a frame counts as voiced."""
_HARDLY_VOICED = 0.1
"""Seconds of voice below which nobody spoke."""
_ONE_WORD = 1.5
"""Seconds of voice up to which repeating three tokens is a circle, not speech."""
_BEAM, _FULL_BEAM = 3, 5
_DOUBTFUL_LOGPROB = -1.0
_SILENT = 0.6
"""Probability of no speech from which a phantom phrase is not believed."""
_SPOKEN_FOR_SURE = 0.6
"""Confidence from which a phantom phrase with enough voice behind it is believed."""
_PHANTOM_VOICE = 0.35
"""Seconds of voice that the shortest of those phrases takes."""
# Tokens people get into a second at their fastest; scripts that Whisper spells in bytes take up to three a letter.
_ENGLISH_RATE, _OTHER_RATE, _SPARE_TOKENS = 8.0, 25.0, 12
_MOST_TOKENS = 220

_PULL_ANOTHER = "pull one for all languages: companion models pull whisper-base"

# Tags that Whisper knows by another name.
_ALIASES = {"nb": "no", "iw": "he", "in": "id", "fil": "tl", "jv": "jw", "cmn": "zh"}


@dataclass(frozen=True, slots=True)
class Heard:
    """What a recording says, and the language it is said in. confidence: 0 to 1, the geometric mean over its tokens."""

    text: str
    language: str
    confidence: float


@dataclass(frozen=True, slots=True)
class _Guess:
    """One decoding of one window."""

    text: str
    logprob: float
    no_speech: float
    was_cut: bool

    @property
    def in_circles(self) -> bool:
        return self.was_cut or runs_in_circles(self.text)

    @property
    def is_doubtful(self) -> bool:
        return self.in_circles or not self.text or self.logprob < _DOUBTFUL_LOGPROB

    @property
    def rank(self) -> tuple[bool, bool, float]:
        return bool(self.text), not self.in_circles, self.logprob


class WhisperModel:
    """Belongs to one thread.

    folder: CTranslate2's files. threads: 0 takes all cores. language: what is spoken, a tag or "auto".
    translate: whether what is spoken is written in English.

    Raises:
        Unsupported: the model does not know the language, or cannot translate.
    """

    def __init__(self, folder: Path, *, language: str, threads: int, translate: bool = False) -> None:
        self._tokens = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._model = ctranslate2.models.Whisper(
            str(folder), device="cpu", compute_type="int8", intra_threads=threads, inter_threads=1
        )
        self._multilingual: bool = self._model.is_multilingual
        self._mel = LogMel(self._model.n_mels)
        self._find_voice = VoiceFinder()
        self._end = self._id("<|endoftext|>")
        self._prompts: dict[str, list[int]] = {}
        if translate and not self._multilingual:
            raise Unsupported("this recogniser understands only English and cannot translate", mend=_PULL_ANOTHER)
        self._translate = translate
        self._fixed = "" if language == AUTO and self._multilingual else self._known(language)

    def warm_up(self) -> None:
        """Run each part once; the first run is slower than those after it."""
        silence = np.zeros(RATE, np.float32)
        self._find_voice(silence + 0.01)
        self._decode(self._encode(silence, SHORT_SECONDS), self._fixed or "en", 2, beam=_BEAM, forbid=0)

    def close(self) -> None:
        """Free the weights; the object cannot be used afterwards."""
        self._model.unload_model()

    def hear(self, sound: Floats, check: Callable[[], None]) -> Heard:
        """Recognise speech (16 kHz, -1 to 1, at most some minutes). ``check`` is called between steps and may raise."""
        voice = self._find_voice(sound)
        check()
        voiced = np.flatnonzero(voice > _VOICED)
        if len(voiced) * FRAME_SECONDS < _HARDLY_VOICED:
            return Heard("", self._fixed, 0.0)
        language = self._fixed
        guesses: list[_Guess] = []
        for first, last in _windows(voice, int(voiced[0]), int(voiced[-1]) + 1):
            margin = int(_MARGIN * RATE)
            window = sound[max(first * FRAME - margin, 0) : last * FRAME + margin]
            seconds = float((voice[first:last] > _VOICED).sum()) * FRAME_SECONDS
            guess, language = self._hear_window(window, seconds, language, check)
            guesses.append(guess)
        return _joined(guesses, language)

    def _hear_window(
        self, sound: Floats, voiced: float, language: str, check: Callable[[], None]
    ) -> tuple[_Guess, str]:
        seconds = min(max(SHORT_SECONDS, math.ceil(len(sound) / RATE + _ROOM)), FULL_SECONDS)
        encoding = self._encode(sound, seconds)
        check()
        language = language or self._detect(encoding)
        one_word = voiced <= _ONE_WORD
        limit = self._most_tokens(len(sound) / RATE, language)
        guess = self._decode(encoding, language, limit, beam=_BEAM, forbid=3 if one_word else 0)
        check()
        if guess.in_circles and not one_word:
            guess = max(guess, self._decode(encoding, language, limit, beam=_BEAM, forbid=3), key=_rank)
            check()
        if guess.is_doubtful and seconds < FULL_SECONDS:
            encoding = self._encode(sound, FULL_SECONDS)
            check()
            guess = max(guess, self._decode(encoding, language, limit, beam=_FULL_BEAM, forbid=0), key=_rank)
        return (_nothing(guess) if _is_made_up(guess, voiced) else guess), language

    def _encode(self, sound: Floats, seconds: int) -> ctranslate2.StorageView:
        features = self._mel(sound, seconds * FRAMES_PER_SECOND)
        return self._model.encode(ctranslate2.StorageView.from_array(features[np.newaxis]))

    def _detect(self, encoding: ctranslate2.StorageView) -> str:
        mark, _ = self._model.detect_language(encoding)[0][0]
        return str(mark).strip("<|>")

    def _decode(
        self, encoding: ctranslate2.StorageView, language: str, limit: int, *, beam: int, forbid: int
    ) -> _Guess:
        result = self._model.generate(
            encoding,
            [self._prompt(language)],
            beam_size=beam,
            no_repeat_ngram_size=forbid,
            # Half of it is what the library allows as new tokens.
            max_length=2 * limit,
            return_scores=True,
            return_no_speech_prob=True,
        )[0]
        tokens = result.sequences_ids[0]
        text = self._tokens.decode([token for token in tokens if token < self._end]).strip()
        # The score is the mean over the tokens without the one that ends them.
        logprob = result.scores[0] * len(tokens) / (len(tokens) + 1)
        return _Guess(text, logprob, result.no_speech_prob, was_cut=len(tokens) >= limit)

    def _prompt(self, language: str) -> list[int]:
        if language not in self._prompts:
            marks = ["<|startoftranscript|>"]
            if self._multilingual:
                marks += [f"<|{language}|>", "<|translate|>" if self._translate else "<|transcribe|>"]
            self._prompts[language] = [self._id(mark) for mark in (*marks, "<|notimestamps|>")]
        return self._prompts[language]

    def _id(self, mark: str) -> int:
        number = self._tokens.token_to_id(mark)
        if number is None:
            raise Unsupported(f"the tokenizer has no {mark}", mend="use a Whisper model made for CTranslate2")
        return int(number)

    def _known(self, language: str) -> str:
        tag = primary(language)
        tag = _ALIASES.get(tag, tag)
        if not self._multilingual:
            if tag not in ("en", AUTO):
                raise Unsupported(
                    f'this recogniser understands only English, not "{language}"',
                    mend=_PULL_ANOTHER,
                )
            return "en"
        if self._tokens.token_to_id(f"<|{tag}|>") is None:
            raise Unsupported(f'this recogniser does not know the language "{language}"', mend='set language to "auto"')
        return tag

    @staticmethod
    def _most_tokens(seconds: float, language: str) -> int:
        rate = _ENGLISH_RATE if language == "en" else _OTHER_RATE
        return min(int(seconds * rate) + _SPARE_TOKENS, _MOST_TOKENS)


def _rank(guess: _Guess) -> tuple[bool, bool, float]:
    return guess.rank


def _nothing(guess: _Guess) -> _Guess:
    return _Guess("", guess.logprob, guess.no_speech, was_cut=False)


def _is_made_up(guess: _Guess, voiced: float) -> bool:
    if guess.in_circles and guess.no_speech > _SILENT:
        return True
    return is_phantom(guess.text) and (
        guess.no_speech > _SILENT or math.exp(guess.logprob) < _SPOKEN_FOR_SURE or voiced < _PHANTOM_VOICE
    )


def _windows(voice: Floats, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Cut frames ``first`` to ``last`` into windows the model can hear whole, at their quietest places."""
    longest, shortest = int(_LONGEST_WINDOW / FRAME_SECONDS), int(_SHORTEST_WINDOW / FRAME_SECONDS)
    while last - first > longest:
        cut = first + shortest + int(np.argmin(voice[first + shortest : first + longest]))
        yield first, cut
        first = cut
    yield first, last


def _joined(guesses: list[_Guess], language: str) -> Heard:
    told = [guess for guess in guesses if guess.text]
    if not told:
        return Heard("", language, 0.0)
    logprob = sum(guess.logprob for guess in told) / len(told)
    return Heard(" ".join(guess.text for guess in told), language, math.exp(min(logprob, 0.0)))
