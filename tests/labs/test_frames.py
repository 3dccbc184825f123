"""Frames: a student's functions in the lab's own kernels, which nothing in a student's file can change."""

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
from tests.labs.frames_lab import RUNGS, lab_of, submission

LANGUAGES = list(RUNGS)
CUDA_C = RUNGS[Language.CUDA_C]
NUMBA = RUNGS[Language.NUMBA]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab_of(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True)
        )


@pytest.fixture(scope="module")
def graded(lab: Lab, rungs: RungModules) -> Callable[..., Report]:
    def graded(language: Language, text: str, **others: str) -> Report:
        return grade(lab, submission(lab, language, text, **others), rungs, 7, PUBLIC_CASES)

    return graded


@pytest.mark.parametrize("language", LANGUAGES)
def test_functions_run_in_the_kernels_of_the_lab(graded: Callable[..., Report], language: Language) -> None:
    report = graded(language, RUNGS[language])
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.score == report.max_score


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        (Language.CUDA_C, "tile[threadIdx.x + stride]", "tile[threadIdx.x + 9000 * stride]"),
        (Language.NUMBA, "tile[t + stride]", "tile[t + 9000 * stride]"),
    ],
)
def test_a_finding_is_at_the_students_line(
    graded: Callable[..., Report], language: Language, old: str, new: str
) -> None:
    text = RUNGS[language]
    report = graded(language, text.replace(old, new))
    found = [
        each
        for kernel in report.kernels
        for each in kernel.diagnostics
        if each.kind is DiagnosticKind.OUT_OF_BOUNDS
    ]
    line = text[: text.index(old)].count("\n") + 1
    assert {(each.file, each.line) for each in found} == {
        (f"a{'.cu' if language == 'cuda-c' else '.py'}", line)
    }


def test_a_compilers_error_is_at_the_students_line(graded: Callable[..., Report]) -> None:
    report = graded(Language.CUDA_C, CUDA_C.replace("return FACTOR", "return FACTORY"))
    assert report.verdict is Verdict.FAILED_TO_BUILD
    errors = [(each.file, each.line) for each in report.diagnostics if each.severity == "error"]
    assert errors == [("a.cu", 5)]


ESCAPES = {
    "a block that the frame would close": ("", "__device__ void f() { if (true) {", None),
    "a brace in a macro": ("#define OPEN {", "__device__ void f() { OPEN }", None),
    "a comment that swallows the frame": ("", "/* never closed", None),
    "a line joined with the next": ("", "__device__ int \\", None),
    "a template for the frame's kernel": ("", "template <class T>", None),
    "a macro for a word of the frame": ("#define guarded(i, n) 1", "", "frame-name"),
    "a macro in a macro for a word of the frame": ("#define F guarded", "", "frame-name"),
    "a macro for a keyword of CUDA": ("#define __shared__", "", "frame-name"),
    "a macro that pastes a name": ("#define P(a, b) a##b", "", "frame-directive"),
    "the frame's macro removed": ("#undef WIDTH", "", "frame-name"),
    "an overload of the frame's function": (
        "",
        "__device__ int guarded(unsigned i, int n) { return 1; }",
        "frame-name",
    ),
    "a variable of the frame's name": ("", "__device__ float tile[64];", "frame-name"),
    "a value of the frame's name": ("", "enum { WIDTH_2, WIDTH };", "frame-name"),
    "a kernel of the same name": (
        "",
        "__global__ void map_all(const float *x, float *y, int n) {}",
        "frame-word",
    ),
    "a conditional that hides code": ("#ifdef NOTHING", "#endif", "frame-directive"),
    "other line numbers": ('#line 7 "kernels.cu"', "", "frame-directive"),
    "the frame included again": ('#include "kernels.cu"', "", "frame-directive"),
    "a layout for the frame's structs": ("#pragma pack(1)", "", "frame-directive"),
    "the same as an operator": ('_Pragma("pack(1)")', "", "frame-word"),
    "assembly that ends the function": ("", '__device__ void f() { asm("}"); }', "frame-word"),
    "an operator for the frame's types": (
        "",
        "struct S {}; __device__ S operator+(S a, S b) { return a; }",
        "frame-word",
    ),
}


