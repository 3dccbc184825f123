"""Invariant 1: a worker that runs student code may send any reply; a forged reply gains nothing."""

from dataclasses import replace

import pytest

from grader.errors import GraderError
from grader.grading.sanitize_reason import MAX_REASON
from grader.grading.sanitize_worker_output import MAX_PTX_BYTES, sanitize
from grader.languages.builtin import CUDA_C
from grader.model.build import BuildRequest, Translation
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.kernel import KernelSpec, Param
from grader.model.module import Abi, FoundKernel, PtxModule, PtxUnit
from grader.model.reason import as_written, reason
from grader.model.run import Fault
from grader.model.submission import Language, SourceFile
from grader.model.text import printable
from grader.model.verdict import Verdict
from tools.messages import english

FILL = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"),))
SCALE = KernelSpec(name="scale", params=(Param.parse("inout float32 y[n]"),))
REQUEST = BuildRequest(
    language=Language.NUMBA, files=(SourceFile(name="mine.py", data=b"pass"),), kernels=(FILL, SCALE)
)
UNIT = PtxUnit(name="mine.py:fill", ptx="")


def found(name: str, *, unit: int = 0, file: str | None = "mine.py") -> FoundKernel:
    return FoundKernel(name=name, symbol=name, unit=unit, abi=Abi.NUMBA, file=file, line=3)


def translation_of(
    *kernels: FoundKernel, unit: PtxUnit = UNIT, files: tuple[str, ...] = ("mine.py",)
) -> Translation:
    return Translation(module=PtxModule(units=(unit,), kernels=kernels, user_files=files))


def names(translation: Translation) -> list[str]:
    return [kernel.name for kernel in translation.module.kernels] if translation.module else []


def test_only_requested_kernels_in_a_unit_are_accepted() -> None:
    translation = sanitize(translation_of(found("fill"), found("extra"), found("scale", unit=7)), REQUEST)
    assert names(translation) == ["fill"]
    assert translation.problems["scale"].verdict is Verdict.FAILED_TO_BUILD


def test_a_kernel_that_is_not_spoken_of_has_failed_to_build() -> None:
    translation = sanitize(translation_of(found("fill")), REQUEST)
    assert list(translation.problems) == ["scale"]
    assert translation.problems["scale"].reason.code == "kernel-not-reported"


def test_silence_about_everything_is_a_failure_too() -> None:
    outcome = sanitize(Translation(), REQUEST)
    assert outcome.module is None
    assert set(outcome.problems) == {"fill", "scale"}


def test_a_kernel_named_twice_is_no_module() -> None:
    translation = sanitize(translation_of(found("fill"), found("fill")), REQUEST)
    assert translation.module is None
    assert translation.fault is not None
    assert translation.fault.verdict is Verdict.FAILED_TO_BUILD


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if not verdict.earns_correctness])
def test_a_failed_build_has_failed_whatever_verdict_it_claims(verdict: Verdict) -> None:
    said = Fault(verdict=Verdict.FAILED_TO_BUILD, reason=reason("compiler-words", words="all is well"))
    claim = Fault(verdict=verdict, reason=as_written("all is well"))
    whole = sanitize(Translation(fault=claim), REQUEST)
    assert whole.fault == said
    part = sanitize(
        replace(translation_of(found("fill")), problems={"scale": claim, "other": claim}), REQUEST
    )
    assert part.problems == {"scale": said}


def test_messages_are_single_printable_bounded_lines() -> None:
    long = "\x1b[31mred\n" + "x" * 100_000
    note = Diagnostic(
        kind=DiagnosticKind.COMPILER,
        severity=Severity.ERROR,
        message=as_written(long),
        advice=as_written(long),
    )
    translation = sanitize(
        Translation(
            fault=Fault(verdict=Verdict.CRASHED, reason=as_written(long)), diagnostics=(note,) * 1000
        ),
        REQUEST,
    )
    assert translation.fault is not None
    texts = [translation.fault.reason, *(note.message for note in translation.diagnostics)]
    assert all(
        len(english(text)) <= MAX_REASON and printable(english(text)) == english(text) for text in texts
    )
    assert len(translation.diagnostics) < 100


def test_what_only_a_run_can_find_is_not_taken_from_a_build() -> None:
    race = Diagnostic(kind=DiagnosticKind.SHARED_RACE, severity=Severity.ERROR, message=as_written("a race"))
    assert sanitize(replace(translation_of(), diagnostics=(race,)), REQUEST).diagnostics == ()


def test_locations_are_in_submitted_files_or_absent() -> None:
    note = Diagnostic(
        kind=DiagnosticKind.COMPILER,
        severity=Severity.NOTE,
        message=as_written("see"),
        file="/etc/shadow",
        line=1,
    )
    answer = replace(
        translation_of(found("fill", file="/etc/shadow"), files=("/etc/shadow", "mine.py")),
        diagnostics=(note,),
    )
    translation = sanitize(answer, REQUEST)
    assert translation.module is not None
    assert translation.module.user_files == ("mine.py",)
    assert (translation.module.kernel("fill").file, translation.module.kernel("fill").line) == (None, None)
    assert [(note.file, note.line) for note in translation.diagnostics] == [(None, None)]


def test_more_code_than_anybody_writes_is_refused() -> None:
    huge = PtxUnit(name="mine.py", ptx="x" * (MAX_PTX_BYTES + 1))
    translation = sanitize(translation_of(found("fill"), unit=huge), REQUEST)
    assert translation.module is None
    assert translation.fault is not None
    assert translation.fault.reason.code == "code-too-large"


def test_an_honest_answer_passes_unchanged() -> None:
    source = b'extern "C" __global__ void fill(float *y) { y[0] = 1; }\n'
    request = BuildRequest(
        language=Language.CUDA_C, files=(SourceFile(name="mine.cu", data=source),), kernels=(FILL,)
    )
    answer = CUDA_C.translate(request)
    assert sanitize(answer, request) == answer


def test_a_lab_fault_is_reported_as_one() -> None:
    with pytest.raises(GraderError, match="magic"):
        CUDA_C.translate(replace(REQUEST, forbid=("magic",)))
