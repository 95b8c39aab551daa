"""``companion key`` and ``companion usage``: keys of providers, and what the providers have cost."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import house, show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.settings.secrets import Secrets

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Provider = Annotated[str, typer.Argument(metavar="PROVIDER", help="Its name, as openai.")]


@app.command("set")
def keep(provider: Provider) -> None:
    """Keep the key of a provider; it is asked for, or read from the standard input."""
    from companion.errors import BadInput

    entry = _entry(provider)
    key = typer.prompt(f"Key of {provider}", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline()
    if not key.strip():
        raise BadInput("there is no key on the standard input", mend="Type it when you are asked for it.")
    _secrets().set(entry, key.strip())
    show.line(f"kept for {provider}")


@app.command("remove")
def forget(provider: Provider) -> None:
    """Forget the key of a provider."""
    _secrets().remove(_entry(provider))
    show.line(f"{provider}: no key any more")


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """Show the providers there are, and which of them have a key."""
    from companion.app.provider_keys import known

    found = known(_secrets().get)
    if as_json:
        show.document(found)
        return
    for name, state in found.items():
        show.line(f"{name:<14} {state}")


def usage(as_json: AsJson = False) -> None:
    """Show what providers have cost, month by month."""
    from companion.app.costs import costs

    opened = house.opened()
    months = costs(opened.paths)
    if as_json:
        show.document(months)
        return
    for month, services in sorted(months.items()):
        show.line(
            show.painted(f"{month}: {sum(services.values()):.2f} of {opened.settings.cloud.monthly_budget:g}", "bold")
        )
        for service, cost in sorted(services.items()):
            show.line(f"  {cost:10.4f}  {service}")
    if not months:
        show.line("nothing was spent")


def _entry(provider: str) -> str:
    from companion.app.provider_keys import entry_named

    return entry_named(provider)


def _secrets() -> Secrets:
    from companion.app.paths import Paths
    from companion.settings.secrets import Secrets

    return Secrets(Paths.here().secrets_file)
