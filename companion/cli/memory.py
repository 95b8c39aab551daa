"""``companion memory``: see what is remembered, search it, add to it, forget, and carry it elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import show
from companion.cli.options import AsJson
from companion.cli.tending import tend, whole

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="Most facts to show.")]
About = Annotated[str, typer.Option("--about", metavar="NAME", help="Only what has to do with NAME.")]


@app.command("show")
def show_all(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom or what about; without it, the newest.")] = "",
    limit: Limit = 50,
    ended: Annotated[bool, typer.Option("--ended", help="With what holds no more.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is remembered."""
    told = tend("memory", "show", about=name, limit=limit, ended=ended)
    if as_json:
        show.document(told)
        return
    _list(told["shown"])
    known = f"{show.counted(told['facts'], 'fact')} about {show.counted(told['entities'], 'name')}"
    show.line(show.painted(f"{known}, {told['ended']} no longer true", "dim"))
    for problem in told["problems"]:
        show.line(show.painted(problem, "warn"))


@app.command("search")
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """Search what is remembered, as the companion does before it answers."""
    found = tend("memory", "search", query=query, limit=limit)["found"]
    if as_json:
        show.document(found)
        return
    _list(found)
    if not found:
        show.line("nothing that fits")


@app.command("add")
def add(
    text: Annotated[str, typer.Argument(metavar="TEXT", help='A sentence, as "my sister is called Emma".')],
    as_json: AsJson = False,
) -> None:
    """Remember something, as if you had said it."""
    added = tend("memory", "add", text=text)["added"]
    if as_json:
        show.document(added)
        return
    _list(added)
    if not added:
        show.line("that was known already")


@app.command("forget")
def forget(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|NUMBER...", help="Everything about NAME, or facts by number.")
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All there is.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Forget for good: nothing of it stays on the disk, nor in backups."""
    given = {"what": list(what or ()), "everything": everything}
    found = tend("memory", "matching", **given)
    is_any = bool(found["count"] or found["texts"])
    if is_any and not yes:
        _ask(found)
    gone = tend("memory", "forget", **given) if is_any else {"forgotten": 0, "texts": 0}
    told = _told(gone["forgotten"], gone["texts"])
    _report(gone, f"forgotten: {told}" if told else "there was nothing to forget", as_json=as_json)


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .json, or in .graphml for graph programs.")],
    as_json: AsJson = False,
) -> None:
    """Write everything that is remembered into a file."""
    done = tend("memory", "export", file=whole(file))
    _report(done, f"{show.counted(done['facts'], 'fact')} in {done['file']}", as_json=as_json)


@app.command("import")
def bring_in(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A JSON export.")], as_json: AsJson = False
) -> None:
    """Add what an export holds; what is known already is not added again."""
    done = tend("memory", "import", file=whole(file))
    refused = f", {done['refused']} refused" if done["refused"] else ""
    added = show.counted(done["facts"], "fact")
    _report(done, f"{added} added, {done['known']} known already{refused}", as_json=as_json)


@app.command("backup")
def backup(as_json: AsJson = False) -> None:
    """Copy the memory as it is now. Copies are kept by age: days, weeks, months."""
    done = tend("memory", "backup")
    _report(done, str(done["file"]), as_json=as_json)


@app.command("restore")
def restore(yes: Yes = False, as_json: AsJson = False) -> None:
    """Put the newest good backup in the place of the memory, which is set aside."""
    files = tend("memory", "backups")["files"]
    if files and not yes:
        show.line(f"The newest of {show.counted(len(files), 'backup')} is {files[-1]}.")
        typer.confirm("Put it in the place of what is remembered now?", abort=True)
    done = tend("memory", "restore")
    _report(done, f"restored from {done['restored']}", as_json=as_json)


@app.command("graph")
def graph(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .svg.")],
    about: About = "",
    as_json: AsJson = False,
) -> None:
    """Draw what is remembered, as a picture."""
    done = tend("memory", "graph", file=whole(file), about=about)
    _report(done, str(done["file"]), as_json=as_json)


def _ask(found: dict[str, Any]) -> None:
    """Show what would be forgotten, and ask; no answer is a no."""
    from companion.errors import BadInput

    what = _told(found["count"], found["texts"])
    if not sys.stdin.isatty():
        raise BadInput(f"this would forget {what} for good", mend="Say so with --yes.")
    _list(found["facts"])
    typer.confirm(f"Forget {what} for good?", abort=True)


def _told(facts: int, texts: int) -> str:
    """So many facts, and turns and documents; nothing for none."""
    said = "1 turn or document" if texts == 1 else f"{texts} turns and documents"
    counted = ((facts, show.counted(facts, "fact")), (texts, said))
    return ", and ".join(words for count, words in counted if count)


def _list(facts: Sequence[dict[str, Any]]) -> None:
    for fact in facts:
        number = show.painted(f"{fact['id']:>5}", "dim")
        pinned = " *" if fact["pinned"] else ""
        show.line(f"{number}  {fact['text']}{pinned}")


def _report(done: dict[str, Any], line: str, *, as_json: bool) -> None:
    if as_json:
        show.document(done)
    else:
        show.line(line)
