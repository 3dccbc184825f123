"""Which reference kernels must be faster than which."""

from dataclasses import replace

import pytest

from grader.labs.ladder import RungKernel, ladders, steps
from grader.labs.manifest import Manifest, Rung
from grader.labs.registry import discover
from grader.model.submission import Language


def names(manifest: Manifest, language: Language = Language.CUDA_C) -> list[list[str]]:
    return [[str(entry) for entry in ladder] for ladder in ladders(manifest, language)]


@pytest.fixture
def rows() -> Manifest:
    """Three kernels that compute the same, in one rung each."""
    manifest = discover().get("row-sum").manifest
    kernels = [request.spec.name for request in manifest.kernels]
    rungs = tuple(
        Rung(name=name, kernels=(kernel,), summary=name) for name, kernel in zip("abc", kernels, strict=True)
    )
    return replace(manifest, rungs=rungs)


def test_kernels_that_must_agree_share_a_ladder(rows: Manifest) -> None:
    assert names(rows) == [["row_sum_global of a", "row_sum_shared of b", "row_sum_shared_padded of c"]]


def test_kernels_that_need_not_agree_have_a_ladder_each(rows: Manifest) -> None:
    rungs = tuple(replace(rung, kernels=("row_sum_global", "row_sum_shared")) for rung in rows.rungs)
    apart = replace(rows, rungs=rungs, rubric=replace(rows.rubric, agreement=0))
    assert names(apart) == [
        ["row_sum_global of a", "row_sum_global of b", "row_sum_global of c"],
        ["row_sum_shared of a", "row_sum_shared of b", "row_sum_shared of c"],
        [],
    ]


def test_a_rung_without_gain_is_no_step_in_that_language_alone(rows: Manifest) -> None:
    idle = replace(rows.rungs[1], no_gain={Language.NUMBA: "it is there to be read"})
    manifest = replace(rows, rungs=(rows.rungs[0], idle, rows.rungs[2]))
    assert names(manifest, Language.NUMBA) == [["row_sum_global of a", "row_sum_shared_padded of c"]]
    assert names(manifest) == names(rows)


def test_two_kernels_of_one_rung_are_no_step() -> None:
    one, two, three = (RungKernel(rung=rung, kernel=kernel) for rung, kernel in ("ax", "ay", "bx"))
    assert steps([one, two, three]) == [(two, three)]
    assert steps([one]) == []
