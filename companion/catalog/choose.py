"""Which model fits this machine and this language, and why, in one sentence.

A model on the shelf beats a better one that is not: it works now. The better one is told of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import assert_never

from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind, Manifest
from companion.errors import ModelMissing
from companion.settings.language import AUTO, primary

_LANGUAGES = {
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "hi": "Hindi", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """A model, the sentence that explains it, and a better one that is worth a pull, if there is one."""

    manifest: Manifest
    why: str
    better: Manifest | None = None


def starter_set(machine: Machine, language: str) -> tuple[str, ...]:
    """The models to begin with: what is heard, said and thought, and whether a sentence is over.

    language: a tag as ``en``, or ``auto``. A Raspberry Pi hears English with the smallest model.
    """
    english = primary(language) == "en"
    recogniser = "whisper-tiny.en" if machine.is_pi and english else "whisper-base"
    return (recogniser, "piper-en_US-joe-medium", "smollm2-135m", "smart-turn-v3.2")


def choose(
    kind: Kind,
    language: str,
    machine: Machine,
    manifests: Mapping[str, Manifest],
    on_shelf: Collection[str],
) -> Choice:
    """Choose a model of a kind.

    language: a tag as ``en`` or ``zh-CN``, or ``auto``.
    on_shelf: the names of the models that are there.

    Raises:
        ModelMissing: no model of that kind knows the language.
    """
    of_kind = [manifest for manifest in manifests.values() if manifest.kind is kind]
    # "auto" narrows only what hears: a voice or a model is chosen by what was heard.
    if language != AUTO or kind is Kind.RECOGNISER:
        fluent = [manifest for manifest in of_kind if manifest.speaks(language)]
    else:
        fluent = of_kind
    here = [manifest for manifest in fluent if manifest.name in on_shelf]
    if not here and kind is Kind.LANGUAGE_MODEL:
        # A model answers in a language it hardly knows better than not at all; a recogniser or a voice does not.
        here = [manifest for manifest in of_kind if manifest.name in on_shelf]
    if not fluent and not here:
        raise _none(kind, language)
    best = _best(fluent, machine) if fluent else None
    if here:
        return _from_shelf(_best(here, machine), best, language, machine)
    assert best is not None
    return Choice(best, f"{best.name}: {_fit(best, machine)} and {_talent(best)}")


def _best(manifests: list[Manifest], machine: Machine) -> Manifest:
    """The best one that is comfortable here; where none is, the lightest."""
    comfortable = [manifest for manifest in manifests if is_comfortable(manifest, machine)]
    if comfortable:
        return max(comfortable, key=lambda manifest: manifest.rank)
    return min(manifests, key=lambda manifest: manifest.memory_mb)


def is_comfortable(manifest: Manifest, machine: Machine) -> bool:
    """Whether the machine has the memory for it and keeps up with speech."""
    return machine.memory_mb >= manifest.machine_mb and machine.pc_cores >= manifest.cores


def _from_shelf(here: Manifest, best: Manifest | None, language: str, machine: Machine) -> Choice:
    if best is None or best is here:
        return Choice(here, f"{here.name}: {_fit(here, machine)} and {_talent(here)}")
    pull = f"companion models pull {best.name}"
    if language != AUTO and not here.speaks(language):
        why = f"{here.name} is on the shelf but does not know {language_in_words(language)}; {best.name} does: {pull}"
        return Choice(here, why, best)
    if not is_comfortable(best, machine) or (is_comfortable(here, machine) and here.rank >= best.rank):
        return Choice(here, f"{here.name}: {_fit(here, machine)} and {_talent(here)}")
    return Choice(here, f"{here.name} is on the shelf; {best.name} fits this machine better: {pull}", best)


def _fit(manifest: Manifest, machine: Machine) -> str:
    if is_comfortable(manifest, machine):
        return f"fits {machine.memory_gb} GB"
    return f"is the lightest, though slow on this machine ({machine.memory_gb} GB, {machine.cores} cores),"


def _talent(manifest: Manifest) -> str:
    known = manifest.languages
    what = language_in_words(known[0]) if len(known) == 1 else f"{len(known)} languages"
    match manifest.kind:
        case Kind.RECOGNISER:
            return f"hears {what}"
        case Kind.VOICE:
            return f"speaks {what}"
        case Kind.LANGUAGE_MODEL:
            return f"answers in {what}"
        case Kind.TURN_JUDGE:
            return f"knows the melody of {what}"
        case Kind.EMBEDDER:
            return f"finds by meaning in {what}"
        case _:
            assert_never(manifest.kind)


def language_in_words(language: str) -> str:
    """What a language is called; its tag where nobody knows."""
    return _LANGUAGES.get(primary(language), language)


def _none(kind: Kind, language: str) -> ModelMissing:
    match kind:
        case Kind.VOICE:
            mend = "Install espeak-ng, which then speaks it."
        case Kind.RECOGNISER | Kind.LANGUAGE_MODEL:
            mend = "Set general.language to another; `companion models list --json` shows what each model knows."
        case Kind.TURN_JUDGE:
            mend = "Nothing to do: silence and words then tell when a turn is over."
        case Kind.EMBEDDER:
            mend = "Nothing to do: texts are then found by their words."
        case _:
            assert_never(kind)
    return ModelMissing(f"no {kind.replace('-', ' ')} in the catalogue knows {language_in_words(language)}", mend=mend)
