"""Fixtures that several rooms' tests use."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import CHECKOUT


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The top of the checkout that the tests belong to."""
    return CHECKOUT


@pytest.fixture(scope="session")
def plugin_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site folder into which the out-of-tree lab ``saxpy`` was installed, by pip and without a network.

    Put it on ``PYTHONPATH`` for a process of its own; ``installed_plugin`` does so for the running one.
    """
    site = tmp_path_factory.mktemp("plugin-site")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    package = CHECKOUT / "tests" / "plugin_package"
    done = subprocess.run(
        [*command, "--target", str(site), str(package)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture
def installed_plugin(plugin_package: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As ``plugin_package``, importable in this process for the length of the test."""
    monkeypatch.syspath_prepend(plugin_package)
    importlib.invalidate_caches()
    return plugin_package
