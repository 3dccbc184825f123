"""Kernels that declare the lab's parameters in their own way, with the answers that they must give."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from grader.compile import build
from grader.engines.port import Engine
from grader.model.build import BuildRequest
from grader.model.element_types import DType
from grader.model.kernel import KernelSpec, Param
from grader.model.module import DeviceModule
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob, RunOptions
from grader.model.submission import Language, SourceFile

N = 1000
ROWS, COLUMNS, INNER = 20, 30, 7

COMBINE = KernelSpec(
    name="combine",
    params=tuple(map(Param.parse, ("const float32 a[n]", "const float32 b[n]", "float32 c[n]", "int32 n"))),
)
MATMUL = KernelSpec(
    name="product",
    params=tuple(
        map(
            Param.parse,
            (
                *("const float32 a[m][k]", "const float32 b[k][n]", "float32 c[m][n]"),
                *("int32 m", "int32 n", "int32 k"),
            ),
        )
    ),
)


@dataclass(frozen=True)
class OwnParameters:
    """A kernel ``combine`` (c = a - 2 b) or ``product`` (c = a b) with parameters of its own."""

    name: str
    source: str
    spec: KernelSpec = COMBINE
    language: Language = Language.CUDA_C


def combine(parameters: str, *, size: str = "n", names: str = "a b c", before: str = "") -> str:
    """``c = a - 2 b`` in CUDA C, with the parameters as given."""
    a, b, c = names.split()
    return (
        f"{before}__global__ void combine({parameters})\n{{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < {size}) {c}[i] = {a}[i] - 2 * {b}[i];\n}}\n"
    )


PRODUCT = """\
__global__ void product(float *A, float *B, float *C, int numARows, int numAColumns, int numBRows, int numBColumns,
                        int numCRows, int numCColumns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= numCRows || col >= numCColumns) return;
    float sum = 0;
    for (int i = 0; i < numBRows; i++) sum += A[row * numAColumns + i] * B[i * numBColumns + col];
    C[row * numCColumns + col] = sum;
}
"""
VECTORS = """\
__global__ void combine(const float4 *a, const float4 *b, float4 *c, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x - 2 * y.x, x.y - 2 * y.y, x.z - 2 * y.z, x.w - 2 * y.w);
}
"""
NUMBA = """\
from numba import cuda

@cuda.jit
def combine({parameters}):
    i = cuda.grid(1)
    if i < {size}:
        c[i] = a[i] - 2 * b[i]
"""
KERNELS = [
    OwnParameters("size_t", combine("const float *a, const float *b, float *c, size_t n")),
    OwnParameters("long long", combine("const float *a, const float *b, float *c, long long n")),
    OwnParameters(
        "output first", combine("float *out, const float *x, const float *y, unsigned n", names="x y out")
    ),
    OwnParameters("size first", combine("int n, float *c, float *b, float *a")),
    OwnParameters(
        "size between",
        combine("const float *x, size_t size, const float *y, float *z", names="x y z", size="size"),
    ),
    OwnParameters(
        "no size", combine("float *c, const float *a, const float *b", size="N", before=f"#define N {N}\n")
    ),
    OwnParameters("vectors", VECTORS),
    OwnParameters(
        "template", combine("const T *a, const T *b, T *c, int n", before="template <typename T> ")
    ),
    OwnParameters("six sizes", PRODUCT, MATMUL),
    OwnParameters("numba order", NUMBA.format(parameters="n, c, b, a", size="n"), language=Language.NUMBA),
    OwnParameters(
        "numba no size", NUMBA.format(parameters="c, a, b", size="c.size"), language=Language.NUMBA
    ),
]


@cache
def built(case: OwnParameters, arch: str) -> DeviceModule:
    """Build the kernel for ``arch``."""
    suffix = "cu" if case.language == Language.CUDA_C else "py"
    outcome = build(
        BuildRequest(
            language=case.language,
            files=(SourceFile(name=f"kernel.{suffix}", data=case.source.encode()),),
            kernels=(case.spec,),
            arch=arch,
        )
    )
    assert outcome.module is not None, outcome.fault
    return outcome.module


def check(engine: Engine, case: OwnParameters) -> None:
    """Run the kernel and compare its output with NumPy's."""
    a, b, expected, sizes, shape = _problem(case.spec)
    plan = LaunchPlan(
        buffers=tuple(
            Buffer(name=name, dtype=DType.FLOAT32, shape=array.shape, role=role)
            for name, array, role in (
                ("a", a, Role.INPUT),
                ("b", b, Role.INPUT),
                ("c", expected, Role.OUTPUT),
            )
        ),
        launches=(Launch(kernel=case.spec.name, shape=shape, args=("a", "b", "c", *sizes)),),
    )
    job = LaunchJob(
        module=built(case, engine.device.arch), plan=plan, inputs={"a": a.tobytes(), "b": b.tobytes()}
    )
    ran = engine.run(job, RunOptions(timeout=60.0))
    assert ran.fault is None
    result = np.frombuffer(ran.outputs["c"], np.float32).reshape(expected.shape)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)


def _problem(
    spec: KernelSpec,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], tuple[int, ...], LaunchShape]:
    rng = np.random.default_rng(5)
    if spec is COMBINE:
        first, second = rng.standard_normal((2, N)).astype(np.float32)
        shape = LaunchShape(grid=Dim3(x=4), block=Dim3(x=256))
        return first, second, first - 2 * second, (N,), shape
    left = rng.standard_normal((ROWS, INNER)).astype(np.float32)
    right = rng.standard_normal((INNER, COLUMNS)).astype(np.float32)
    shape = LaunchShape(grid=Dim3(x=4, y=4), block=Dim3(x=8, y=8))
    return left, right, left @ right, (ROWS, COLUMNS, INNER), shape
