"""What is shipped: the wheel carries what an installed grader needs, and nothing else."""

import re
import subprocess
import sys
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools.paths import CHECKOUT

BUNDLED = "grader/labs/_bundled/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The project's own wheel, built as pip would, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(CHECKOUT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return ZipFile(path)


def _files(folder: Path) -> set[str]:
    """Files below ``folder`` that git would keep, relative to it."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("folder", ["assignments", "reference"])
def test_the_wheel_carries_every_file_of_the_built_in_labs(folder: str, wheel: ZipFile) -> None:
    prefix = f"{BUNDLED}{folder}/"
    carried = {name.removeprefix(prefix) for name in wheel.namelist() if name.startswith(prefix)}
    assert carried == _files(CHECKOUT / folder)
    assert carried


def test_the_wheel_carries_every_file_of_the_package(wheel: ZipFile) -> None:
    """Templates, stub headers and the type marker too, not only modules."""
    carried = {
        name for name in wheel.namelist() if name.startswith("grader/") and not name.startswith(BUNDLED)
    }
    assert carried == {f"grader/{name}" for name in _files(CHECKOUT / "grader")}
    assert "grader/py.typed" in carried


def test_the_wheel_carries_nothing_else(wheel: ZipFile) -> None:
    tops = {name.split("/", 1)[0] for name in wheel.namelist()}
    assert {top for top in tops if not re.fullmatch(r"grader-[\d.]+\.dist-info", top)} == {"grader"}


def test_the_wheel_declares_the_command_and_the_built_in_labs(wheel: ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    declared = wheel.read(name).decode()
    assert "grader = grader.cli.app:main" in declared
    assert "builtin = grader.labs.builtin:catalogue" in declared


def test_the_wheel_states_its_licence(wheel: ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    assert HeaderParser().parsestr(wheel.read(name).decode())["License-Expression"] == "Apache-2.0"
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())
