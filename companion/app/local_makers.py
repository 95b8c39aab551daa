"""Models of this machine, made as an entry of a configuration file describes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.models import ModelRoom, only_file
from companion.catalog.manifest import Kind
from companion.compose.loader import Entry, Fields, ModelType
from companion.errors import ModelMissing, ShelfError

if TYPE_CHECKING:
    from companion.providers.local.faster_whisper import WhisperRecogniser
    from companion.providers.local.llama_cpp import LlamaGenerator
    from companion.providers.local.piper import PiperSynthesiser

LOCAL_SUBJECTS = {
    (ModelType.GENERATOR, "llama_cpp"): ("chat",),
    (ModelType.ASR, "faster_whisper"): ("transcribe", "translate"),
    (ModelType.TTS, "piper"): ("speak",),
}
"""By type and provider."""
_LONGEST_IDLE = 86_400.0
_FEWEST_TOKENS = 512


class LocalMakers:
    """Makes providers of this machine; what an entry leaves open is as in the settings. Nothing is loaded.

    A model is named as on the shelf, or by a path: absolute, or from the folder of its file as ``./model.gguf``.
    """

    def __init__(self, room: ModelRoom) -> None:
        self._room = room

    def language_model(self, entry: Entry) -> LlamaGenerator:
        """``llama_cpp/chat``: a GGUF file.

        Raises:
            ModelConfigError: a field cannot be used, as with all of these.
        """
        from companion.providers.local.llama_cpp import LlamaGenerator

        params = _params(entry)
        context_tokens = params.whole("context_tokens", low=_FEWEST_TOKENS)
        threads, idle_unload = self._threads(params), self._idle_unload(params)
        params.close()
        return LlamaGenerator(
            self._file(entry, "model", entry.model, Kind.LANGUAGE_MODEL, ".gguf"),
            context_tokens=context_tokens or self._room.settings.models.context_tokens,
            threads=threads,
            idle_unload=idle_unload,
        )

    def recogniser(self, entry: Entry) -> WhisperRecogniser:
        """``faster_whisper/transcribe``, or ``faster_whisper/translate`` into English: a folder of CTranslate2's."""
        from companion.providers.local.faster_whisper import WhisperRecogniser

        params = _params(entry)
        language = params.text("language")
        threads, idle_unload = self._threads(params), self._idle_unload(params)
        params.close()
        return WhisperRecogniser(
            self._folder(entry),
            language=language or self._room.language,
            translate=entry.schema.subject == "translate",
            threads=threads,
            idle_unload=idle_unload,
        )

    def voice(self, entry: Entry) -> PiperSynthesiser:
        """``piper/speak``: an ONNX file with its settings beside it."""
        from companion.providers.local.piper import PiperSynthesiser

        params = _params(entry)
        speed, variation = params.number("speed", 0.5, 2), params.number("variation", 0, 1)
        threads, idle_unload = self._threads(params), self._idle_unload(params)
        params.close()
        file = self._file(entry, "voice_id", entry.voice, Kind.VOICE, ".onnx")
        return PiperSynthesiser(
            {_language(entry, file): file},
            speed=self._room.settings.models.speed if speed is None else speed,
            variation=1.0 if variation is None else variation,
            threads=threads,
            idle_unload=idle_unload,
        )

    def _threads(self, params: Fields) -> int:
        return params.whole("threads", low=1) or self._room.threads

    def _idle_unload(self, params: Fields) -> float:
        seconds = params.number("idle_unload", 0, _LONGEST_IDLE)
        return self._room.settings.models.idle_unload if seconds is None else seconds

    def _file(self, entry: Entry, field: str, name: str, kind: Kind, suffix: str) -> Path:
        if not _is_path(name):
            return only_file(self._on_shelf(entry, field, name, kind), self._room.shelf.manifest(name), suffix)
        file = entry.folder / Path(name).expanduser()
        if file.suffix != suffix or not file.is_file():
            raise entry.wrong(field, f"names {file}, which is no file that ends in {suffix}")
        return file

    def _folder(self, entry: Entry) -> Path:
        if not entry.model:
            raise entry.wrong("model", "is missing", "Name a recogniser as on the shelf, or a folder.")
        if not _is_path(entry.model):
            return self._on_shelf(entry, "model", entry.model, Kind.RECOGNISER)
        folder = entry.folder / Path(entry.model).expanduser()
        if not (folder / "model.bin").is_file():
            raise entry.wrong("model", f"names {folder}, which holds no model.bin")
        return folder

    def _on_shelf(self, entry: Entry, field: str, name: str, kind: Kind) -> Path:
        known = [each.name for each in self._room.shelf.manifests.values() if each.kind is kind]
        if name not in known:
            mend = f"Choose one of {', '.join(known)}, or write a path as ./file."
            raise entry.wrong(field, f"is {name[:60]!r}, which is no {kind.replace('-', ' ')}", mend)
        try:
            return self._room.shelf.folder(name)
        except (ModelMissing, ShelfError) as error:
            raise entry.wrong(field, f"cannot be used: {error}", error.mend) from error


def _params(entry: Entry) -> Fields:
    return Fields(entry.default_params, entry.file, "default_params")


def _is_path(name: str) -> bool:
    return "/" in name or name.startswith(("~", "."))


def _language(entry: Entry, voice: Path) -> str:
    """The language that the settings of a voice say it speaks."""
    settings = Path(f"{voice}.json")
    try:
        return str(json.loads(settings.read_text(encoding="utf-8"))["language"]["code"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise entry.wrong("voice_id", f"needs {settings}, which is not there or names no language") from error
