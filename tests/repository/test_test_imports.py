"""Test modules, benchmarks and their shared tools import each other in one direction only."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.paths import CHECKOUT

MODULES = sorted(
    path.relative_to(CHECKOUT)
    for folder in ("tests", "benchmarks", "tools")
    for path in (CHECKOUT / folder).rglob("*.py")
    if not {"data", "corpus", "plugin_package"} & set(path.relative_to(CHECKOUT).parts)
)


def imported(path: Path) -> Iterator[str]:
    """Every name that ``path`` imports, as ``package.module.name``."""
    for node in ast.walk(ast.parse((CHECKOUT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_imports_a_test_module() -> None:
    found = [
        (str(path), name)
        for path in MODULES
        for name in imported(path)
        if name.startswith("tests.") and any(part.startswith("test_") for part in name.split(".")[:-1])
    ]
    assert found == []


@pytest.mark.parametrize(
    ("folder", "forbidden"), [("tools", "tests"), ("tools", "benchmarks"), ("benchmarks", "tests")]
)
def test_the_first_does_not_import_the_second(folder: str, forbidden: str) -> None:
    found = [
        (str(path), name)
        for path in MODULES
        if path.parts[0] == folder
        for name in imported(path)
        if name.split(".")[0] == forbidden
    ]
    assert found == []


def test_only_the_tests_of_benchmarks_import_benchmarks() -> None:
    found = [
        (str(path), name)
        for path in MODULES
        if path.parts[0] == "tests" and path.parts[:2] != ("tests", "benchmarks")
        for name in imported(path)
        if name.split(".")[0] == "benchmarks"
    ]
    assert found == []
