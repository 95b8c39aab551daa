"""llama.cpp's own HTTP server as an embedder, in a process of its own; ``engine_server`` says why.

It can be run by itself: ``python embedding_engine.py MODEL.gguf``.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_PATIENCE = 60
"""Seconds it may take to end."""


@contextlib.contextmanager
def embedding_engine(model: Path) -> Iterator[str]:
    """The address of a server that embeds with ``model`` on 127.0.0.1, at a port it chooses."""
    environment = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    with subprocess.Popen(
        [sys.executable, str(Path(__file__)), str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**environment, "OMP_WAIT_POLICY": "PASSIVE"},
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            address = child.stdout.readline().strip()
            assert address, "the engine did not start"
            yield address
        finally:
            child.stdin.close()
            try:
                child.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                child.kill()


def main(model: Path) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 512
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    # Its repacked matrices crash on some of the machines that have AMX (ggml-org/llama.cpp#20824).
    params.no_extra_bufts = True
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    # Its destructor waits for whoever is still connected.
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
