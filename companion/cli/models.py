"""``companion models``: see, bring, check and remove the models on the shelf, and check files that configure them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.model_folder import Entry, Unready
    from companion.app.shelf import FileReport, Manifest, Shelf

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Names = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Models by name, as whisper-base.")]


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """Show all models, which are here, and which fit."""
    from companion.app.shelf import build_shelf, choices, spoken_language, this_machine

    shelf, machine, language = build_shelf(), this_machine(), spoken_language()
    chosen = choices(shelf, machine, language)
    if as_json:
        used = {choice.manifest.name: choice.why for choice in chosen}
        models = [{**_entry(shelf, manifest), "why": used.get(name)} for name, manifest in shelf.manifests.items()]
        show.document(
            {"shelf": str(shelf.root), "memory_mb": machine.memory_mb, "cores": machine.cores, "models": models}
        )
        return
    for manifest in sorted(shelf.manifests.values(), key=lambda each: (each.kind, each.rank)):
        _list_line(shelf, manifest)
    show.line("")
    for choice in chosen:
        show.line(choice.why)


@app.command()
def pull(
    names: Names = None,
    stick: Annotated[
        Path | None, typer.Option("--from", metavar="FOLDER", help="Take the files from a folder, in any order there.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Fill a folder for another machine instead.")
    ] = None,
) -> None:
    """Bring models to the shelf; by default those to begin with.

    A pull that was stopped goes on where it was.
    """
    from companion.app.engine import complete
    from companion.app.shelf import pull_models
    from companion.cli.pulling import told

    with told() as on_progress:
        complete(lambda: pull_models(names or (), stick=stick, to=to, on_progress=on_progress))


@app.command()
def verify(names: Names = None, as_json: AsJson = False) -> None:
    """Read the files again and compare their checksums; by default of all models on the shelf."""
    from companion.app.shelf import Verdict, build_shelf

    shelf = build_shelf()
    reports = {name: shelf.verify(name) for name in names or shelf.present()}
    bad = [name for name, files in reports.items() if any(each.verdict is not Verdict.GOOD for each in files)]
    if as_json:
        show.document({name: {each.file.name: each.verdict for each in files} for name, files in reports.items()})
    else:
        for name, files in reports.items():
            _verdict_lines(name, files)
    if bad and not as_json:
        show.complaint(f"not whole: {', '.join(bad)}", f"Run `companion models pull {' '.join(bad)}`.")
    raise typer.Exit(1 if bad else 0)


@app.command()
def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Models by name, as whisper-base.")],
) -> None:
    """Take models off the shelf."""
    from companion.app.shelf import build_shelf, in_words

    shelf = build_shelf()
    for name in names:
        shelf.manifest(name)
    for name in names:
        was_there = shelf.place(name).exists()
        freed = shelf.remove(name)
        told = f"removed, {in_words(freed)} are free again" if freed else "removed" if was_there else "was not there"
        show.line(f"{name}: {told}")


@app.command("path")
def path(
    name: Annotated[str, typer.Argument(metavar="NAME", help="One model; it is checked first.")] = "",
    as_json: AsJson = False,
) -> None:
    """Print where the shelf is, or the folder of one whole model."""
    from companion.app.shelf import build_shelf

    shelf = build_shelf()
    found = shelf.folder(name) if name else shelf.root
    if as_json:
        show.document({"path": str(found)})
    else:
        print(found)


@app.command("check-config")
def check_config(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of .yaml, .yml and .json files.")],
    as_json: AsJson = False,
) -> None:
    """Check the model configuration files of a folder, without loading any model."""
    from companion.app.engine import complete
    from companion.app.model_folder import check_config as check

    report = complete(lambda: check(folder))
    entries = [_configured(folder, each) for each in report.found]
    if as_json:
        show.document({"folder": str(folder), "entries": entries})
        return
    for entry in entries:
        _configured_line(entry)
    if not entries:
        show.line(f"{folder}: there is no .yaml, .yml or .json file")


def _configured(folder: Path, each: Entry | Unready) -> dict[str, object]:
    from companion.app.model_folder import Unready

    entry, left_out = (each.entry, each) if isinstance(each, Unready) else (each, None)
    return {
        "name": entry.name,
        "type": entry.type,
        "schema": str(entry.schema),
        "file": entry.file.relative_to(folder).as_posix(),
        "ready": left_out is None,
        "reason": left_out.reason if left_out else None,
        "mend": left_out.mend if left_out else None,
    }


def _configured_line(told: dict[str, object]) -> None:
    mark = show.painted("ready   ", "good") if told["ready"] else show.painted("left out", "warn")
    why = "" if told["ready"] else f": {show.sentence(str(told['reason']), str(told['mend']))}"
    show.line(f"{told['name']:<24} {told['type']:<10} {mark}  {told['schema']} in {told['file']}{why}")


def _entry(shelf: Shelf, manifest: Manifest) -> dict[str, object]:
    return {
        "name": manifest.name,
        "kind": manifest.kind,
        "title": manifest.title,
        "note": manifest.note,
        "licence": manifest.licence,
        "languages": list(manifest.languages),
        "bytes": manifest.bytes,
        "memory_mb": manifest.memory_mb,
        "on_shelf": shelf.has(manifest.name),
    }


def _list_line(shelf: Shelf, manifest: Manifest) -> None:
    from companion.app.shelf import in_words

    here = shelf.has(manifest.name)
    mark = show.painted("on the shelf", "good") if here else show.painted("not here    ", "dim")
    known = manifest.languages[0] if len(manifest.languages) == 1 else f"{len(manifest.languages)} languages"
    show.line(
        f"{manifest.name:<24} {manifest.kind:<15} {in_words(manifest.bytes):>9}  {mark}  "
        f"{known}, {manifest.licence}. {manifest.note}"
    )


def _verdict_lines(name: str, files: tuple[FileReport, ...]) -> None:
    from companion.app.shelf import Verdict

    for each in files:
        colour = "good" if each.verdict is Verdict.GOOD else "bad"
        show.line(f"{name}/{each.file.name}: {show.painted(each.verdict, colour)}")
