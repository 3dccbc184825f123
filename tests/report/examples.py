"""An invented class over three labs: every verdict, both languages, and names that could break a report."""

from dataclasses import replace

from grader.model.devices import TESLA_T4
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.performance_bounds import Arithmetic, attainable, peak
from grader.model.reason import Reason, as_written, reason
from grader.model.report import (
    CaseReport,
    EngineInfo,
    KernelReport,
    LatencyHiding,
    Part,
    Report,
    Resources,
    ResultsDocument,
    Roofline,
    RungPoint,
    Speedup,
    SpeedupKind,
    Visibility,
)
from grader.model.run import AccessSite, EngineKind, LineProfile
from grader.model.submission import Language, SourceFile
from grader.model.verdict import Verdict, most_severe

HTML_NAME = '<script>alert("x")</script> & <b>co</b>'
FORMULA_NAME = '=HYPERLINK("http://evil.example","click")'
ANSI_NAME = "\x1b[31mred\x1b[0m\x07 student"
NEWLINE_NAME = 'two\nlines, "quoted"\r\n,;\''
RTL_NAME = "مريم الأحمد"
OVERRIDE_NAME = "ab\u202egnp.exe"
EMOJI_NAME = "Zoë 👩\u200d🚀 O'Neil"
MARKUP_NAME = "[bold red]not markup[/] :smile:"
BYTES_NAME = "M\udcfcller"
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff-" * 3
NASTY_NAMES = (
    HTML_NAME,
    FORMULA_NAME,
    ANSI_NAME,
    NEWLINE_NAME,
    RTL_NAME,
    OVERRIDE_NAME,
    EMOJI_NAME,
    MARKUP_NAME,
    BYTES_NAME,
    LONG_NAME,
)

EMULATOR = EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4 (modelled)")
CUDA = EngineInfo(kind=EngineKind.CUDA, device="NVIDIA H200")

ROW_SUM_CU = """\
// launch: row_sum_shared block=256 grid=rows
#define BLOCK 256

extern "C" __global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > rows) return;
    float sum = 0.0f;
    for (int col = 0; col < cols; ++col)
        sum += a[row * cols + col];
    out[row] = sum;
}

extern "C" __global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float part[BLOCK];
    int row = blockIdx.x;
    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += BLOCK)
        sum += a[row * cols + col];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[row] = part[0];  // </pre><img src=x onerror=alert(1)>
}
"""

BROKEN_CU = """\
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y
    int col = blockIdx.x * blockDim.x + threadIdx.x;
}
"""


def said(text: str | Reason) -> Reason:
    """Build a reason, or keep one."""
    return as_written(text) if isinstance(text, str) else text


def case(
    name: str,
    verdict: Verdict = Verdict.ACCEPTED,
    reason: str | Reason = "right",
    *,
    hidden: bool = False,
) -> CaseReport:
    """Build one case."""
    visibility = Visibility.HIDDEN if hidden else Visibility.PUBLIC
    return CaseReport(name=name, visibility=visibility, verdict=verdict, reason=said(reason))


def in_case(name: str, text: str) -> Reason:
    """Build a kernel's reason: what happened in one case."""
    return reason("in-case", case=name, reason=as_written(text))


def speedup(value: float, kind: SpeedupKind = SpeedupKind.MODELLED, spread: float = 0.0) -> Speedup:
    """Build a speedup over ``global`` with an interval of ``spread`` to each side."""
    return Speedup(value=value, low=value - spread, high=value + spread, kind=kind, baseline="global")


def line(
    number: int,
    warps: int,
    *,
    active: float = 1.0,
    atomics: tuple[int, int] = (0, 0),
    file: str = "row_sum.cu",
) -> LineProfile:
    """Build a line's counters, with ``active`` active lanes; ``atomics`` are requests and passes."""
    return LineProfile(
        file=file,
        line=number,
        warp_instructions=warps,
        thread_instructions=round(32 * warps * active),
        atomic_requests=atomics[0],
        atomic_passes=atomics[1],
    )


def site(space: str, number: int, requests: int, taken: int, needed: int) -> AccessSite:
    """Build the traffic of a line of ``row_sum.cu``."""
    return AccessSite(
        space=space,
        file="row_sum.cu",
        line=number,
        store=False,
        requests=requests,
        transactions=taken,
        ideal=needed,
    )


def resources(registers: int = 32, shared: int = 0, occupancy: float = 1.0, spill: int = 0) -> Resources:
    """Build the resource report of ptxas and the occupancy rules."""
    return Resources(
        registers=registers,
        spill_bytes=spill,
        shared_bytes=shared,
        occupancy=occupancy,
        limiter="threads" if occupancy == 1.0 else "registers",
    )


