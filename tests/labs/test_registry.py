"""Labs are found, broken ones are listed with their reason, and neither hides the other."""

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.labs.builtin import catalogue
from grader.labs.registry import discover
from grader.model.plan import Dim3, LaunchShape
from tests.labs.example_lab import GOOD, LAB, folder_of_labs


def test_the_built_in_labs_come_through_the_entry_point() -> None:
    registry = discover()
    assert {"matmul", "row-sum", "transpose"} <= registry.labs.keys()
    assert registry.broken == ()
    assert registry.get("matmul").folder.parent == catalogue().labs


def test_a_folder_adds_a_lab(tmp_path: Path) -> None:
    lab = discover([folder_of_labs(tmp_path)]).get("scale")
    assert lab.reference == tmp_path / "reference" / "scale"
    shape = LaunchShape(grid=Dim3(x=2), block=Dim3(x=64))
    plan = lab.plan(lab.manifest.kernels[0].spec, lab.manifest.cases[0], shape)
    assert [buffer.shape for buffer in plan.buffers] == [(100,), (100,)]
    assert plan.launches[0].args == ("x", "y", 100)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import nowhere_to_be_found", "lab.py line 1 fails to import: ModuleNotFoundError"),
        ("x = 1", "exactly one subclass of Lab, not 0"),
        (LAB.replace("def oracle", "def orakel"), "judges no output"),
        ("x = 1\n\nraise SystemExit('boo')", "lab.py line 3 fails to import: SystemExit: boo"),
        ("class Scale(\n", "lab.py line 1 fails to import: SyntaxError"),
        (
            f"{LAB}\n    def __init__(self, *_):\n        raise KeyError('key')",
            "lab.py line 13 fails: KeyError",
        ),
    ],
)
def test_a_broken_lab_is_listed_and_the_others_load(tmp_path: Path, code: str, message: str) -> None:
    registry = discover([folder_of_labs(tmp_path, code=code)])
    assert "matmul" in registry.labs
    assert [lab.name for lab in registry.broken] == ["scale"]
    assert message in registry.broken[0].reason
    with pytest.raises(UserError, match="is broken"):
        registry.get("scale")


def test_a_lab_may_not_take_anothers_name(tmp_path: Path) -> None:
    manifest = GOOD.replace('name = "scale"', 'name = "matmul"', 1)
    registry = discover([folder_of_labs(tmp_path, manifest=manifest, name="matmul")])
    assert "another lab of this name" in registry.broken[0].reason


def test_a_folder_that_is_not_called_like_its_lab_is_broken(tmp_path: Path) -> None:
    registry = discover([folder_of_labs(tmp_path, name="other")])
    assert "the folder is called 'other'" in registry.broken[0].reason


def test_an_unknown_lab_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="Did you mean 'matmul'"):
        discover().get("matmull")
