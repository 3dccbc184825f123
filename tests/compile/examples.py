"""Submissions to build, and one call that builds them."""

from collections.abc import Mapping

from grader.compile import build
from grader.compile.cpp_outline import outline
from grader.compile.host_code import device_part
from grader.compile.tokens import tokenize
from grader.model.build import BuildOutcome, BuildRequest
from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.kernel import KernelSpec, Param
from grader.model.module import BuiltKernel
from grader.model.submission import Language, SourceFile
from tools.messages import english

ROW_SUM = KernelSpec(
    name="row_sum",
    params=tuple(
        map(Param.parse, ("const float32 a[rows][cols]", "float32 out[rows]", "int32 rows", "int32 cols"))
    ),
)

CUDA_KERNEL = """\
__global__ void row_sum(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int i = 0; i < cols; i++)
            sum += a[row * cols + i];
        out[row] = sum;
    }
}
"""

NUMBA_KERNEL = """\
from numba import cuda, float32
import numpy as np

@cuda.jit
def row_sum(a, out, rows, cols):
    row = cuda.grid(1)
    if row < rows:
        total = 0.0
        for i in range(cols):
            total += a[row, i]
        out[row] = total
"""


def with_statement(statement: str) -> str:
    """Return the CUDA C kernel with another last ``statement``, in line 8."""
    return CUDA_KERNEL.replace("out[row] = sum;", statement)


def build_cuda(
    text: str | bytes = CUDA_KERNEL,
    *,
    name: str = "row_sum.cu",
    beside: Mapping[str, str] | None = None,
    kernels: tuple[KernelSpec, ...] = (ROW_SUM,),
    macros: dict[str, int] | None = None,
    forbid: tuple[str, ...] = (),
    arch: str = "sm_75",
) -> BuildOutcome:
    """Build a CUDA C submission of one file ``name``, with further files ``beside`` it."""
    return _build(Language.CUDA_C, text, name, beside, kernels, macros, forbid, arch)


def build_numba(
    text: str | bytes = NUMBA_KERNEL,
    *,
    name: str = "row_sum.py",
    beside: Mapping[str, str] | None = None,
    kernels: tuple[KernelSpec, ...] = (ROW_SUM,),
    macros: dict[str, int] | None = None,
    forbid: tuple[str, ...] = (),
    arch: str = "sm_75",
) -> BuildOutcome:
    """Build a Numba submission in the same way."""
    return _build(Language.NUMBA, text, name, beside, kernels, macros, forbid, arch)


def _build(
    language: Language,
    text: str | bytes,
    name: str,
    beside: Mapping[str, str] | None,
    kernels: tuple[KernelSpec, ...],
    macros: dict[str, int] | None,
    forbid: tuple[str, ...],
    arch: str,
) -> BuildOutcome:
    data = text.encode() if isinstance(text, str) else text
    files = (
        SourceFile(name=name, data=data),
        *(SourceFile(name=other, data=content.encode()) for other, content in (beside or {}).items()),
    )
    return build(
        BuildRequest(
            language=language, files=files, kernels=kernels, macros=macros or {}, forbid=forbid, arch=arch
        )
    )


def only_kernel(outcome: BuildOutcome) -> BuiltKernel:
    """Return the only kernel of an outcome without faults."""
    assert outcome.fault is None, outcome.fault
    assert outcome.problems == {}
    assert outcome.module is not None
    (kernel,) = outcome.module.kernels
    return kernel


def ptx(outcome: BuildOutcome) -> str:
    """Return the PTX of the first unit."""
    assert outcome.module is not None, outcome.fault
    return outcome.module.units[0].ptx


def reason(outcome: BuildOutcome) -> str:
    """Return why the build failed."""
    assert outcome.fault is not None
    assert outcome.module is None
    return english(outcome.fault.reason)


def of_kind(outcome: BuildOutcome, kind: DiagnosticKind) -> list[Diagnostic]:
    """Return the diagnostics of one kind."""
    return [diagnostic for diagnostic in outcome.diagnostics if diagnostic.kind is kind]


def stripped(source: str, overridden: frozenset[str] = frozenset()) -> str:
    """Return the device part of a CUDA C file."""
    return device_part(source, outline(tuple(tokenize(source))), overridden=overridden).text