def roofline(
    intensity: float,
    rate: float | None,
    *,
    arithmetic: Arithmetic = Arithmetic.FLOAT32,
    rungs: tuple[RungPoint, ...] = (),
    visibility: Visibility = Visibility.PUBLIC,
) -> Roofline:
    """Build the roofline of a kernel with this intensity and rate (operations per second) on a T4."""
    bound = attainable(TESLA_T4, arithmetic, intensity)
    return Roofline(
        arithmetic=arithmetic,
        intensity=intensity,
        best_intensity=5 * intensity,
        bound=bound,
        peak=peak(TESLA_T4, arithmetic),
        bandwidth=TESLA_T4.dram_bandwidth,
        operations_per_second=rate,
        bytes_per_second=160e9,
        share=rate / bound if rate is not None and bound else None,
        visibility=visibility,
        rungs=rungs,
    )


def kernel(
    name: str,
    verdict: Verdict = Verdict.ACCEPTED,
    reason: str | Reason = "every case is right",
    *,
    cases: tuple[CaseReport, ...] = (),
    fast: Speedup | None = None,
    seconds: float | None = None,
    needs: Resources | None = None,
    diagnostics: tuple[Diagnostic, ...] = (),
    lines: tuple[LineProfile, ...] = (),
    sites: tuple[AccessSite, ...] = (),
    printed: str = "",
    reached: Roofline | None = None,
    hiding: LatencyHiding | None = None,
) -> KernelReport:
    """Build one kernel."""
    return KernelReport(
        name=name,
        verdict=verdict,
        reason=said(reason),
        cases=cases,
        speedup=fast,
        seconds=seconds,
        resources=needs,
        diagnostics=diagnostics,
        lines=lines,
        sites=sites,
        printed=printed,
        roofline=reached,
        latency=hiding,
    )


def report(
    student: str,
    lab: str,
    *kernels: KernelReport,
    score: float = 100.0,
    verdict: Verdict | None = None,
    reason: str | Reason = "",
    language: Language = Language.CUDA_C,
    parts: tuple[Part, ...] = (),
    diagnostics: tuple[Diagnostic, ...] = (),
    file: str | None = None,
) -> Report:
    """Build one graded submission; its verdict is the most severe of its kernels' unless given."""
    suffix = ".cu" if language is Language.CUDA_C else ".py"
    return Report(
        student=student,
        lab=lab,
        file=file or f"{lab}/{student}{suffix}",
        language=language,
        verdict=verdict or most_severe([k.verdict for k in kernels]),
        reason=said(reason or "every kernel is right"),
        score=score,
        max_score=100.0,
        parts=parts
        or (Part(name="correctness", score=score, max_score=100.0, reason=as_written("by its cases")),),
        kernels=kernels,
        diagnostics=diagnostics,
    )


RIGHT_CASES = (
    case("task-1000"),
    case("edge-33"),
    case("negative"),
    case("hidden-1023x17", hidden=True),
    case("hidden-huge", hidden=True),
)

GOOD_ROW_SUM = report(
    "student-02",
    "row-sum",
    kernel("row_sum_global", cases=RIGHT_CASES, fast=speedup(1.0), seconds=412.6e-6, needs=resources(24)),
    kernel(
        "row_sum_shared",
        cases=RIGHT_CASES,
        fast=speedup(5.31),
        seconds=77.7e-6,
        needs=resources(28, 4096),
        diagnostics=(
            Diagnostic(
                kind=DiagnosticKind.BANK_CONFLICT,
                severity=Severity.NOTE,
                message=as_written(
                    "32 wavefronts per request where 1 would do; pad the rows of part to 33 floats."
                ),
                file="row_sum.cu",
                line=25,
                count=31_744,
            ),
        ),
    ),
    kernel(
        "row_sum_shared_padded",
        cases=RIGHT_CASES,
        fast=speedup(7.84),
        seconds=52.6e-6,
        needs=replace(
            resources(30, 4224, 0.75),
            active_warps=24,
            advice=reason("fewer-registers-fit", amount=26, blocks=4, share="100"),
        ),
        reached=roofline(
            0.25,
            76e9,
            rungs=(
                RungPoint(rung="global", intensity=0.03, operations_per_second=9.7e9),
                RungPoint(rung="shared_padded", intensity=0.25, operations_per_second=76e9),
            ),
        ),
        hiding=LatencyHiding(
            latency=500.0, clocks_per_instruction=0.5, instructions=33.6, needed=31, there=24, most=32
        ),
    ),
    file="row-sum/student-02/row_sum.cu",
    parts=(
        Part(
            name="correctness of row_sum_global",
            score=15.0,
            max_score=15.0,
            reason=as_written("5 of 5 cases right"),
        ),
        Part(
            name="correctness of row_sum_shared",
            score=15.0,
            max_score=15.0,
            reason=as_written("5 of 5 cases right"),
        ),
        Part(
            name="correctness of row_sum_shared_padded",
            score=15.0,
            max_score=15.0,
            reason=as_written("5 of 5 cases right"),
        ),
        Part(
            name="agreement", score=5.0, max_score=5.0, reason=as_written("all kernels give the same results")
        ),
        Part(
            name="row_sum_shared_padded has no bank conflicts",
            score=25.0,
            max_score=25.0,
            reason=as_written("yes"),
        ),
        Part(
            name="row_sum_shared_padded at least 2.5 times as fast as the baseline",
            score=25.0,
            max_score=25.0,
            reason=as_written("7.84× [7.80, 7.90] modelled; all 10 points"),
        ),
    ),
)

