"""The end of the process."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import time
from typing import TextIO

PATIENCE = 0.2
"""Seconds for threads that are about to end."""
AT_LAST = 1.0
"""Seconds for whatever libraries do at the end of a process."""


def leave(status: int) -> None:
    """End the process, even where a library's thread does not come back."""
    logging.shutdown()
    for out in (sys.stdout, sys.stderr):
        _flush(out)
    if _some_thread_stays():
        os._exit(status)
    _bound()
    sys.exit(status)


def _bound() -> None:
    """What libraries do at the very end, as closing a sound system that hangs, has its time, too."""
    nowhere = open(os.devnull, "w")  # noqa: SIM115, PTH123 - until the end
    faulthandler.dump_traceback_later(AT_LAST, exit=True, file=nowhere)


def _flush(out: TextIO) -> None:
    """Send what is buffered; nowhere, if nobody takes it, or Python would complain in the end."""
    try:
        out.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)


def _some_thread_stays() -> bool:
    """Whether a thread that Python would wait for is still there after a moment."""
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    ends = time.monotonic() + PATIENCE
    for thread in others:
        thread.join(max(ends - time.monotonic(), 0.0))
    return any(thread.is_alive() for thread in others)
