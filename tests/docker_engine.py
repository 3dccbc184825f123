"""A Docker engine for the tests that need one. CI starts it and builds the image; see ``.ci/run``."""

import os

import pytest

from grader.sandbox.docker import unavailable

_REQUIRED = "GRADER_TEST_DOCKER"
"""Environment variable: set, a test that needs Docker fails without it; unset, it is skipped."""

_reason = unavailable()

needs_docker = pytest.mark.skipif(
    _reason is not None and not os.environ.get(_REQUIRED), reason=f"Docker cannot be used here: {_reason}"
)
