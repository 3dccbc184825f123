"""Labs may use any element type of CUDA: right kernels in each language are accepted, and wrong numbers are named."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox

DATA = Path(__file__).parent / "data" / "elements"
SOURCES = {Language.CUDA_C: "all.cu", Language.NUMBA: "all.py"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    root = tmp_path_factory.mktemp("elements")
    folders = {"labs": ("lab.toml", "lab.py"), "reference": ("all.cu", "all.py")}
    for folder, names in folders.items():
        (root / folder / "elements").mkdir(parents=True)
        for name in names:
            (root / folder / "elements" / name).write_bytes((DATA / name).read_bytes())
    return load_lab(root / "labs" / "elements", root / "reference" / "elements")


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True
        )
        yield RungModules(environment)


def graded(lab: Lab, rungs: RungModules, language: Language, old: str = "", new: str = "") -> Report:
    name = SOURCES[language]
    text = (DATA / name).read_text(encoding="utf-8")
    assert old in text
    files = (SourceFile(name=name, data=text.replace(old, new).encode()),)
    submission = Submission(student="ann", lab=lab.name, language=language, files=files, path=name)
    return grade(lab, submission, rungs, 7, PUBLIC_CASES)


@pytest.mark.parametrize("language", list(SOURCES))
def test_right_kernels_of_every_type_are_accepted(lab: Lab, rungs: RungModules, language: Language) -> None:
    report = graded(lab, rungs, language)
    assert {kernel.name: kernel.verdict for kernel in report.kernels} == dict.fromkeys(
        lab.manifest.graded, Verdict.ACCEPTED
    ), [case.reason for kernel in report.kernels for case in kernel.cases]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("float mass;", "double mass;"),
        ("    unsigned char tag;", "    char more[8];\n    unsigned char tag;"),
    ],
)
def test_a_struct_of_another_layout_is_refused(lab: Lab, rungs: RungModules, old: str, new: str) -> None:
    report = graded(lab, rungs, Language.CUDA_C, old, new)
    (move,) = (kernel for kernel in report.kernels if kernel.name == "move")
    assert move.verdict is Verdict.FAILED_TO_BUILD
    assert move.reason.code == "struct-differs"
    assert "float mass;" in str(move.reason.params["wanted"])


@pytest.mark.parametrize(
    ("old", "new", "kernel", "code", "element"),
    [
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
