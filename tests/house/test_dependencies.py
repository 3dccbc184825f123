"""The package imports what it declares: what happens to be installed beside it is not relied on."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=~!;]", requirement, maxsplit=1)[0].lower()


def _declared(*extras: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    return {
        _name(one)
        for one in [*project["dependencies"], *(one for extra in extras for one in optional[extra])]
    }


def _imported() -> set[str]:
    """The top-level name of every module that the package imports and neither it nor Python provides."""
    names = set()
    for path in (ROOT / "grader").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    tops = {name.split(".")[0] for name in names}
    return {top for top in tops if top not in sys.stdlib_module_names and top != "grader"}


def test_every_import_is_of_a_declared_dependency() -> None:
    # A namespace belongs to several distributions, CuPy to one of two: one that is declared is enough.
    providers = {**packages_distributions()} | {"cupy": ["cupy-cuda12x", "cupy-cuda13x"]}
    declared = _declared("gpu-cuda12", "gpu-cuda13", "docker")
    undeclared = {
        name
        for name in _imported()
        if not {provider.lower() for provider in providers.get(name, [])} & declared
    }
    assert undeclared == set()
