"""The process that reads files: it sees bytes, no names, and may use no more than its limits.

Any file may mean harm to its reader. Here a reader can fill its memory, spin or fall over, and only this process
pays. It is started with the limits as its argument, reads questions from its input until that ends, and writes
nothing but answers. Where the system has no such limits (Windows), the one who asked still ends it by the clock.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import IO

from companion.errors import FileUnreadable
from companion.knowledge.limits import Limits
from companion.knowledge.readers import read
from companion.knowledge.split import split
from companion.knowledge.terms import index_text
from companion.knowledge.text import Extract
from companion.knowledge.wire import Ended, Prepared, end_line, passage_line, read_limits, read_question

_NICE = 10
_OPEN_FILES = 64


def main() -> None:
    """Answer until there are no more questions."""
    limits = read_limits(sys.argv[1])
    logging.disable(logging.CRITICAL)
    asked, answers = sys.stdin.buffer, _only_for_answers()
    _bound(limits)
    while line := asked.readline():
        kind, size = read_question(line)
        raw = asked.read(size)
        _allow(limits.seconds)
        _answer(kind, raw, limits, answers)
        answers.flush()


def _only_for_answers() -> IO[bytes]:
    """The output, and nobody else's: what a library prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answers


def _answer(kind: str, raw: bytes, limits: Limits, answers: IO[bytes]) -> None:
    try:
        extract = read(kind, raw, limits)
        found = prepared(extract)
        lines = [passage_line(each) for each in found[: limits.passages]]
        cut = (f"only the first {limits.passages:,} passages are kept",) if len(found) > limits.passages else ()
        lines.append(end_line(Ended(extract.title, extract.notes + cut)))
    except FileUnreadable as error:
        lines = [end_line(Ended(problem=str(error)))]
    except MemoryError:
        lines = [end_line(Ended(problem=f"it takes more than {limits.memory_bytes >> 20} MB to read"))]
    except Exception as error:  # noqa: BLE001 - whatever a broken file makes of its reader is that file's problem
        lines = [end_line(Ended(problem=f"it is broken ({type(error).__name__})"))]
    answers.writelines(lines)


def prepared(extract: Extract) -> list[Prepared]:
    return [
        Prepared(passage, index_text(passage.text), index_text(" ".join(passage.headings)))
        for passage in split(extract)
        if passage.text.strip()
    ]


def _bound(limits: Limits) -> None:
    if os.name == "nt":
        return
    import resource

    os.nice(_NICE)
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_AS, limits.memory_bytes),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _allow(seconds: float) -> None:
    """Let the file at hand have so much processor time; beyond it the system ends this process."""
    if os.name == "nt":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main()
