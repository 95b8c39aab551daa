"""What libraries take for a test machine."""

from __future__ import annotations

KEEPS_IT_QUIET = (
    *("CI", "TF_BUILD", "GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "TRAVIS", "JENKINS_URL", "CODEBUILD_BUILD_ID"),
    *("BUILDKITE", "TEAMCITY_VERSION", "APPVEYOR", "BITBUCKET_BUILD_NUMBER", "ORT_RUNNING_UNIT_TESTS"),
)
"""Variables on which ONNX Runtime keeps quiet by itself. A test of privacy takes them away."""
