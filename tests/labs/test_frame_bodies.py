"""Frames with the signature: students write the statements of a function, and all is said at their lines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.convert import ManifestError
from grader.labs.lab import Lab
from grader.model.diagnostic import DiagnosticKind
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.labs.frames_lab import BODIES, body_lab_of, lab_of, submission

LANGUAGES = list(BODIES)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return body_lab_of(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def graded(lab: Lab) -> Iterator[Callable[..., Report]]:
    with ProcessSandbox() as sandbox:
        rungs = RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )
        yield lambda language, text, **others: grade(
            lab, submission(lab, language, text, **others), rungs, 7, PUBLIC_CASES
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_statements_run_in_the_function_of_the_lab(graded: Callable[..., Report], language: Language) -> None:
    report = graded(language, BODIES[language])
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.score == report.max_score


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_statement_is_wrong(graded: Callable[..., Report], language: Language) -> None:
    assert graded(language, BODIES[language].replace("three * x", "x * x")).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("language", "line", "text"),
    [
        (Language.CUDA_C, 2, "float *far = (float *)0x40;\nreturn far[i];"),
        (Language.NUMBA, 3, "tile = cuda.shared.array(4, float32)\nat = i + 100000\nreturn tile[at] + x"),
    ],
)
def test_a_finding_is_at_the_students_line(
    graded: Callable[..., Report], language: Language, line: int, text: str
) -> None:
    found = [each for kernel in graded(language, text).kernels for each in kernel.diagnostics]
    wild = {DiagnosticKind.OUT_OF_BOUNDS, DiagnosticKind.NULL_ACCESS}
    lines = {(each.file, each.line) for each in found if each.kind in wild}
    assert lines == {("a.cu" if language == Language.CUDA_C else "a.py", line)}


@pytest.mark.parametrize(
    ("language", "text", "line"),
    [
        (Language.CUDA_C, "int a = 1;\nreturn y;", 2),
        (Language.NUMBA, "a = 1\nreturn x +", 2),
        (Language.NUMBA, "a = 1\nb = 2\nreturn math.nothing(x)", 3),
    ],
)
def test_a_compilers_error_is_at_the_students_line(
    graded: Callable[..., Report], language: Language, text: str, line: int
) -> None:
    report = graded(language, text)
    assert report.verdict is Verdict.FAILED_TO_BUILD
    location = report.reason.location or report.kernels[0].reason.location
    assert location is not None
    assert location.line == line


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("return x;\n}\n__device__ int guarded(int i, int n) {\nreturn 1;", "frame-body-bracket", 2),
        ("return x; %>\nint guarded(int i, int n) <%\nreturn 1;", "frame-word", 1),
        ("\n__device__ float mapped(float x, int i)\n{\n    return x;\n}", "frame-body-signature", 2),
        ("float a = x;\n#define i 5\nreturn a;", "frame-body-directive", 2),
        ("return x; /*", None, None),
        ("return x; // \\", None, None),
        ("if (i) { return x;", None, None),
        ('asm("}"); return x;', "frame-word", 1),
    ],
)
def test_statements_stay_inside_the_function(
    graded: Callable[..., Report], text: str, code: str | None, line: int | None
) -> None:
    report = graded(Language.CUDA_C, text)
    assert report.verdict is Verdict.FAILED_TO_BUILD
    if code is not None:
        assert report.reason.code == code
        assert report.reason.location is not None
        assert report.reason.location.line == line


def test_a_signature_and_a_second_file_are_refused(graded: Callable[..., Report]) -> None:
    whole = graded(Language.NUMBA, "def mapped(x, i):\n    return x\n")
    assert whole.reason.code == "frame-body-signature"
    assert graded(Language.NUMBA, "return x", other="return x").reason.code == "frame-body-files"
    assert graded(Language.CUDA_C, "return x;", other="return x;").reason.code == "frame-body-files"


def test_a_frame_with_a_body_has_one_function(tmp_path: Path) -> None:
    def change(folder: Path) -> None:
        path = folder / "lab.toml"
        text = path.read_text(encoding="utf-8").replace(
            'returns = "float32"', 'returns = "float32"\nbody = true'
        )
        path.write_text(text, encoding="utf-8")

    with pytest.raises(ManifestError, match="one function"):
        lab_of(tmp_path, change)
