"""No library may report home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from doubles.privacy import KEEPS_IT_QUIET


def test_onnx_runtime_keeps_no_record_of_its_use(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in KEEPS_IT_QUIET}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    program = "import companion, onnxruntime; onnxruntime.SessionOptions()"
    subprocess.run([sys.executable, "-c", program], env=environment, timeout=60, check=True)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
