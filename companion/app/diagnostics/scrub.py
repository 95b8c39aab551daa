"""Takes out of a log, or of a message, what belongs to the user.

What goes: records marked private, quoted text, paths of the user's, addresses, keys, and the names one hands in. What
stays: when, how bad, which part of the program, and its own words. In doubt something goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from companion import errors
from companion.app.log import PRIVATE

GONE = "<…>"
LEAST_NAME = 2
"""Letters of a name that is looked for."""

_RECORD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ +[\w.]+: ")
_FRAME = re.compile(r'(?P<head>\s*File )"(?P<path>[^"]*)"(?P<tail>, line \d+(?:, in [\w<>.]+)?\s*)$')
_CODE = re.compile(r".*?(?:site-packages|dist-packages|lib/python[\d.]+|(?=companion[/\\]))[/\\]?(?P<rest>.*)")
_RAISED = re.compile(r"(?:[a-z_]\w*\.)*(?P<kind>[A-Z]\w*)(?:: .*)?$")
_KINDS = ("Error", "Exception", "Warning", "Interrupt", "Group", "Exit", "Timeout")
_OLD_PRIVATE = ("heard: ", "said: ", "put into the log: ")
"""How private records began before they were marked."""
_UNDERLINE = re.compile(r"[\s^~]*")
_HIDDEN = (
    re.compile(r"(?<!\w)'.*'(?!\w)|\".*\"|“.*”|「.*」"),
    re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE),
    re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
    re.compile(r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b|\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\b", re.IGNORECASE),
    re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}\b"),
    # A path may hold blanks, so what follows it on its line goes with it.
    re.compile(r"(?<![\w.])(?:~?/[^\s/]+/|[A-Za-z]:\\|\\\\).*"),
)
"""Quoted text, web addresses, mail addresses, addresses of machines, keys, paths."""
_OURS = frozenset(name for name in vars(errors) if isinstance(getattr(errors, name), type))


class Scrub:
    """names: words that say who or where somebody is."""

    def __init__(self, names: Iterable[str]) -> None:
        wanted = sorted({name.strip() for name in names if len(name.strip()) >= LEAST_NAME}, key=len, reverse=True)
        either = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in wanted)
        self._names = re.compile(either or r"(?!)", re.IGNORECASE)

    def line(self, text: str) -> str:
        """One line, without what belongs to the user."""
        for hidden in _HIDDEN:
            text = hidden.sub(GONE, text)
        return self._names.sub(GONE, text)

    def log(self, text: str) -> str:
        """A log, from its first whole record on."""
        return "\n".join(self._log(text.splitlines()))

    def _log(self, lines: Iterable[str]) -> Iterator[str]:
        is_kept = False
        was_frame = False
        for line in lines:
            record = _RECORD.match(line)
            if record is not None:
                is_kept = not line[record.end() :].startswith((PRIVATE, *_OLD_PRIVATE))
                if is_kept:
                    yield record[0] + self.line(line[record.end() :])
                was_frame = False
            elif is_kept:
                frame = _FRAME.match(line)
                # The line below a frame is a line of a program.
                yield from [line] if was_frame else self._below(line)
                was_frame = frame is not None

    def _below(self, line: str) -> Iterator[str]:
        """A line of a traceback, or of a record that is longer than a line."""
        if frame := _FRAME.match(line):
            code = _CODE.match(frame["path"])
            yield f'{frame["head"]}"{code["rest"] if code else GONE}"{frame["tail"]}'
        elif _UNDERLINE.fullmatch(line) or line.startswith("Traceback (most recent call last)"):
            yield line
        elif (raised := _RAISED.match(line)) and _is_kind(raised["kind"]):
            is_ours = raised["kind"] in _OURS
            yield self.line(line) if is_ours else f"{raised['kind']}: {GONE}"
        else:
            yield f"  {GONE}"


def _is_kind(word: str) -> bool:
    """Whether a word is the name of an error."""
    return word in _OURS or word.endswith(_KINDS)
