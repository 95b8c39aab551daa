"""``companion knowledge``: your own notes, and the folders of documents that are searched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli import show
from companion.cli.options import AsJson
from companion.cli.tending import tend, whole

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """Show the pieces of knowledge, and files that cannot be read."""
    told = tend("knowledge", "list")
    if as_json:
        show.document(told)
        return
    for piece in told["pieces"]:
        show.line(f"{piece['name']:<28} {show.counted(piece['passages'], 'passage'):>14}  {piece['file']}")
    for trouble in told["problems"]:
        show.line(show.painted(f"{trouble['file']}: {trouble['reason']}", "warn"))
    if not told["pieces"]:
        show.line("there are none; add one: companion knowledge add NAME FILE")


@app.command("search")
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=50, help="Most passages to show.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Search your notes and documents; each passage comes with its file and place."""
    found = tend("knowledge", "search", query=query, limit=limit)["found"]
    if as_json:
        show.document(found)
        return
    for hit in found:
        show.line(show.painted(hit["place"], "bold"))
        for row in hit["text"].splitlines():
            show.line(f"    {row}")
    if not found:
        show.line("nothing that fits")


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A text or Markdown file.")],
    replace: Annotated[bool, typer.Option("--replace", help="In the place of one of that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Keep a text as a piece of knowledge."""
    piece = tend("knowledge", "add", name=name, file=whole(file), replace=replace)
    if as_json:
        show.document(piece)
        return
    found = piece["problem"] or show.counted(piece["passages"], "passage")
    show.line(f"{piece['name']}: {found}  ({piece['file']})")


@app.command("remove")
def remove(name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")], as_json: AsJson = False) -> None:
    """Remove a piece of knowledge."""
    done = tend("knowledge", "remove", name=name)
    if as_json:
        show.document(done)
    else:
        show.line(f"{name}: removed" if done["removed"] else f"there is no {name}")


@app.command("folders")
def folders(
    add_one: Annotated[Path | None, typer.Option("--add", metavar="FOLDER", help="Search this folder, too.")] = None,
    drop: Annotated[Path | None, typer.Option("--remove", metavar="FOLDER", help="Search it no more.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the folders of documents that are searched; add and remove them. Nothing in them is ever changed."""
    told = tend("knowledge", "folders") if add_one is None and drop is None else {}
    if add_one is not None:
        told = tend("knowledge", "name", folder=whole(add_one))
    if drop is not None:
        told = tend("knowledge", "unname", folder=whole(drop))
    if as_json:
        show.document(told["folders"])
        return
    for one in told["folders"]:
        found = f"{show.counted(one['files'], 'file')}, {show.counted(one['passages'], 'passage')}"
        unread = f", {one['problems']} cannot be read" if one["problems"] else ""
        show.line(f"{one['folder']}: {found}{unread}")
    if not told["folders"]:
        show.line("there are none; add one: companion knowledge folders --add FOLDER")