MISSING = as_written(
    "there is no kernel row_sum_shared_padded; write: __global__ void row_sum_shared_padded(const float *a, "
    "float *out, int rows, int cols)"
)

WRONG_ROW_SUM = report(
    "student-03",
    "row-sum",
    kernel(
        "row_sum_global",
        Verdict.CRASHED,
        in_case("task-1000", "row_sum.cu:10 reads past the end of a"),
        cases=(
            case("task-1000", Verdict.CRASHED, "row_sum.cu:10 reads past the end of a"),
            case("edge-33"),
            case("hidden-1023x17", Verdict.CRASHED, "reads element 17391 of 17391", hidden=True),
            case("hidden-huge", hidden=True),
        ),
        needs=resources(24),
        diagnostics=(
            Diagnostic(
                kind=DiagnosticKind.OUT_OF_BOUNDS,
                severity=Severity.ERROR,
                message=as_written(
                    "thread 105 of block 7 reads element 17391 of a, which has 17391 elements"
                ),
                advice=as_written("leave out the threads with a row of 1023 or more"),
                case="hidden-1023x17",
                kernel="row_sum_global",
                file="row_sum.cu",
                line=10,
                threads=1,
                count=17,
            ),
            Diagnostic(
                kind=DiagnosticKind.UNCOALESCED,
                severity=Severity.WARNING,
                message=as_written(
                    "32 sectors per request where 4 would do: neighbouring threads read different rows."
                ),
                file="row_sum.cu",
                line=10,
                count=250_000,
            ),
        ),
    ),
    kernel(
        "row_sum_shared",
        Verdict.WRONG,
        in_case("hidden-huge", "element 3 is 512.0 instead of 1024.0"),
        cases=(
            case("task-1000"),
            case("edge-33"),
            case("hidden-1023x17", hidden=True),
            case("hidden-huge", Verdict.WRONG, "element 3 is 512.0 instead of 1024.0", hidden=True),
        ),
        fast=speedup(5.2),
        seconds=79.3e-6,
        needs=resources(28, 1024, 0.5, spill=16),
        diagnostics=(
            Diagnostic(
                kind=DiagnosticKind.SHARED_RACE,
                severity=Severity.ERROR,
                message=as_written("thread 0 of block 0 reads part[64], which thread 64 writes"),
                advice=as_written("put __syncthreads() between lines 22 and 25"),
                kernel="row_sum_shared",
                file="row_sum.cu",
                line=25,
                related=(SourceLocation(file="row_sum.cu", line=22),),
                threads=192,
                count=992,
            ),
        ),
        lines=(
            line(17, 4_000),
            line(18, 2_000),
            line(19, 131_072, active=0.97),
            line(20, 98_304, active=0.97),
            line(21, 6_000),
            line(24, 41_000, active=0.26),
            line(25, 16_000, active=0.14, atomics=(100, 3_200)),
            line(27, 2_010, active=0.02),
        ),
        sites=(
            site("global", 20, 32_768, 131_072, 131_072),
            site("global", 27, 1_000, 1_000, 1_000),
            site("shared", 21, 8_000, 8_000, 8_000),
            site("shared", 25, 12_000, 384_000, 12_000),
        ),
        printed="row 0: 12.5\nrow 1: \x1b[31m</pre><b>7.25</b>\n",
    ),
    kernel(
        "row_sum_shared_padded",
        Verdict.FAILED_TO_BUILD,
        MISSING,
    ),
    score=38.33,
    reason=reason("in-kernel", kernel="row_sum_shared_padded", reason=MISSING),
    file="row-sum/student-03/row_sum.cu",
    parts=(
        Part(
            name="correctness",
            score=33.33,
            max_score=45.0,
            reason=reason("cases-right", right=5, total=8),
        ),
        Part(
            name="agreement",
            score=0.0,
            max_score=5.0,
            reason=as_written("row_sum_shared differs from row_sum_global"),
        ),
        Part(
            name="technique",
            score=5.0,
            max_score=25.0,
            reason=as_written("row_sum_global uses no shared memory"),
        ),
        Part(name="speed", score=0.0, max_score=25.0, reason=as_written("row_sum_shared_padded has no time")),
    ),
    diagnostics=(
        Diagnostic(
            kind=DiagnosticKind.LAUNCH_DIRECTIVE,
            severity=Severity.NOTE,
            message=as_written("row_sum_shared is launched as this line says."),
            file="row_sum.cu",
            line=1,
        ),
    ),
)

