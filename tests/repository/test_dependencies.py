"""The package imports what it declares: what happens to be installed beside it is not relied on."""

import ast
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions

from packaging.specifiers import SpecifierSet

from tests.repository.project import EXTRAS, dependencies, pinned
from tools.paths import CHECKOUT

DEBIAN_12_PYTHON = "3.11.2"
EXACT = re.compile(r"[a-z0-9-]+==[a-z0-9.]+")


def _imported() -> set[str]:
    """The top-level name of every module that the package imports and neither it nor Python provides."""
    names = set()
    for path in (CHECKOUT / "grader").rglob("*.py"):
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
    declared = dependencies("gpu-cuda12", "gpu-cuda13", "profile", "cluster", "server", "lti", "jupyter")
    undeclared = {
        name
        for name in _imported()
        if not {provider.lower().replace("_", "-") for provider in providers.get(name, [])} & declared
    }
    assert undeclared == set()


def test_every_pinned_release_installs_on_debian_12() -> None:
    too_new = []
    for name in pinned():
        try:
            python = metadata(name)["Requires-Python"]
        except PackageNotFoundError:  # CuPy, which only a machine with a GPU has
            continue
        if python and DEBIAN_12_PYTHON not in SpecifierSet(python):
            too_new.append(f"{name} wants Python {python}")
    assert too_new == []


def test_every_direct_dependency_has_an_exact_release() -> None:
    assert dependencies(*EXTRAS) <= set(pinned())


def test_a_decision_record_gives_each_dependency_and_release() -> None:
    records = sorted((CHECKOUT / "docs" / "decisions").glob("*.md"))
    decisions = "\n".join(record.read_text(encoding="utf-8") for record in records).lower()
    releases = pinned()
    described = {name for name in dependencies(*EXTRAS) if name in decisions and releases[name] in decisions}
    type_information = {name for name in dependencies("dev") if name.startswith("types-")}
    assert dependencies(*EXTRAS) - type_information - described == set()


def test_every_constraint_is_a_name_and_an_exact_release() -> None:
    assert [name for name, release in pinned().items() if not EXACT.fullmatch(f"{name}=={release}")] == []
