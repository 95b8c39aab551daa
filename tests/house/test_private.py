"""No library may report home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# What ONNX Runtime takes for a test machine, on which it keeps quiet by itself.
KEEPS_IT_QUIET = {
    *("CI", "TF_BUILD", "GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "TRAVIS", "JENKINS_URL", "CODEBUILD_BUILD_ID"),
    *("BUILDKITE", "TEAMCITY_VERSION", "APPVEYOR", "BITBUCKET_BUILD_NUMBER", "ORT_RUNNING_UNIT_TESTS"),
}


def test_onnx_runtime_keeps_no_record_of_its_use(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in KEEPS_IT_QUIET}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    program = "import companion, onnxruntime; onnxruntime.SessionOptions()"
    subprocess.run([sys.executable, "-c", program], env=environment, timeout=60, check=True)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
