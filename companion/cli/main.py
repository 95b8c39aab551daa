"""The command line, as a person types it: every command, and how each of them ends.

Only light modules are imported here; a command imports what it needs when it runs, so that
``companion --help`` is quick.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from companion.cli import cloud, control, knowledge, memory, models, plugins, settings, show
from companion.cli.ask import ask, listen, say
from companion.cli.bench import bench
from companion.cli.devices import devices
from companion.cli.doctor import doctor
from companion.cli.talk import talk
from companion.cli.ui import Windows, can_open, start_window, ui, windows_of
from companion.errors import CompanionError

INTERRUPTED = 130

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="A voice companion that runs at home and keeps what it hears there.\n\n"
    "Without a command it starts: with a window where there is a screen, else here, until Ctrl-C.",
    epilog="Exit status: 0 done, 1 failed, 2 bad input, 130 interrupted. Logs and settings: companion doctor.",
)

for command in (ui, talk, ask, say, listen, devices, doctor, bench):
    app.command()(command)
for order in (control.status, control.mute, control.hush, control.release, control.stop, control.toggle):
    app.command()(order)
app.command()(control.announce)
app.command()(control.shutdown)
app.add_typer(models.app, name="models", help="See, bring, check and remove models.")
app.add_typer(memory.app, name="memory", help="See, search, add, forget and carry away what is remembered.")
app.add_typer(knowledge.app, name="knowledge", help="Your own notes and documents.")
app.add_typer(plugins.app, name="plugins", help="See, turn on and off, check and begin plugins.")
app.add_typer(cloud.app, name="key", help="Keep and forget keys of providers.")
app.command()(cloud.usage)
app.add_typer(settings.app, name="settings", help="See and change settings.")


def _version(wanted: bool) -> None:
    if wanted:
        from companion import __version__

        print(f"companion {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def companion(
    context: typer.Context,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print problems only.")] = False,
    headless: Annotated[bool, typer.Option("--headless", help="Start without a window.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> int:
    if context.invoked_subcommand is not None:
        return 0
    windows = windows_of(context)
    if windows is not None and can_open() and not headless:
        return start_window(windows)
    from companion.cli.start import start as start_here

    start_here(quiet=quiet)
    return 0


def be_able_to_print() -> None:
    """Print what the terminal has no letters for as an escape, and nothing where the output was closed."""
    for name in ("stdout", "stderr"):
        out = getattr(sys, name)
        if out is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the end
        else:
            out.reconfigure(errors="backslashreplace")


def run(arguments: Sequence[str], windows: Windows | None = None) -> int:
    """Run one command and return its exit status; whatever goes wrong ends in one line.

    windows: what opens windows; None where there are none.
    """
    # Before there is a log, what libraries have to say is not for the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        status = app(arguments, standalone_mode=False, prog_name="companion", obj=windows)
        sys.stdout.flush()
    except CompanionError as fault:
        _note(fault)
        show.error(fault)
        return fault.exit_status
    except TyperException as fault:
        return _usage(fault)
    except (BrokenPipeError, SystemExit):  # typer turns a broken pipe into an exit
        _forget_output()
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - the last door: a person sees one line, the log has the rest
        _note(fault)
        show.complaint(f"something went wrong inside ({type(fault).__name__}: {fault})", _where_the_log_is())
        return 1
    return status if isinstance(status, int) else 0


def _usage(fault: TyperException) -> int:
    if type(fault).__name__ == "NoArgsIsHelpError":
        print(fault.format_message())
        return 0
    context = getattr(fault, "ctx", None)
    command = context.command_path if context is not None else "companion"
    show.complaint(fault.format_message().replace("Value error, ", ""), f"See `{command} --help`.")
    return fault.exit_code


def _note(fault: BaseException) -> None:
    """Leave the whole story in the log, if there can be one."""
    from companion.app.log import log_stream, start_log
    from companion.app.paths import Paths

    if log_stream() is None:
        # Where there can be no log, the line on the screen has to do.
        with contextlib.suppress(OSError, CompanionError):
            start_log(Paths.here().log_file)
    logging.getLogger(__name__).error("the command failed: %s", type(fault).__name__, exc_info=fault)


def _where_the_log_is() -> str:
    from companion.app.paths import Paths

    try:
        return f"The rest is in {Paths.here().log_file}."
    except CompanionError as fault:
        return fault.mend


def _forget_output() -> None:
    """Nobody reads any more: what is still buffered goes nowhere, so that the end of Python stays quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
