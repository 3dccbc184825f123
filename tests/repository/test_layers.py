"""The rooms import only what they may; labs import only what is promised to them."""

import ast
import sys
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tools.paths import CHECKOUT

LABS = sorted([*CHECKOUT.glob("assignments/*/lab.py"), *CHECKOUT.glob("tests/labs/data/**/lab.py")])
PROMISED = {"grader.labs", "numpy"}


def test_every_imcontract_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(CHECKOUT)
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def _imported(path: Path) -> set[str]:
    """Every module that ``path`` imports from outside the standard library."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(module=str(module), level=0):
                names.add(module)
            case ast.ImportFrom(module=module, level=level):
                names.add("." * level + (module or ""))
    return {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}


def test_there_are_built_in_labs() -> None:
    assert LABS


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.parent.name)
def test_built_in_labs_import_only_the_plugin_api_and_numpy(path: Path) -> None:
    strangers = {
        name for name in _imported(path) if not any((name + ".").startswith(ok + ".") for ok in PROMISED)
    }
    assert strangers == set()
