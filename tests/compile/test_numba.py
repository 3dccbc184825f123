"""Numba submissions, built."""

import re

import pytest

from grader.compile.sources import display_name
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.module import Abi
from grader.model.plan import Geometry
from tests.compile.examples import NUMBA_KERNEL, ROW_SUM, build_numba, only_kernel, ptx, reason
from tools.messages import english

GUARD = 'put host code under `if __name__ == "__main__":`'


def decorated(decorator: str) -> str:
    return NUMBA_KERNEL.replace("@cuda.jit", decorator)


def test_a_kernel_becomes_ptx_with_lines_and_a_cubin() -> None:
    outcome = build_numba()
    kernel = only_kernel(outcome)
    assert (kernel.abi, kernel.params, kernel.unit) == (Abi.NUMBA, ROW_SUM.params, 0)
    assert (kernel.file, kernel.line) == ("row_sum.py", 5)
    assert outcome.module is not None
    (unit,) = outcome.module.units
    assert unit.name == "row_sum.py:row_sum"
    assert re.findall(r'\.file\s+\d+ "(.*)"', unit.ptx) == ["row_sum.py"]
    assert re.search(r"\.loc\s+1 10 ", unit.ptx)
    assert unit.ptx.count(".param .u64") == 9 + 7
    assert unit.cubins["sm_75"].startswith(b"\x7fELF")


@pytest.mark.parametrize(
    "decorator",
    [
        "@cuda.jit()",
        "@cuda.jit(cache=True, fastmath=True)",
        '@cuda.jit("void(float32[:,:], float32[:], int32, int32)")',
        '@cuda.jit("(float32[:,::1], float32[::1], i4, i4)", cache=True)',
        '@cuda.jit(["void(float64[:,:], float64[:], i4, i4)", "void(float32[:,:], float32[:], i4, i4)"])',
        "@cuda.jit((float32[:, :], float32[:], cuda.types.int32, cuda.types.int32))",
    ],
)
def test_every_spelling_of_the_decorator_works_without_a_gpu(decorator: str) -> None:
    assert only_kernel(build_numba(decorated(decorator))).line == 5


@pytest.mark.parametrize(
    ("decorator", "why"),
    [
        ('@cuda.jit("void(float32[:,:], float32[:])")', "it has 2 types"),
        (
            '@cuda.jit("void(float64[:,:], float32[:], int32, int32)")',
            "a is array(float32, 2d, C), not array(float6",
        ),
        (
            '@cuda.jit("void(float32[:], float32[:], int32, int32)")',
            "a is array(float32, 2d, C), not array(",
        ),
        (
            '@cuda.jit("void(float32[:,:], float32, int32, int32)")',
            "out is array(float32, 1d, C), not float32",
        ),
        ('@cuda.jit("void(float32[:,")', "it cannot be read (SyntaxError)"),
        ('@cuda.jit("nonsense(float32)")', "it cannot be read (NameError)"),
        ("@cuda.jit(\"'exit()'\")", "it cannot be read (TypeError)"),
        ("@cuda.jit([\"'void(float32)'\"])", "it cannot be read (TypeError)"),
        ('@cuda.jit(("void(float32)", float32))', "it cannot be read (TypeError)"),
    ],
)
def test_an_eager_signature_unlike_the_labs_is_explained(decorator: str, why: str) -> None:
    assert f"row_sum.py, line 5: the signature given to @cuda.jit does not fit row_sum: {why}" in reason(
        build_numba(decorated(decorator))
    )


def test_a_kernel_with_other_parameters_is_shown_beside_the_labs() -> None:
    fault = build_numba(NUMBA_KERNEL.replace("(a, out, rows, cols)", "(a, out, *, rows: int = 3)")).fault
    assert fault is not None
    assert fault.reason.code == "parameters-differ"
    assert fault.reason.location == SourceLocation(file="row_sum.py", line=5)
    assert fault.reason.params["declared"] == "def row_sum(a, out, *, rows):"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            decorated(""),
            "numba-kernel-is-plain-function",
        ),
        (decorated("@cuda.jit(device=True)"), "numba-kernel-is-device-function"),
        (
            "from numba import njit\n" + decorated("@njit"),
            "numba-kernel-is-cpu-function",
        ),
        (NUMBA_KERNEL.replace("row_sum", "rowsum"), "kernel-missing-similar"),
        ("row_sum = 3\n", "numba-kernel-is-no-function"),
    ],
)
def test_a_missing_kernel_says_why(text: str, code: str) -> None:
    fault = build_numba(text).fault
    assert fault is not None
    assert fault.reason.code == code


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("total = 0.0", "total = unknown(1)", r"line 8: .*name 'unknown' is not defined"),
        (
            "= total",
            "= a",
            r"line 11: No implementation of function setitem found .*array\(float32, 2d, C\)\)",
        ),
        ("out[row] = total", "return total", r"line 11: No conversion .*\(a kernel returns nothing;"),
        (
            "total = 0.0",
            "t = cuda.shared.array(rows, float32); total = t[0]",
            r"line 8: .*must be a constant",
        ),
        ("total = 0.0", "total = a.nothing", r"line 8: Unknown attribute 'nothing' of type array"),
        ("= total", "= plain(total)", r"line 11: Untyped global name 'plain'.*@cuda.jit\(device=True\)"),
        ("= total", "= bad(total)", r"line 17: Unknown attribute 'real_part'"),
        ("= total", "= total\n        with open('x') as f:\n            pass", r"line 12: .*context manager"),
    ],
)
def test_a_compile_error_is_one_line_at_the_students_line(old: str, new: str, expected: str) -> None:
    helpers = "def plain(x):\n    return x\n\n@cuda.jit(device=True)\ndef bad(x):\n    return x.real_part\n"
    text = reason(build_numba(NUMBA_KERNEL.replace(old, new) + helpers))
    assert re.match(r"row_sum\.py, " + expected, text), text
    assert "\n" not in text
    assert len(text) < 600
    assert "site-packages" not in text


