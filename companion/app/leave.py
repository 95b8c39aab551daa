"""The end of the process."""

from __future__ import annotations

import logging
import os
import sys
import threading


def leave(status: int) -> None:
    """End the process, even where a library's thread does not come back."""
    logging.shutdown()
    for out in (sys.stdout, sys.stderr):
        out.flush()
    if any(thread is not threading.main_thread() and not thread.daemon for thread in threading.enumerate()):
        os._exit(status)
    sys.exit(status)
