"""``companion plugins``: see, turn on and off, check and begin plugins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import house, show
from companion.cli.options import AsJson
from companion.cli.tending import tend

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Its name.")]


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """Show the plugins there are, how they stand, and what each may do."""
    found = tend("plugins", "list")["plugins"]
    if as_json:
        show.document(found)
        return
    for plugin in found:
        _line(plugin)


@app.command("enable")
def enable(
    name: Name,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="PERMISSION", help="network, files, memory-read, memory-write or speak."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Turn a plugin on. It is a program that runs with your rights: turn on only what you would run."""
    _report(tend("plugins", "enable", name=name, allow=list(allow or ())), as_json=as_json)


@app.command("disable")
def disable(name: Name, as_json: AsJson = False) -> None:
    """Turn a plugin off, and take its permissions back."""
    _report(tend("plugins", "disable", name=name), as_json=as_json)


@app.command("check")
def check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name; without it, all that are on.")] = "",
    as_json: AsJson = False,
) -> int:
    """Have plugins look whether they can work. Exit status 1 where one cannot."""
    found = tend("plugins", "check", name=name)["plugins"]
    if as_json:
        show.document(found)
    else:
        for plugin in found:
            _line(plugin)
    return int(any(plugin["status"] not in ("enabled", "off") for plugin in found))


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and -, as my-plugin.")],
    folder: Annotated[
        Path | None, typer.Option("--in", metavar="FOLDER", help="Where; else your plugin folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Begin a plugin: a folder with one that works, and its tests."""
    from companion.app.plugin_template import new_plugin

    made = new_plugin(folder or house.opened().paths.plugins, name)
    if as_json:
        show.document({"name": name, "folder": str(made)})
    else:
        show.line(f"{made}")
        show.line(f"Turn it on: companion plugins enable {name}" if folder is None else f"Test it: pytest {made}")


def _report(plugin: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show.document(plugin)
    else:
        _line(plugin)


def _line(plugin: dict[str, Any]) -> None:
    colour = {"enabled": "good", "off": "dim"}.get(plugin["status"], "bad")
    may = f"  may: {', '.join(plugin['may'])}" if plugin["may"] else ""
    asks = sorted(set(plugin["asks_for"]) - set(plugin["may"]))
    asked = f"  asks for: {', '.join(asks)}" if asks else ""
    left = "  left alone for a while, it kept failing" if plugin["left_alone"] else ""
    show.line(f"{plugin['name']:<20} {show.painted(plugin['status'], colour)}  ({plugin['home']}){may}{asked}{left}")
    if plugin["reason"]:
        show.line(show.painted(f"    {plugin['reason']}", "warn"))
