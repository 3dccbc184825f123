"""Parameters of CUDA C kernels in an order of their own: which of the lab's arguments each takes, or why none does."""

import pytest

from grader.model.build import BuildOutcome
from grader.model.kernel import KernelSpec, Param
from tests.compile.examples import build_cuda, only_kernel
from tests.compile.parameter_labs import LABS

TAKEN = [
    # Types of the size
    ("add", "const float *a, const float *b, float *c, unsigned n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, unsigned int size", "a b c n"),
    ("add", "const float *a, const float *b, float *c, size_t n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, long n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, const long long n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, uint32_t n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, int64_t n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, index_t n", "a b c n"),
    ("add", "const float *a, const float *b, float *c, UINT n", "a b c n"),
    ("scale", "float *x, double factor, int n", "x factor n"),
    ("wide", "const long *x, unsigned long long *y, size_t n", "x y n"),
    # Types of arrays
    ("add", "const float4 *a, const float4 *b, float4 *c, int n", "a b c n"),
    ("add", "const float a[], const float b[], float c[], int n", "a b c n"),
    (
        "add",
        "const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n",
        "a b c n",
    ),
    ("add", "const volatile float *a, const float *const b, float *c, int n", "a b c n"),
    ("add", "data a, data b, real *c, int n", "a b c n"),
    ("square", "const float a[16][16], float b[][16], int n", "a b n"),
    ("sum", "const unsigned *x, unsigned int *out, uint4 *work, int n", "x out work n"),
    ("sum", "const int4 *x, int *out, int2 *work, int n", "x out work n"),
    ("sum", "const uchar4 *x, short2 *out, char4 *work, int n", "x out work n"),
    ("sum", "const void *x, void *out, void *work, int n", "x out work n"),
    ("points", "float3 *points, int n", "points n"),
    # Output first
    ("add", "float *c, const float *a, const float *b, int n", "c a b n"),
    ("add", "float *out, const float *x, const float *y, int n", "c a b n"),
    ("add", "float *z, const float *x, const float *y, int n", "c a b n"),
    ("add", "float *c, float *a, float *b, int n", "c a b n"),
    ("add", "float *d_C, float *d_A, float *d_B, int N", "c a b n"),
    ("add", "float *result, float *x, float *y, int n", "c a b n"),
    ("add", "float *c, float *x, float *y, int n", "c a b n"),
    ("add", "const float *x, float *out, const float *y, int n", "a c b n"),
    ("transpose", "float *odata, const float *idata, int width, int height", "b a cols rows"),
    ("transpose", "float *odata, float *idata, int width, int height", "b a cols rows"),
    ("matmul", "float *C, float *A, float *B, int wA, int wB", "c a b k n"),
    (
        "spmv",
        "float *y, const float *x, const float *val, const int *ptr, const int *col, int n",
        "y x values row_starts columns rows",
    ),
    (
        "spmv",
        "float *y, const int *ptr, const int *col, const float *val, const float *x, int n",
        "y row_starts columns values x rows",
    ),
    # Names in another order
    ("add", "const float *b, const float *a, float *c, int n", "b a c n"),
    ("transpose", "const float *in, float *out, int cols, int rows", "a b cols rows"),
    ("transpose", "const float *in, float *out, int nx, int ny", "a b cols rows"),
    ("transpose", "const float *in, float *out, int height, int width", "a b rows cols"),
    ("matmul", "const float *A, const float *B, float *C, int M, int K, int N", "a b c m k n"),
    ("matmul", "const float *B, const float *A, float *C, int M, int N, int K", "b a c m n k"),
    ("matmul", "float *A, float *B, float *C, int rowsA, int colsA, int colsB", "a b c m k n"),
    ("shift", "const float *x, float *shifted, int offset, int n", "x shifted offset n"),
    ("scale", "float *x, int n, float factor", "x n factor"),
    ("scale", "float *data, int count, float k", "x n factor"),
    ("rows", "const float *a, float *out, int count, int rows", "a out cols rows"),
    ("shift", "const float *x, float *shifted, int offset, int count", "x shifted offset n"),
    # Sizes first or between
    ("add", "int n, const float *a, const float *b, float *c", "n a b c"),
    ("add", "int n, float *c, const float *a, const float *b", "n c a b"),
    ("add", "const float *a, int n, const float *b, float *c", "a n b c"),
    ("matmul", "int m, int n, int k, const float *a, const float *b, float *c", "m n k a b c"),
    # Sizes that the kernel does not declare
    ("add", "const float *a, const float *b, float *c", "a b c"),
    ("add", "float *c, const float *a, const float *b", "c a b"),
    ("matmul", "float *a, float *b, float *c", "a b c"),
    ("matmul", "float *a, float *b, float *c, int n", "a b c n"),
    ("transpose", "float *in, float *out, int width", "a b cols"),
    ("rows", "const float *a, float *out, int cols", "a out cols"),
    # Sizes that it takes more than once
    ("square", "const float *a, float *b, int width, int height", "a b n n"),
    ("square", "const float *a, float *b, int rows, int cols", "a b n n"),
    (
        "matmul",
        "float *A, float *B, float *C, int numARows, int numAColumns, int numBRows, int numBColumns, int numCRows",
        "a b c m k k n m",
    ),
    # Scratch memory
    ("sum", "const int *x, int *out, int n", "x out n"),
    ("sum", "int *g_odata, const int *g_idata, unsigned n", "out x n"),
    # No helpful name: the declared order
    ("add", "float *x, float *y, float *z, int size", "a b c n"),
    ("add", "const float *p, const float *q, float *r, int count", "a b c n"),
    ("transpose", "const float *x, float *y, const int n, int m", "a b rows cols"),
    ("matmul", "const float *x, const float *y, float *z, int p, int q, int r", "a b c m n k"),
    ("matmul", "const float *x, const float *y, float *z, int n, int p, int q", "a b c m n k"),
    ("means", "const float *a, float *p, float *q, int rows, int cols", "a row_means column_means rows cols"),
    ("add", "const float *, const float *, float *, int", "a b c n"),
    # Textures
    ("texture", "cudaTextureObject_t t, float *out, int rows", "image out rows"),
    ("texture", "float *out, cudaTextureObject_t t, int rows", "out image rows"),
]
REFUSED = [
    ("add", "const double *a, const double *b, double *c, int n", "parameter-differs"),
    ("add", "const float *a, const float *b, int *c, int n", "parameter-differs"),
    ("add", "const float *a, const float *b, float c, int n", "parameter-differs"),
    ("add", "const float *a, const float **b, float *c, int n", "parameter-differs"),
    ("add", "const float *a, const float *b, float *c, short n", "parameter-differs"),
    ("add", "const float *a, const float *b, float *c, float n", "parameter-differs"),
    ("add", "const float *a, const float *b, float *c, bool n", "parameter-differs"),
    ("add", "const float *a, const float *b, float *c, dim3 n", "parameter-differs"),
    ("add", "const char *a, const float *b, float *c, int n", "parameter-differs"),
    ("wide", "const long *x, long *y, int n", "parameter-differs"),
    ("sum", "const short *x, int *out, int *work, int n", "parameter-differs"),
    ("add", "const short2 *a, const float *b, float *c, int n", "parameter-differs"),
    ("texture", "const float *image, float *out, int rows", "parameter-differs"),
    ("add", "const float *a, const float *b, float *c, int n, float alpha", "parameter-unknown"),
    ("add", "const float *a, const float *b, float *c, int n, int stride", "parameter-unknown"),
    ("add", "const float *a, const float *b, float *c, float *debug, int n", "parameter-unknown"),
    ("add", "const float *a, const float *b, float *c, int width, int height", "parameter-unknown"),
    ("add", "const float *a, float *c, int n", "parameter-missing"),
    ("add", "", "parameter-missing"),
    ("means", "const float *a, float *row_means, int rows, int cols", "parameter-missing"),
    ("matmul", "const float *a, const float *b, float *c, int width", "parameter-ambiguous"),
    ("transpose", "const float *in, float *out, int size", "parameter-ambiguous"),
    ("transpose", "const float *in, float *out, int n", "parameter-ambiguous"),
    ("shift", "const float *x, float *shifted, int s", "parameter-ambiguous"),
]