UNBUILT = report(
    "student-04",
    "matmul",
    kernel("matmul", Verdict.FAILED_TO_BUILD, 'matmul.cu:4: expected a ";"'),
    score=0.0,
    reason='matmul.cu:4: expected a ";"',
    diagnostics=(
        Diagnostic(
            kind=DiagnosticKind.COMPILER,
            severity=Severity.ERROR,
            message=as_written('expected a ";"'),
            file="matmul.cu",
            line=4,
        ),
        Diagnostic(
            kind=DiagnosticKind.HOST_CODE_IGNORED,
            severity=Severity.NOTE,
            message=as_written("main() is not graded; only the kernels are."),
            file="matmul.cu",
        ),
    ),
    file="matmul/student-04/matmul.cu",
)


def _plain(
    student: str,
    lab: str,
    verdict: Verdict,
    score: float,
    value: float | None,
    reason: str,
    language: Language = Language.CUDA_C,
) -> Report:
    name = lab.replace("-", "_")
    right = verdict.earns_correctness
    cases = (case("square-256"), case("odd-17x33x65", verdict if not right else Verdict.ACCEPTED, reason))
    only = kernel(
        name,
        verdict,
        reason,
        cases=cases,
        fast=None if value is None else speedup(value),
        seconds=None if value is None else 2.48e-3 / value,
        needs=resources(40, 2048, 0.75),
    )
    return report(student, lab, only, score=score, reason=reason, language=language)


REPORTS = (
    GOOD_ROW_SUM,
    WRONG_ROW_SUM,
    UNBUILT,
    _plain("student-01", "matmul", Verdict.ACCEPTED, 100.0, 3.92, "every case is right", Language.NUMBA),
    _plain("student-05", "matmul", Verdict.TIMED_OUT, 40.0, None, "odd-17x33x65: still running after 10 s"),
    _plain(
        "student-06", "matmul", Verdict.OVER_THE_LIMIT, 20.0, None, "odd-17x33x65: wanted 9 GiB of memory"
    ),
    _plain(
        "student-07", "matmul", Verdict.SUSPICIOUS, 70.0, 412.0, "faster than the device can read its inputs"
    ),
    _plain(
        "student-08",
        "matmul",
        Verdict.NOT_GRADABLE,
        0.0,
        None,
        "the engine failed three times; ask the staff",
    ),
    _plain("student-10", "transpose", Verdict.WRONG, 55.0, None, "element (0, 32) is 0.0 instead of 0.73"),
    _plain("student-9", "transpose", Verdict.ACCEPTED, 87.5, 2.11, "every case is right", Language.NUMBA),
    *(
        _plain(name, "transpose", Verdict.ACCEPTED, 75.0 + i, 1.5 + i / 10, f"every case of {name} is right")
        for i, name in enumerate(NASTY_NAMES)
    ),
)

DOCUMENT = ResultsDocument(
    grader_version="0.1.0",
    created_at="2025-11-21T03:30:00+00:00",
    engine=EMULATOR,
    reports=REPORTS,
)

SOURCES = {
    ("student-02", "row-sum"): (SourceFile(name="row_sum.cu", data=ROW_SUM_CU.encode()),),
    ("student-03", "row-sum"): (SourceFile(name="row_sum.cu", data=ROW_SUM_CU.encode()),),
    ("student-04", "matmul"): (SourceFile(name="matmul.cu", data=BROKEN_CU.encode()),),
}
