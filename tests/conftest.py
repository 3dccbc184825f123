"""Settings and fixtures of the whole suite."""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tools.paths import CHECKOUT
from tools.shared_results import FOLDER_VARIABLE

# A busy machine must not fail a test: nothing here depends on how long an example takes.
settings.register_profile("grader", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("grader")


class FailuresAtOnce:
    """Shows each failure when it happens; pytest itself shows them after the last test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the test and the first line of its error."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if not report.failed or terminal is None:
            return
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message.splitlines()[0] if crash and crash.message else "failed"
        terminal.ensure_newline()
        terminal.write_line(f"{report.nodeid} ({report.when}): {message}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    """Show failures at once, and give the run a folder for what its processes share; both in the first process."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config), "failures-at-once")
        # Reports in a terminal speak the language of the user, and the tests read English.
        os.environ["LC_ALL"] = "C.UTF-8"
        os.environ[FOLDER_VARIABLE] = tempfile.mkdtemp(prefix="grader-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the run's folder."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(FOLDER_VARIABLE, ""), ignore_errors=True)


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
