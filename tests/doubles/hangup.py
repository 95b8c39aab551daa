"""What the programs that are started here do when their terminal goes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def on_hangup(handler: signal.Handlers = signal.SIG_DFL) -> Iterator[None]:
    """Within it, programs are started with this in place of what the tests were started with (nohup has it ignored)."""
    before = signal.signal(signal.SIGHUP, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
