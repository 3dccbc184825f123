"""Right kernels are checked at drawn sizes near the timed ones, too."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.nearby_sizes import nearby_case
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.manifest import Case, Use
from grader.model.report import Report, Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs

LAB = built_in_labs().get("vector-add")

ADD = """
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = CONDITION ? a[i] + b[i] : 0.0f;
}
"""


def case(**sizes: int) -> Case:
    return Case(
        name="case",
        visibility=Visibility.PUBLIC,
        use=frozenset({Use.CHECK, Use.TIME}),
        sizes=sizes,
        inputs="normal",
        engines=frozenset(EngineKind),
    )


def test_sizes_are_drawn_near_and_differ_by_seed() -> None:
    cases = [case(m=1000, n=2000), case(m=7, n=3)]
    drawn = [nearby_case(cases[0], cases, seed) for seed in range(20)]
    assert all(abs(each.sizes["m"] - 1000) <= 30 and each.sizes["m"] != 1000 for each in drawn)
    assert len({each.sizes["m"] for each in drawn}) > 10
    assert nearby_case(cases[0], cases, 3) == drawn[3]


def test_what_all_cases_share_stays() -> None:
    cases = [case(m=4096, n=4096, k=64, depth=128), case(m=64, n=64, k=32, depth=128)]
    for seed in range(20):
        sizes = nearby_case(cases[0], cases, seed).sizes
        assert sizes["m"] == sizes["n"] != 4096, "equal sizes stay equal"
        assert sizes["m"] % 64 == 0, "a multiple stays a multiple"
        assert sizes["depth"] == 128, "a constant is no free size"
        assert sizes["k"] == 64, "there is no other multiple nearby"


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


def graded(rungs: RungModules, condition: str, *, nearby: bool = True) -> Report:
    lab = type(LAB)(replace(LAB.manifest, nearby_sizes=nearby), LAB.folder, LAB.reference)
    file = SourceFile(name="add.cu", data=ADD.replace("CONDITION", condition).encode())
    submission = Submission(
        student="s", lab=lab.name, language=Language.CUDA_C, files=(file,), path=file.name
    )
    return grade(lab, submission, rungs, seed=5)


ONE_SIZE = "(n < 200000 || n == 300007)"


def test_a_kernel_for_the_sizes_of_the_cases_is_wrong(rungs: RungModules) -> None:
    report = graded(rungs, ONE_SIZE)
    assert report.verdict is Verdict.WRONG
    (failed,) = [each for each in report.kernels[0].cases if each.verdict is not Verdict.ACCEPTED]
    assert (failed.name, failed.reason.code) == ("medium", "wrong-at-nearby-sizes")


def test_an_ordinary_kernel_is_right_at_all_sizes(rungs: RungModules) -> None:
    assert graded(rungs, "true").verdict is Verdict.ACCEPTED


def test_a_lab_may_allow_the_sizes_of_its_cases_only(rungs: RungModules) -> None:
    assert graded(rungs, ONE_SIZE, nearby=False).verdict is Verdict.ACCEPTED
