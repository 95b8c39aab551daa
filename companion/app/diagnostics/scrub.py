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
_TRACEBACK = "Traceback (most recent call last)"
_FRAME = re.compile(r'(?P<head>\s*File )"(?P<path>[^"]*)"(?P<tail>, line \d+(?:, in [\w<>.]+)?\s*)$')
_CODE = re.compile(r".*?(?:site-packages|dist-packages|lib/python[\d.]+|(?=companion[/\\]))[/\\]?(?P<rest>.*)")
_RAISED = re.compile(r"(?:[a-z_]\w*\.)*(?P<kind>[A-Z]\w*)(?:: .*)?$")
_KINDS = ("Error", "Exception", "Warning", "Interrupt", "Group", "Exit", "Timeout")
_OLD_PRIVATE = ("heard: ", "said: ", "put into the log: ")
"""How private records began before they were marked."""
_UNDERLINE = re.compile(r"[\s^~]*")
_NO_ENDS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that write words, or what is added to them, without a blank between, as Chinese does."""
_START, _END = rf"(?<![^\W{_NO_ENDS}])", rf"(?![^\W{_NO_ENDS}])"
"""Where a word begins and ends, in any script."""
_ENDLESS = re.compile(f"[{_NO_ENDS}]")
_HIDDEN = tuple(
    re.compile(hidden.replace("<<", _START).replace(">>", _END), re.IGNORECASE)
    for hidden in (
        r"<<'.*'>>|\".*\"|“.*”|「.*」",
        r"<<[a-z][a-z0-9+.-]*://\S+",
        r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
        r"<<\d{1,3}(?:\.\d{1,3}){3}>>",
        r"<<(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}>>|<<(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}>>",
        r"<<(?=[a-z0-9_-]*\d)(?=[0-9_-]*[a-z])[a-z0-9_-]{20,}>>",
        r"<<[a-z]{24,}>>",
        r"(?:\+|<<00)\d[\d ()/.-]{5,}\d",
        r"(?<![\d.,:-])\(?0\d{1,4}\)?[ /-]{0,2}\d(?:[ /-]?\d){5,}>>",
        r"<<\(?[2-9]\d\d\)?[ .-]{1,2}\d{3}[ .-]\d{4}>>",
        r"<<1[3-9]\d[ -]?\d{4}[ -]?\d{4}>>",
        r"<<(?:[a-z0-9-]+\.)+(?:local|lan|home|box|internal|intranet|localdomain|corp|private|home\.arpa)>>(?!\.\w)",
        r"<<[a-z](?:[a-z0-9.-]*[a-z0-9])?(?<!\.py):\d{2,5}>>(?!:)",
        # A path may hold blanks, so what follows it on its line goes with it.
        r"<<(?<!\.)(?:~?/[^\s/]+/|[a-z]:\\|\\\\).*",
    )
)
"""Quoted text, web addresses, mail addresses, addresses of machines, keys, telephone numbers, names of machines at
home, paths."""
_OURS = frozenset(name for name in vars(errors) if isinstance(getattr(errors, name), type))


class Scrub:
    """names: words that say who or where somebody is."""

    def __init__(self, names: Iterable[str]) -> None:
        wanted = sorted({name.strip() for name in names if len(name.strip()) >= LEAST_NAME}, key=len, reverse=True)
        either = "|".join(map(_whole, wanted))
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
        is_kept = is_traced = was_frame = False
        for line in lines:
            record = _RECORD.match(line)
            if record is not None:
                is_kept = not line[record.end() :].startswith((PRIVATE, *_OLD_PRIVATE))
                if is_kept:
                    yield record[0] + self.line(line[record.end() :])
                is_traced = was_frame = False
            elif is_kept:
                is_traced = line.startswith((_TRACEBACK, " ")) if is_traced else line.startswith(_TRACEBACK)
                # The line below a frame is a line of a program.
                yield from [line] if was_frame and is_traced else self._below(line, is_traced=is_traced)
                frame = _FRAME.match(line) if is_traced else None
                # Without a function it is a text that could not be read as a program.
                was_frame = frame is not None and ", in " in frame["tail"]

    def _below(self, line: str, *, is_traced: bool) -> Iterator[str]:
        """A line of a traceback, or of a record that is longer than a line."""
        if is_traced and (frame := _FRAME.match(line)):
            code = _CODE.match(frame["path"])
            yield f'{frame["head"]}"{code["rest"] if code else GONE}"{frame["tail"]}'
        elif _UNDERLINE.fullmatch(line) or line.startswith(_TRACEBACK):
            yield line
        elif (raised := _RAISED.match(line)) and _is_kind(raised["kind"]):
            is_ours = raised["kind"] in _OURS
            yield self.line(line) if is_ours else f"{raised['kind']}: {GONE}"
        else:
            yield f"  {GONE}"


def _whole(name: str) -> str:
    """What finds a name that is no part of a longer word, where its letters know of words."""
    start, end = (side if not _ENDLESS.match(letter) else "" for side, letter in ((_START, name[0]), (_END, name[-1])))
    return f"{start}{re.escape(name)}{end}"


def _is_kind(word: str) -> bool:
    """Whether a word is the name of an error."""
    return word in _OURS or word.endswith(_KINDS)
