"""What tests of the built companion share."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A home of its own."""
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    return paths
