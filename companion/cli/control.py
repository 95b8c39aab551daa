"""Commands to the running companion, through its control socket."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.orders import Order


class Switch(StrEnum):
    ON = "on"
    OFF = "off"


def send(order: Order) -> dict[str, Any]:
    """What the running companion answers.

    Raises:
        NotRunning: none runs.
        ControlError: it refused or did not answer.
    """
    from companion.app.control import ask
    from companion.app.paths import Paths

    return ask(Paths.here().control_socket, order)


def status(as_json: AsJson = False) -> None:
    """Tell what the running companion is doing."""
    from companion.app.orders import Status

    answer = send(Status())
    if as_json:
        show.document(answer)
        return
    show.line(f"{answer.get('phase', 'running')} (process {answer.get('pid')})")
    for model in answer.get("models", ()):
        state = f"loaded in {model['load_seconds']:.1f} s" if model["loaded"] else "not loaded"
        show.line(f"  {model['name']}: {state}")
    for step, name in answer.get("served_by", {}).items():
        show.line(f"  {step}: by {name}")
    for host, size in answer.get("sent_bytes", {}).items():
        show.line(f"  sent to {host} since the start: {size:,} bytes")
    for problem in answer.get("problems", ()):
        show.line(show.painted(f"  {problem}", "warn"))


def mute(
    switch: Annotated[Switch | None, typer.Argument(help="on or off; without it, turn over.")] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", min=0.01, max=10_080.0, help="Open them again after so many minutes.")
    ] = None,
) -> None:
    """Close the ears of the running companion, or open them."""
    from companion.app.orders import Mute

    if minutes is not None and switch is Switch.OFF:
        raise typer.BadParameter("ears that are opened are not opened again", param_hint="--minutes")
    on = True if minutes is not None else None if switch is None else switch is Switch.ON
    answer = send(Mute(on, None if minutes is None else minutes * 60))
    show.line("muted" if answer.get("muted") else "not muted")


def hush(switch: Annotated[Switch | None, typer.Argument(help="on or off; without it, turn over.")] = None) -> None:
    """Have answers shown and not spoken, or spoken again."""
    from companion.app.orders import Hush

    answer = send(Hush(None if switch is None else switch is Switch.ON))
    show.line("answers are shown, not spoken" if answer.get("hushed") else "answers are spoken")


def release() -> None:
    """Let go of the key to talk: what was said until now is the turn."""
    from companion.app.orders import Release

    send(Release())


def stop() -> None:
    """Make the running companion stop talking."""
    from companion.app.orders import Stop

    send(Stop())


def toggle() -> None:
    """One key for everything: listen when idle, else stop. Bind it to a key of your desktop."""
    from companion.app.orders import Toggle

    send(Toggle())


def announce(text: Annotated[str, typer.Argument(metavar="TEXT", help="What to say.")]) -> None:
    """Make the running companion say something when nobody speaks."""
    from companion.app.orders import Announce

    send(Announce(text))


def shutdown() -> None:
    """End the running companion."""
    from companion.app.orders import Shutdown

    send(Shutdown())