@pytest.mark.parametrize("what", ESCAPES)
def test_no_student_breaks_out_of_the_frame(graded: Callable[..., Report], what: str) -> None:
    before, after, code = ESCAPES[what]
    report = graded(Language.CUDA_C, f"{before}\n{CUDA_C}\n{after}")
    assert report.verdict is Verdict.FAILED_TO_BUILD
    assert report.score == 0
    if code is not None:
        assert report.reason.code == code
        assert report.reason.location is not None
        assert report.reason.location.file == "a.cu"


NUMBA_ESCAPES = {
    "a kernel of the same name": "\n@cuda.jit\ndef map_all(x, y, n):\n    y[0] = 1\n",
    "a nested kernel of the same name": "\ndef f():\n    @cuda.jit\n    def sums(x, total, n):\n        pass\n",
    "the frame's kernel replaced": "\nimport frame.kernels\nframe.kernels.map_all = None\n",
    "names of libraries replaced": "\ncuda.grid = lambda n: 0\nfloat32 = int\nrange = None\n",
    "host code that ends the grader": "\nimport os\nos._exit(0)\n",
}


@pytest.mark.parametrize("what", NUMBA_ESCAPES)
def test_nothing_beside_the_functions_counts_in_numba(graded: Callable[..., Report], what: str) -> None:
    assert graded(Language.NUMBA, NUMBA + NUMBA_ESCAPES[what]).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("language", "old", "new", "code"),
    [
        (Language.CUDA_C, "float mapped", "float map", "frame-function-missing"),
        (Language.CUDA_C, "__device__ float mapped", "float mapped", "frame-function-on-host"),
        (Language.CUDA_C, "mapped(float x, int i)", "mapped(double x, int i)", "frame-function-differs"),
        (Language.NUMBA, "def mapped", "def map", "frame-function-missing"),
        (Language.NUMBA, "def mapped(x, i)", "def mapped(x, i, j)", "frame-function-differs"),
        (Language.NUMBA, "def mapped(x, i)", "def mapped(*x)", "frame-function-differs"),
    ],
)
def test_a_missing_function_says_what_to_write(
    graded: Callable[..., Report], language: Language, old: str, new: str, code: str
) -> None:
    report = graded(language, RUNGS[language].replace(old, new))
    assert report.verdict is Verdict.FAILED_TO_BUILD
    assert report.reason.code == code
    assert report.reason.params["function"] == "mapped"


def test_functions_may_stand_in_several_files(graded: Callable[..., Report]) -> None:
    at = CUDA_C.index("__device__ void combine")
    assert graded(Language.CUDA_C, CUDA_C[:at], other=CUDA_C[at:]).verdict is Verdict.ACCEPTED
    at = NUMBA.index("@cuda.jit")
    other = "from numba import cuda\n" + NUMBA[at:]
    assert graded(Language.NUMBA, NUMBA[:at], other=other).verdict is Verdict.ACCEPTED


def test_a_launch_line_of_a_student_changes_no_kernel_of_the_lab(graded: Callable[..., Report]) -> None:
    report = graded(Language.CUDA_C, f"// launch: map_all block=1 grid=1\n{CUDA_C}")
    assert report.verdict is Verdict.ACCEPTED


def replaced(file: str, old: str, new: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        path = folder / file
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: (folder / "frame" / "kernels.py").unlink(), "languages without numba"),
        (replaced("frame/kernels.cu", '#include "student.cuh"', ""), "student.cuh"),
        (
            replaced("frame/kernels.cu", "__global__ void sums", '#include "late.h"\n__global__ void sums'),
            "include it before",
        ),
        (replaced("lab.toml", 'returns = "float32"', 'returns = "float"'), "write float32"),
        (replaced("lab.toml", 'name = "combine"', 'name = "mapped"'), "no name of a new function"),
        (replaced("lab.toml", "[[frame]]\nname", "[[structs]]\nname"), "structs"),
    ],
)
def test_a_mistake_in_a_frame_is_refused(tmp_path: Path, change: Callable[[Path], object], said: str) -> None:
    with pytest.raises(ManifestError, match=said):
        lab_of(tmp_path, change)
