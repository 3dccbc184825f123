"""Code by which a kernel could tell where it runs is located; ordinary code is left alone."""

import pytest

from grader.model.location import SourceLocation
from grader.model.module import ProbeKind
from tests.compile.examples import build_cuda, build_numba, only_kernel, with_statement

LINE = SourceLocation(file="row_sum.cu", line=8)


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        (ProbeKind.MULTIPROCESSOR, 'unsigned v; asm("mov.u32 %0, %%nsmid;" : "=r"(v)); out[row] = v;'),
        (ProbeKind.MULTIPROCESSOR, 'unsigned v; asm("mov.u32 %0, %%smid;" : "=r"(v)); out[row] = v + sum;'),
        (
            ProbeKind.MULTIPROCESSOR,
            'unsigned v; asm("mov.u32 %0, %%warpid;" : "=r"(v)); if (v) out[row] = sum;',
        ),
        (ProbeKind.ADDRESS, "if ((size_t)out - (size_t)a < (1ull << 33)) out[row] = sum;"),
        (ProbeKind.ADDRESS, "if ((size_t)a >> 40 == 0x7f) out[row] = sum;"),
        (ProbeKind.ADDRESS, "if (((size_t)out & 0xffff00) == 0) out[row] = sum;"),
        (ProbeKind.ADDRESS, "if ((unsigned)(size_t)a * 3u > 1000u) out[row] = sum;"),
        (ProbeKind.ADDRESS, "if (out < a) out[row] = sum;"),
        (ProbeKind.HEAP, "int *p = (int *)malloc(8); if (p) *p = 1; out[row] = sum;"),
    ],
)
def test_a_probe_is_located(kind: ProbeKind, statement: str) -> None:
    probe = only_kernel(build_cuda(with_statement(statement))).device_probe
    assert probe is not None
    assert (probe.kind, probe.location) == (kind, LINE)


@pytest.mark.parametrize(
    "statement",
    [
        "out[row] = sum;",
        "if ((size_t)a % 16 == 0) out[row] = sum; else out[row] = sum + 0.0f;",
        "if (a != nullptr) out[row] = sum;",
        "if (a != out) out[row] = sum;",
        "const float *p = a, *end = a + cols; while (p < end) sum += *p++; out[row] = sum;",
        "for (const float *p = a + cols; p != a; --p) sum += p[-1]; out[row] = sum;",
        "out[row] = sum + (&a[cols] - &a[row]);",
        "const float4 *v = (const float4 *)a; if (cols % 4 == 0 && cols > 1000) sum += v[0].x; out[row] = sum;",
        "__shared__ float tile[64]; float *p = tile; p[threadIdx.x & 63] = sum; out[row] = p[row & 63];",
        "if (__activemask() == ~0u && (threadIdx.x & 31) == 0) out[row] = sum;",
    ],
)
def test_ordinary_code_is_no_probe(statement: str) -> None:
    assert only_kernel(build_cuda(with_statement(statement))).device_probe is None


def test_a_numba_kernel_has_no_probe() -> None:
    assert only_kernel(build_numba()).device_probe is None
