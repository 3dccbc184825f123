"""Implementations of a port are entry points, also Grader's own; each mistake of a package is one line."""

import importlib.metadata
import tomllib
from pathlib import Path

import pytest

from grader import plugins
from grader.errors import UserError
from tools.paths import CHECKOUT
from tools.plugin_metadata import install


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_installed_metadata_is_that_of_the_checkout() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for group, wanted in project["entry-points"].items():
        own = {
            point.name: point.value
            for point in importlib.metadata.distribution("grader").entry_points
            if point.group == group
        }
        assert own == wanted, "run `make` again: the installation is older than pyproject.toml"


def test_a_package_adds_a_name(site: Path) -> None:
    install(site, "other", "[grader.sandboxes]\nnext = json:dumps\n")
    assert plugins.reference("grader.sandboxes", "next") == "json:dumps"
    assert plugins.resolve("json:dumps")([1]) == "[1]"
    assert list(plugins.points("grader.sandboxes")) == sorted(plugins.points("grader.sandboxes"))


def test_two_packages_with_one_name_are_both_named(site: Path) -> None:
    install(site, "other", "[grader.sandboxes]\ndocker = json:dumps\n")
    with pytest.raises(UserError, match=r"'docker'.*grader and other"):
        plugins.points("grader.sandboxes")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"'jail'.*Installed: bubblewrap, docker, process"):
        plugins.reference("grader.sandboxes", "jail")


def test_an_installation_without_metadata_is_reported_with_a_fix() -> None:
    with pytest.raises(UserError, match="Install Grader again"):
        plugins.reference("grader.nothing", "x")


@pytest.mark.parametrize("where", ["nowhere_to_be_found:x", "json:nothing"])
def test_a_package_that_fails_to_load_is_one_line(where: str) -> None:
    with pytest.raises(UserError, match=f"The plugin {where} fails to load") as caught:
        plugins.resolve(where)
    assert "\n" not in str(caught.value)


def test_a_worker_reads_no_metadata() -> None:
    """It imports what the grader names, so a package that student code could write registers nothing."""
    rooms = ["worker", "engines", "compile", "model"]
    readers = [
        path
        for room in rooms
        for path in (CHECKOUT / "grader" / room).rglob("*.py")
        if "importlib.metadata" in path.read_text(encoding="utf-8")
        and "entry_points" in path.read_text(encoding="utf-8")
    ]
    assert readers == []
