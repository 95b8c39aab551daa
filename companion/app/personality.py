"""Who the companion is: a text of the user's own, which begins as a copy of ours, or one of those that come with it.

It heads every prompt. Nothing but the user ever changes the user's text.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.app.paths import bundled
from companion.errors import BadInput, CompanionError, SetupError, StorageError, reason_of
from companion.model import SystemPrompt
from companion.settings.atomic import write_atomically
from companion.settings.given_file import read_given

PERSONAL = "personal"
"""The user's own."""
LONGEST = 16_384
"""Bytes. A longer text would crowd the conversation out of a small model's context."""
LARGEST = 1 << 20
"""Bytes of a file that is looked into at all."""


class Personality(NamedTuple):
    prompt: SystemPrompt
    problem: CompanionError | None = None
    """Why it is ours and not the user's."""


def personalities() -> tuple[str, ...]:
    """Those that can be chosen, the user's own first."""
    return (PERSONAL, *sorted(file.stem for file in _folder().glob("*.md")))


def personality(file: Path, default: Path | None = None, *, which: str = PERSONAL) -> Personality:
    """The user's personality; a first run writes ``default`` there. A text that cannot be used gives way to ours.

    which: one that comes with the program, in place of the user's.

    Raises:
        SetupError: ours did not come with the program.
    """
    ours = _ours(default or _folder() / "default.md")
    problem: CompanionError | None = None
    if which in personalities()[1:]:
        return Personality(SystemPrompt("personality", _ours(_folder() / f"{which}.md").strip()))
    if which != PERSONAL:
        problem = BadInput(
            f"there is no personality {which!r}; yours is used", mend=f"Choose one of {', '.join(personalities())}."
        )
    try:
        text = _users(file)
        if text is None:
            write_atomically(file, ours)
    except (BadInput, StorageError) as fault:
        return Personality(SystemPrompt("personality", ours.strip()), fault)
    return Personality(SystemPrompt("personality", (text or ours).strip()), problem)


def text_of(file: Path, which: str) -> str:
    """The text of a personality; the user's own is ours where there is none yet.

    Raises:
        BadInput: there is none of that name, or the user's cannot be used.
        StorageError: it cannot be read.
        SetupError: ours did not come with the program.
    """
    if which == PERSONAL:
        return (_users(file) or _ours(_folder() / "default.md")).strip()
    if which not in personalities():
        raise BadInput(f"there is no personality {which[:40]!r}", mend=f"Choose one of {', '.join(personalities())}.")
    return _ours(_folder() / f"{which}.md").strip()


def write_personal(file: Path, text: str) -> None:
    """Keep the user's own text.

    Raises:
        BadInput: it is empty or too long.
        StorageError: it cannot be written; the file is as it was.
    """
    if not text.strip():
        raise BadInput("the text is empty", mend="Write who the companion is.")
    if len(text.encode()) > LONGEST:
        raise BadInput(f"the text is longer than {LONGEST} bytes", mend="Shorten it.")
    write_atomically(file, text.strip() + "\n")


def _folder() -> Path:
    return bundled("assets") / "personality"


def _ours(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise SetupError(f"{file} did not come with the program", mend="Install companion again.") from error


def _users(file: Path) -> str | None:
    """The user's text; None where there is no file yet."""
    try:
        content = read_given(file, LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        mend = "Put a text there that your user may read."
        raise StorageError(f"{file} cannot be read: {reason_of(error)}", file=str(file), mend=mend) from error
    if len(content) > LONGEST:
        raise BadInput(f"{file} is longer than {LONGEST} bytes", mend="Shorten it; ours is used meanwhile.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadInput(f"{file} line {line}: this is no UTF-8 text", mend="Save it as UTF-8.") from error
    if not text.strip():
        raise BadInput(f"{file} is empty", mend="Write who the companion is, or remove it; ours is used meanwhile.")
    return text
