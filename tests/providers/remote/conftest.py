"""Real engines, each started once for all tests that ask them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from doubles.coder_model import coder_file
from doubles.engine_server import BARE_CALLS, engine


def smallest_model(shelf: Path) -> Path:
    return shelf / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def small_engine(shelf_folder: Path) -> Iterator[str]:
    """The address of a server with SmolLM2-135M."""
    with engine(smallest_model(shelf_folder)) as address:
        yield address


@pytest.fixture(scope="session")
def coder_engine(shelf_folder: Path) -> Iterator[str]:
    """The address of a server with Qwen2.5-Coder-0.5B that does not know the calls of its model for calls."""
    with engine(coder_file(shelf_folder)) as address:
        yield address


@pytest.fixture(scope="session")
def calling_engine(shelf_folder: Path) -> Iterator[str]:
    """The address of a server with Qwen2.5-Coder-0.5B that does."""
    with engine(coder_file(shelf_folder), BARE_CALLS) as address:
        yield address
