"""The shift of `texture-shift` clamps at every border, and Numba supports one of its two kernels."""

from dataclasses import replace

import numpy as np
import pytest

from grader.labs.manifest import Case
from grader.languages import languages_of
from grader.model.submission import Language
from tests.compile.examples import build_numba
from tools.labs import built_in_labs
from tools.messages import english

LAB = built_in_labs().labs["texture-shift"]
CASES = [case for case in LAB.manifest.cases if case.sizes["rows"] < 200]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_pixel_comes_from_where_the_handout_says(case: Case) -> None:
    rows, cols, down, right = (case.sizes[name] for name in ("rows", "cols", "down", "right"))
    inputs = LAB.inputs(case, np.random.default_rng(1))
    out = LAB.oracle(case, inputs)["out"].value
    for row in range(rows):
        for col in range(cols):
            from_row, from_col = min(max(row - down, 0), rows - 1), min(max(col - right, 0), cols - 1)
            assert out[row, col] == inputs["image"][from_row, from_col]


def test_a_shift_beyond_the_image_repeats_its_corner() -> None:
    case = replace(CASES[0], sizes={"rows": 4, "cols": 3, "down": 9, "right": 9})
    inputs = LAB.inputs(case, np.random.default_rng(1))
    assert (LAB.oracle(case, inputs)["out"].value == inputs["image"][0, 0]).all()


def test_numba_has_only_the_kernel_without_a_texture() -> None:
    numba = [k.spec.name for k in LAB.manifest.kernels if Language.NUMBA in languages_of(k.spec)]
    assert numba == ["shift_global"]


def test_a_numba_submission_keeps_the_kernel_without_textures() -> None:
    text = (LAB.reference / "global.py").read_text(encoding="utf-8")
    kernels = tuple(kernel.spec for kernel in LAB.manifest.kernels)
    outcome = build_numba(text, name="shift.py", kernels=kernels)
    (name,) = outcome.problems
    assert name == "shift_texture"
    reason = english(outcome.problems[name].reason)
    assert "image as a texture" in reason
    assert "CUDA C" in reason
    assert outcome.module is not None
    assert [kernel.name for kernel in outcome.module.kernels] == ["shift_global"]
