"""``companion settings``: see and change settings by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.settings.store import SettingsStore

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Dotted name, as sound.volume.")]


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """Show all settings, what they mean and what they allow."""
    from companion.settings.describe import described, value_of

    settings = _store().check()
    if as_json:
        show.document({name: value_of(settings, setting) for name, setting in described().items()})
        return
    for name, setting in described().items():
        value = value_of(settings, setting)
        mark = "" if value == setting.default else "  (changed)"
        show.line(f"{show.painted(name, 'bold')} = {_shown(value)}{mark}")
        show.line(show.painted(f"    {setting.meaning} {_limits(setting.allowed)}".rstrip(), "dim"))


@app.command("get")
def get(name: Name, as_json: AsJson = False) -> None:
    """Print the value of one setting."""
    value = _store().get(name)
    if as_json:
        show.document(value)
    else:
        print(value if isinstance(value, str) else _shown(value))


@app.command("set")
def change(name: Name, value: Annotated[str, typer.Argument(metavar="VALUE", help="The new value.")]) -> None:
    """Change one setting; comments and the rest of the file stay as they are."""
    from companion.app.paths import Paths
    from companion.app.tending import set_one

    paths = Paths.here()
    told = set_one(paths, name, value)
    counts = "counts at once" if told["is_running"] and told["at_once"] else "counts from the next start"
    show.line(f"{name} = {told['value']}  (in {paths.settings_file}; {counts})")


@app.command("path")
def path() -> None:
    """Print where the settings file is."""
    print(_store().file)


def _store() -> SettingsStore:
    from companion.app.paths import Paths
    from companion.settings.store import SettingsStore

    return SettingsStore(Paths.here().settings_file)


def _shown(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _limits(allowed: str) -> str:
    return "" if allowed == "text" else f"({allowed})"
