"""Code does not depend on the time at which it is compiled."""

import time

import pytest

from grader.compile.build_time import CONSTANTS
from grader.model.reason import Reason
from tests.compile.examples import build_cuda, ptx, stripped

KERNEL = """{}
__global__ void row_sum(const float *a, float *out, int rows, int cols) {{
    const char text[] = {};
    if (threadIdx.x < rows) out[threadIdx.x] = text[threadIdx.x % (sizeof text - 1)];
}}
"""
USES = {
    "time": ("", "__TIME__"),
    "date": ("", '"built " __DATE__'),
    "timestamp": ("", "__TIMESTAMP__"),
    "by macro": ('#define BUILT __DATE__ /* not\n __TIME__ */ " " __TIME__', "BUILT"),
    "in two lines": ("#define BUILT __TI\\\nME__", "__DA\\\nTE__ BUILT"),
}


@pytest.mark.parametrize("use", USES)
def test_two_compilations_at_different_times_are_the_same(use: str) -> None:
    source = KERNEL.format(*USES[use])
    first = ptx(build_cuda(source))
    started = time.time()
    while int(time.time()) == int(started):
        time.sleep(0.05)
    assert ptx(build_cuda(source)) == first


@pytest.mark.parametrize("macro", CONSTANTS)
def test_each_macro_is_a_constant(macro: str) -> None:
    for source in (f"__device__ const char *built = {macro};\n", f"#define BUILT {macro}\n"):
        assert stripped(source) == source.replace(macro, CONSTANTS[macro])


def test_only_words_outside_literals_and_comments_are_replaced() -> None:
    kept = """// __TIME__
const char *name = "__TIME__" R"(__DATE__)";
#ifdef __TIME__
#endif
"""
    assert stripped(kept) == kept


def test_lines_stay_where_they_are() -> None:
    source = "#define A /* 1\n 2 */ __TIME__ \\\n x\n__device__ int __DA\\\nTE__;\nint last;\n"
    lines = stripped(source).split("\n")
    assert len(lines) == source.count("\n") + 1
    assert lines[-2] == "int last;"
    assert CONSTANTS["__TIME__"] in lines[0]


def test_host_code_may_print_when_it_was_built() -> None:
    source = KERNEL.format("", '"x"') + "int main() { puts(__DATE__ __TIME__); return 0; }\n"
    assert build_cuda(source).module is not None


@pytest.mark.parametrize(
    "joined",
    [
        "#define JOIN(a, b) a##b\n#define NOW JOIN(__TI, ME__)",
        "#define NOW_(x) __%:%:x%:%:__\n#define NOW NOW_(DATE)",
    ],
)
def test_a_macro_in_pieces_is_refused(joined: str) -> None:
    failed = build_cuda(KERNEL.format(joined, "NOW"))
    assert failed.module is None
    assert failed.fault is not None
    said = failed.fault.reason.params["reason"]
    assert isinstance(said, Reason)
    assert said.code == "build-time-pasted"


def test_joining_other_words_is_allowed() -> None:
    source = KERNEL.format("#define JOIN(a, b) a##b\n#define __TI 1", 'JOIN("", "x")').replace(
        'JOIN("", "x")', '"x"'
    )
    assert build_cuda(source).module is not None
