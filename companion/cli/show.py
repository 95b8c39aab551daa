"""What a person or a script sees: calm lines, one-line errors, JSON, and colour where it is wanted."""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO

from companion.errors import CompanionError

_COLOURS = {"good": "32", "warn": "33", "bad": "31", "dim": "2", "bold": "1"}


def painted(text: str, colour: str, out: TextIO | None = None) -> str:
    """The text in a colour (good, warn, bad, dim, bold) where the terminal shows it and NO_COLOR is unset."""
    out = out or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not out.isatty():
        return text
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def line(text: str) -> None:
    """One line on the standard output, at once."""
    print(_plain(text), flush=True)


def counted(count: int, what: str) -> str:
    """So many of something: "1 fact", "2 facts"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def document(content: object) -> None:
    """JSON on the standard output, for scripts."""
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    print(json.dumps(content, ensure_ascii=not is_unicode, indent=2), flush=True)


def error(fault: CompanionError) -> None:
    """One line on the standard error: what is wrong and what to do."""
    complaint(str(fault), fault.mend)


def complaint(message: str, mend: str = "") -> None:
    """One line on the standard error."""
    print(painted("companion:", "bad", sys.stderr), sentence(message, mend), file=sys.stderr, flush=True)


def warning(fault: CompanionError) -> None:
    """One line on the standard error about something that does not stop us."""
    head = painted("companion: note:", "warn", sys.stderr)
    print(head, sentence(str(fault), fault.mend), file=sys.stderr, flush=True)


def sentence(message: str, mend: str) -> str:
    """What is wrong and what to do, on one line, without control characters that a terminal might obey."""
    told = " ".join(_plain(message, keep="").split()).removesuffix(".")
    return f"{told}{'' if told.endswith(('?', '!')) else '.'} {_advice(mend)}".strip()


def _advice(mend: str) -> str:
    """As a sentence, unless it is something to type."""
    told = " ".join(_plain(mend, keep="").split())
    if not told or told.split()[0] in ("companion", "sudo", "pip"):
        return told
    return told[0].upper() + told[1:] + ("" if told.endswith((".", "?", "!")) else ".")


def _plain(text: str, keep: str = "\x1b") -> str:
    return "".join(letter if letter.isprintable() or letter in keep else " " for letter in text)