PRODUCT = "c[i * {n} + j] = a[i * {k} + j] + b[{n} * i + j];"
INDEXED = [
    # Letters that mean other sizes than the lab's
    (
        "matmul",
        "float *a, float *b, float *c, int n, int m, int k",
        PRODUCT.format(n="m", k="k"),
        "a b c m n k",
    ),
    (
        "matmul",
        "float *a, float *b, float *c, int N, int M, int K",
        PRODUCT.format(n="K", k="M"),
        "a b c m k n",
    ),
    (
        "matmul",
        "float *a, float *b, float *c, int m, int k, int n",
        PRODUCT.format(n="n", k="k"),
        "a b c m k n",
    ),
    (
        "matmul",
        "float *a, float *b, float *c, int p, int q, int r",
        PRODUCT.format(n="r", k="q"),
        "a b c m k n",
    ),
    ("transpose", "float *a, float *b, int n, int m", "b[i * m + j] = a[j * n + i];", "a b cols rows"),
    ("transpose", "float *a, float *b, int n, int m", "b[i * n + j] = a[j * m + i];", "a b rows cols"),
    ("transpose", "float *a, float *b, int w", "b[j] = a[j * w + i];", "a b cols"),
    ("rows", "const float *x, float *y, int n", "y[i] = x[i * n + j];", "a out cols"),
    # The lab's names in the lab's order, whatever the indices
    (
        "matmul",
        "float *a, float *b, float *c, int m, int n, int k",
        PRODUCT.format(n="m", k="n"),
        "a b c m n k",
    ),
    ("rows", "float *a, float *out, int rows, int cols", "out[i] = a[i * rows + j];", "a out rows cols"),
    ("rows", "float *a, float *out, int cols, int rows", "out[i] = a[i * rows + j];", "a out cols rows"),
    # Indices that contradict one another, or say nothing
    (
        "matmul",
        "float *a, float *b, float *c, int p, int q, int r",
        PRODUCT.format(n="q", k="q"),
        "a b c m n k",
    ),
    ("matmul", "float *a, float *b, float *c, int p, int q, int r", "c[i] = a[i * p * q];", "a b c m n k"),
    ("matmul", "float *a, float *b, float *c, int n", PRODUCT.format(n="n", k="n"), "a b c n"),
]


