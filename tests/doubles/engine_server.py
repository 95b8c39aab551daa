"""llama.cpp's own HTTP server with a real model, in a process of its own.

Two libraries of llama.cpp do not live well in one process, and a crash of one must not take the tests along. It listens
on 127.0.0.1 only, at a port it chooses; it ends when its standard input does, so also when whoever started it dies.

It can be run by itself: ``python engine_server.py MODEL.gguf``.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

CONTEXT_TOKENS = 4096
BARE_CALLS = Path(__file__).with_name("bare_calls.jinja")
"""A template by which the server knows a call that is written as bare JSON, as Qwen2.5-Coder-0.5B does."""
_PATIENCE = 60
"""Seconds it may take to load and to end."""


@contextlib.contextmanager
def engine(model: Path, template: Path | None = None) -> Iterator[str]:
    """The address of a server that serves ``model``; what it writes is shown where it does not start.

    template: writes its prompts, in place of the one in the file.
    """
    with tempfile.TemporaryFile("w+") as said:
        environment = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
        child = subprocess.Popen(
            [sys.executable, str(Path(__file__)), str(model), *([str(template)] if template else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env={**environment, "OMP_WAIT_POLICY": "PASSIVE"},
        )
        with child:
            assert child.stdin is not None
            assert child.stdout is not None
            try:
                address = child.stdout.readline().strip()
                if not address:
                    said.seek(0)
                    raise AssertionError(f"the engine did not start:\n{said.read()[-4000:]}")
                yield address
            finally:
                child.stdin.close()
                try:
                    child.wait(_PATIENCE)
                except subprocess.TimeoutExpired:
                    child.kill()


def main(model: Path, template: Path | None = None) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.use_jinja = True
    if template is not None:
        params.chat_template = template.read_text(encoding="utf-8")
    # Its repacked matrices crash on some of the machines that have AMX (ggml-org/llama.cpp#20824).
    params.no_extra_bufts = True
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    # Its destructor waits for whoever is still connected.
    os._exit(0)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
