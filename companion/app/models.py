"""The models of this companion: chosen from the shelf, and made into what hears, thinks, speaks and judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.paths import Paths
from companion.catalog.choose import choose, language_in_words
from companion.catalog.machine import Machine, this_machine
from companion.catalog.manifest import Kind, Manifest
from companion.catalog.shelf import Shelf, bring_in_words
from companion.errors import ModelMissing, SettingsError
from companion.settings.schema import Settings

if TYPE_CHECKING:
    from companion.audio.turn_end import SmartTurn
    from companion.providers.local.faster_whisper import WhisperRecogniser
    from companion.providers.local.llama_cpp import LlamaGenerator
    from companion.providers.local.piper import PiperSynthesiser, Speaker
    from companion.providers.local.static_embed import StaticEmbedding

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class ModelRoom:
    """Builds the models a user has chosen, from what is on the shelf. Nothing is loaded here."""

    settings: Settings
    paths: Paths
    shelf: Shelf
    machine: Machine

    @classmethod
    def of(cls, settings: Settings, paths: Paths, shelf: Shelf) -> ModelRoom:
        return cls(settings, paths, shelf, this_machine())

    @property
    def language(self) -> str:
        return self.settings.general.language

    @property
    def threads(self) -> int:
        return self.settings.models.threads or self.machine.cores

    def manifest(self, kind: Kind, *, language: str = "") -> Manifest:
        """The model of that kind: the one the settings name, else the best for the machine and the language.

        language: in place of the user's own.

        Raises:
            SettingsError: the settings name a model that is none of that kind.
            ModelMissing: no model knows the language.
        """
        name = self._named(kind)
        if name == AUTO:
            return choose(
                kind, language or self.language, self.machine, self.shelf.manifests, self.shelf.names()
            ).manifest
        found = self.shelf.manifests.get(name)
        if found is None or found.kind is not kind:
            field = _FIELDS[kind]
            raise SettingsError(
                f"{self.paths.settings_file}: {field} is {name!r}, which is no {_words(kind)}",
                file=str(self.paths.settings_file),
                field=field,
                mend=f"Choose one of {', '.join(self._names(kind))}, or {AUTO}.",
            )
        return found

    def recogniser(self, *, language: str = "", translate: bool = False) -> WhisperRecogniser:
        """What hears.

        translate: whether it writes in English what is said in another language.

        Raises:
            ModelMissing: it is not on the shelf.
            ChecksumMismatch: its bytes are wrong.
            SettingsError: the settings name something else.
        """
        from companion.providers.local.faster_whisper import WhisperRecogniser

        # What knows one language cannot translate.
        manifest = self.manifest(Kind.RECOGNISER, language=AUTO if translate else "")
        return WhisperRecogniser(
            self.shelf.folder(manifest.name),
            language=language or self.language,
            translate=translate,
            threads=self.threads,
            idle_unload=self.settings.models.idle_unload,
        )

    def language_model(self) -> LlamaGenerator:
        """What thinks. Raises as ``recogniser`` does."""
        from companion.providers.local.llama_cpp import LlamaGenerator

        manifest = self.manifest(Kind.LANGUAGE_MODEL)
        return LlamaGenerator(
            only_file(self.shelf.folder(manifest.name), manifest, ".gguf"),
            context_tokens=self.settings.models.context_tokens,
            threads=self.threads,
            idle_unload=self.settings.models.idle_unload,
        )

    def voice(self, otherwise: Speaker | None = None) -> PiperSynthesiser:
        """What speaks: every voice on the shelf, each for its languages.

        otherwise: says what they cannot.

        Raises:
            ModelMissing: there is none.
            ChecksumMismatch: the bytes of one are wrong.
            SettingsError: the settings name something else.
        """
        from companion.providers.local.piper import PiperSynthesiser

        return PiperSynthesiser(
            self.voices(),
            language="" if self.language == AUTO else self.language,
            otherwise=otherwise,
            speed=self.settings.models.speed,
            threads=self.threads,
            idle_unload=self.settings.models.idle_unload,
        )

    def voices(self) -> Mapping[str, Path]:
        """The file of the voice for each language there is one for. Raises as ``voice`` does."""
        here = [self.shelf.manifests[name] for name in self.shelf.names()]
        ranked = sorted((found for found in here if found.kind is Kind.VOICE), key=lambda found: found.rank)
        if self._named(Kind.VOICE) != AUTO:
            ranked.append(self.manifest(Kind.VOICE))
        if not ranked:
            wanted = self.manifest(Kind.VOICE)
            raise ModelMissing(
                f"there is no voice on the shelf for {language_in_words(self.language)}",
                mend=bring_in_words([wanted.name]),
            )
        return {
            language: only_file(self.shelf.folder(voice.name), voice, ".onnx")
            for voice in ranked
            for language in voice.languages
        }

    def turn_judge(self) -> SmartTurn:
        """What says whether a sentence sounds complete. Raises as ``recogniser`` does."""
        from companion.audio.turn_end import SmartTurn

        manifest = self.manifest(Kind.TURN_JUDGE)
        return SmartTurn(only_file(self.shelf.folder(manifest.name), manifest, ".onnx"))

    def embedding(self) -> StaticEmbedding:
        """What finds texts by their meaning. Raises as ``recogniser`` does."""
        from companion.providers.local.static_embed import StaticEmbedding

        manifest = self.manifest(Kind.EMBEDDER)
        return StaticEmbedding(self.shelf.folder(manifest.name), idle_unload=self.settings.models.idle_unload)

    def _named(self, kind: Kind) -> str:
        models = self.settings.models
        match kind:
            case Kind.RECOGNISER:
                return models.recogniser
            case Kind.LANGUAGE_MODEL:
                return models.language_model
            case Kind.VOICE:
                return models.voice
            case Kind.TURN_JUDGE | Kind.EMBEDDER:
                return AUTO

    def _names(self, kind: Kind) -> list[str]:
        return [name for name, manifest in self.shelf.manifests.items() if manifest.kind is kind]


_FIELDS = {
    Kind.RECOGNISER: "models.recogniser",
    Kind.LANGUAGE_MODEL: "models.language_model",
    Kind.VOICE: "models.voice",
}


def _words(kind: Kind) -> str:
    return kind.replace("-", " ")


def only_file(folder: Path, manifest: Manifest, suffix: str) -> Path:
    """The file of a model that ends so; there is one."""
    (name,) = [file.name for file in manifest.files if file.name.endswith(suffix)]
    return folder / name