@pytest.mark.parametrize(("lab", "written", "body", "expected"), INDEXED)
def test_indices_say_which_size_is_the_length_of_a_row(
    lab: str, written: str, body: str, expected: str
) -> None:
    spec = KernelSpec(name="k", params=tuple(map(Param.parse, LABS[lab])))
    text = f"__global__ void k({written})\n{{\n    int i = threadIdx.x, j = 0;\n    {body}\n}}\n"
    kernel = only_kernel(build_cuda(text, kernels=(spec,)))
    assert " ".join(kernel.params[each.source].name for each in kernel.passed) == expected


@pytest.fixture(scope="module")
def built() -> BuildOutcome:
    """All kernels of both tables, ``k0``, ``k1`` and so on, in one file."""
    cases = [*TAKEN, *REFUSED]
    text = "typedef const float *data;\nusing index_t = unsigned;\n#define UINT unsigned int\n#define real float\n"
    text += "".join(f"__global__ void k{i}({written}) {{ }}\n" for i, (_, written, _) in enumerate(cases))
    specs = tuple(
        KernelSpec(name=f"k{index}", params=tuple(map(Param.parse, LABS[lab])))
        for index, (lab, _, _) in enumerate(cases)
    )
    return build_cuda(text, kernels=specs)


@pytest.mark.parametrize("index", range(len(TAKEN)), ids=[f"{lab}({written})" for lab, written, _ in TAKEN])
def test_each_parameter_takes_the_argument_that_is_meant(built: BuildOutcome, index: int) -> None:
    _, _, expected = TAKEN[index]
    assert f"k{index}" not in built.problems
    assert built.module is not None
    kernel = built.module.kernel(f"k{index}")
    names = [kernel.params[each.source].name for each in kernel.passed]
    assert " ".join(names) == expected


@pytest.mark.parametrize(
    "index", range(len(REFUSED)), ids=[f"{lab}({written})" for lab, written, _ in REFUSED]
)
def test_what_is_not_certain_is_refused_by_parameter(built: BuildOutcome, index: int) -> None:
    _, _, code = REFUSED[index]
    said = built.problems[f"k{len(TAKEN) + index}"].reason
    assert said.code == code
    assert said.location is not None
