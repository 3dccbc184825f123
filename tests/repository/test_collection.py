"""Every folder of tests is looked into: pytest passes over some by their names alone."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

from tools.paths import CHECKOUT

TESTS = CHECKOUT / "tests"


def test_no_folder_of_tests_is_passed_over_for_its_name(pytestconfig: pytest.Config) -> None:
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    assert Path("compile") in folders
    assert [
        folder
        for folder in folders
        if any(fnmatch(part, pattern) for part in folder.parts for pattern in passed_over)
    ] == []