def test_a_compile_error_is_a_message_at_its_line_too() -> None:
    (message,) = build_numba(NUMBA_KERNEL.replace("total = 0.0", "total = unknown(1)")).diagnostics
    assert (message.kind, message.severity) == (DiagnosticKind.COMPILER, Severity.ERROR)
    assert (message.file, message.line) == ("row_sum.py", 8)
    assert "name 'unknown' is not defined" in english(message.message)
    assert "row_sum.py" not in english(message.message)


def test_half_precision_that_needs_unlinked_code_gets_a_remedy() -> None:
    text = NUMBA_KERNEL.replace("total += a[row, i]", "total += np.float16(a[row, i]) + np.float16(total)")
    failure = reason(build_numba(text))
    assert failure.startswith("row_sum.py, line 10: ")
    assert "(operator+)" in failure
    assert "compute in float32" in failure


def test_device_functions_and_shared_arrays_compile() -> None:
    text = NUMBA_KERNEL.replace("out[row] = total", "out[row] = twice(total)") + (
        '@cuda.jit("float32(float32)", device=True, inline=True)\ndef twice(x):\n    return 2 * x\n'
    )
    only_kernel(build_numba(text))


def test_a_kernel_in_two_files_is_refused_with_both_locations() -> None:
    other = NUMBA_KERNEL.replace("@cuda.jit", "@cuda.jit(fastmath=True)").replace("import numpy as np\n", "")
    assert reason(build_numba(name="a.py", beside={"b.py": other})) == (
        "row_sum is defined more than once, in a.py, line 5 and b.py, line 4; keep one of them"
    )


def test_a_kernel_that_another_file_imports_is_one_kernel() -> None:
    kernel = only_kernel(build_numba("from kernels import row_sum\n", beside={"kernels.py": NUMBA_KERNEL}))
    assert (kernel.file, kernel.line) == ("kernels.py", 5)


def test_files_of_the_submission_import_each_other() -> None:
    helper = "from numba import cuda\n@cuda.jit(device=True)\ndef twice(x):\n    return 2 * x\n"
    text = "from helper import twice\n" + NUMBA_KERNEL.replace("= total", "= twice(total)")
    only_kernel(build_numba(text, name="src/row_sum.py", beside={"src/helper.py": helper}))


def test_a_sweep_sets_a_module_constant_and_what_follows_from_it() -> None:
    text = NUMBA_KERNEL.replace("@cuda.jit", "TILE = 16\nPADDED = TILE + 1\n\n@cuda.jit").replace(
        "total = 0.0",
        "t = cuda.shared.array((TILE, PADDED), float32)"
        "; t[row % TILE, 0] = a[row, 0]; cuda.syncthreads(); total = t[cols % TILE, 0]",
    )
    assert only_kernel(build_numba(text)).resources.shared_bytes == 16 * 17 * 4
    assert only_kernel(build_numba(text, macros={"TILE": 8})).resources.shared_bytes == 8 * 9 * 4


def test_a_launch_directive_is_read() -> None:
    kernel = only_kernel(build_numba("# launch: row_sum block=128 grid=ceil(rows/block)\n" + NUMBA_KERNEL))
    assert kernel.geometry == Geometry(grid=("ceil(rows/block)",), block=("128",))


@pytest.mark.parametrize("name", ["решение.py", "row-sum (1).py", "__main__.py", "numba.py", 'odd "name".py'])
def test_any_file_name_builds(name: str) -> None:
    outcome = build_numba(name=name)
    assert only_kernel(outcome).file == display_name(name)
    assert f'"{display_name(name)}"' in ptx(outcome)


def test_latin_1_comments_build_with_a_note() -> None:
    outcome = build_numba(("# somme énorme\n" + NUMBA_KERNEL).encode("latin-1"))
    only_kernel(outcome)
    assert [note.severity for note in outcome.diagnostics] == [Severity.NOTE]


@pytest.mark.parametrize(
    "decorator", ["@cuda.jit(device=True)", "@cuda.jit(device=True, debug=True, opt=False)"]
)
def test_what_a_device_function_does_has_its_own_line(decorator: str) -> None:
    helper = f"{decorator}\ndef element(a, row, i):\n    return a[row, i]\n\n\n@cuda.jit\n"
    source = NUMBA_KERNEL.replace("@cuda.jit\n", helper).replace("+= a[row, i]", "+= element(a, row, i)")
    line = source[: source.index("return a[row, i]")].count("\n") + 1
    assert re.search(rf"\.loc\s+1 {line} \d+, function_name \S+, inlined_at 1 ", ptx(build_numba(source)))
