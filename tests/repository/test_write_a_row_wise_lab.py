"""The lab of "Write a row-wise lab", copied out of the page and put to work beside the files that such labs share."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from grader.labs import Case, Lab
from grader.labs.distributions import DISTRIBUTIONS
from grader.labs.registry import Catalogue, discover
from tests.assignments.float32_sums import (
    ORDERS,
    Float32,
    case_of,
    half_precision,
    sequential,
    share_of_tolerance,
)
from tests.repository.project import captioned_files
from tools.paths import CHECKOUT


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder a reader of the page ends up with."""
    folder = tmp_path_factory.mktemp("course")
    for name, code in captioned_files(CHECKOUT / "docs" / "lab-author" / "write-a-row-wise-lab.md").items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    shutil.copytree(CHECKOUT / "reference" / "row-wise", folder / "course" / "reference" / "row-wise")
    return folder


@pytest.fixture(scope="module")
def lab(course: Path) -> Lab:
    catalogue = Catalogue(labs=course / "course" / "assignments", reference=course / "course" / "reference")
    return discover([catalogue]).get("row-geometric-mean")


def case_named(lab: Lab, name: str) -> Case:
    return next(case for case in lab.manifest.cases if case.name == name)


def test_the_pages_oracle_is_the_root_of_the_product(lab: Lab) -> None:
    expected = lab.oracle(lab.manifest.cases[0], {"a": np.array([[1, 4], [2, 8], [3, 3]], np.float32)})
    assert np.allclose(expected["out"].value, [2, 4, 3], rtol=1e-12)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_pages_inputs_are_positive(lab: Lab, distribution: str) -> None:
    case = case_of(lab, distribution, rows=50, cols=70)
    assert (lab.inputs(case, np.random.default_rng(1))["a"] > 0).all()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "case_name", ["task-size", "wide", "tall", "equal-values", "huge-values", "tiny-values"]
)
def test_means_in_any_order_pass_with_room_to_spare(
    lab: Lab, case_name: str, order: Callable[[Float32], Float32]
) -> None:
    case = case_named(lab, case_name)
    for seed in range(16):
        inputs = lab.inputs(case, np.random.default_rng(seed))
        means = np.exp(order(np.log(inputs["a"])) / np.float32(case.sizes["cols"]))
        assert share_of_tolerance(lab, case, inputs, means) < 0.5


@pytest.mark.parametrize("case_name", ["ragged", "task-size", "wide", "tall", "huge-values"])
def test_means_of_inputs_in_half_precision_are_wrong(lab: Lab, case_name: str) -> None:
    case = case_named(lab, case_name)
    inputs = lab.inputs(case, np.random.default_rng(1))
    logarithms = np.log(half_precision(inputs["a"]))
    means = np.exp(sequential(logarithms) / np.float32(case.sizes["cols"]))
    assert share_of_tolerance(lab, case, inputs, means) > 1


@pytest.mark.labs
def test_the_pages_lab_proves_itself(course: Path) -> None:
    command = [str(Path(sys.executable).with_name("grader")), "labs", "validate", "row-geometric-mean"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
