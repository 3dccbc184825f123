"""What is shipped: the wheel carries what an installed grader needs, and nothing else."""

import re
import subprocess
import sys
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

BUNDLED = "grader/labs/_bundled/"


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The project's own wheel, built as pip would, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(checkout)]
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
def test_the_wheel_carries_every_file_of_the_built_in_labs(
    folder: str, wheel: ZipFile, checkout: Path
) -> None:
    prefix = f"{BUNDLED}{folder}/"
    carried = {name.removeprefix(prefix) for name in wheel.namelist() if name.startswith(prefix)}
    assert carried == _files(checkout / folder)
    assert carried


def test_the_wheel_carries_every_file_of_the_package(wheel: ZipFile, checkout: Path) -> None:
    """Templates, stub headers and the type marker too, not only modules."""
    carried = {
        name for name in wheel.namelist() if name.startswith("grader/") and not name.startswith(BUNDLED)
    }
    assert carried == {f"grader/{name}" for name in _files(checkout / "grader")}
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


def test_every_direct_dependency_has_an_exact_release(checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    asked = {
        re.split(r"[\[<>=~!;]", requirement, maxsplit=1)[0].lower()
        for requirement in [*project["dependencies"], *(one for extra in extras for one in extra)]
    }
    lines = (checkout / "constraints.txt").read_text(encoding="utf-8").splitlines()
    exact = {line.split("==")[0] for line in lines if "==" in line}
    assert asked <= exact
