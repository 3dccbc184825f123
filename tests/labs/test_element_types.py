"""Labs may use any element type of CUDA: right kernels in each language are accepted, and wrong numbers are named."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.elements_lab import SOURCES, lab_of, submission


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab_of(tmp_path_factory.mktemp("elements"))


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True
        )
        yield RungModules(environment)


def graded(lab: Lab, rungs: RungModules, language: Language, old: str = "", new: str = "") -> Report:
    return grade(lab, submission(lab, language, old, new), rungs, 7, PUBLIC_CASES)


@pytest.mark.parametrize("language", list(SOURCES))
def test_right_kernels_of_every_type_are_accepted(lab: Lab, rungs: RungModules, language: Language) -> None:
    report = graded(lab, rungs, language)
    assert {kernel.name: kernel.verdict for kernel in report.kernels} == dict.fromkeys(
        lab.manifest.graded, Verdict.ACCEPTED
    ), [case.reason for kernel in report.kernels for case in kernel.cases]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("move", "float mass;", "double mass;"),
        ("move", "    unsigned char tag;", "    char more[8];\n    unsigned char tag;"),
        ("light", "    unsigned char kind;", "    int kind;"),
    ],
)
def test_a_struct_of_another_layout_is_refused(
    lab: Lab, rungs: RungModules, name: str, old: str, new: str
) -> None:
    report = graded(lab, rungs, Language.CUDA_C, old, new)
    (kernel,) = (kernel for kernel in report.kernels if kernel.name == name)
    assert kernel.verdict is Verdict.FAILED_TO_BUILD
    assert kernel.reason.code == "struct-differs"
    assert {"move": "float mass;", "light": "unsigned char kind;"}[name] in str(
        kernel.reason.params["wanted"]
    )


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("float4 ramp", "double4 ramp", "parameter-differs"),
        ("float4 ramp", "int4 ramp", "parameter-differs"),
        ("Lens", "Glass", "parameter-differs"),
        ("float4 ramp, Lens lens", "Lens lens, float4 ramp", None),
    ],
)
def test_values_are_bound_by_their_types_and_names(
    lab: Lab, rungs: RungModules, old: str, new: str, code: str | None
) -> None:
    report = graded(lab, rungs, Language.CUDA_C, old, new)
    (light,) = (kernel for kernel in report.kernels if kernel.name == "light")
    assert (light.reason.code if light.verdict is Verdict.FAILED_TO_BUILD else None) == code
    assert code or light.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("old", "new", "kernel", "code", "element"),
    [
        ("lens.kind + 7.0", "7.0", "light", "output-beyond-tolerance", "lit["),
        ("step.x +", "step.x + 1 +", "rounds", "output-wrong", "sums[0]"),
        ("0.587f", "0.5f", "grey", "output-beyond-tolerance", "out[0]["),
        ("bodies[i].position.y += alpha;", "", "move", "output-wrong", "bodies[0].position[1]"),
        (
            "flags[i] = signs[i] > 0;",
            "if (i) flags[i] = signs[i] > 0;",
            "positive",
            "output-wrong",
            "flags[0]",
        ),
        ("__float2half(alpha", "__float2half(0.5f + alpha", "axpy", "output-beyond-tolerance", "y["),
        ("= signs[i];\n}", "= signs[i] + 1;\n}", "compact", "output-unexpected", "kept["),
    ],
)
def test_a_wrong_number_is_named(
    lab: Lab, rungs: RungModules, old: str, new: str, kernel: str, code: str, element: str
) -> None:
    report = graded(lab, rungs, Language.CUDA_C, old, new)
    found = {each.name: each for each in report.kernels}
    assert [name for name, each in found.items() if each.verdict is not Verdict.ACCEPTED] == [kernel]
    (case,) = found[kernel].cases
    assert case.reason.code == code
    assert str(case.reason.params["element"]).startswith(element)
