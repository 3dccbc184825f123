"""Scripts as students write them: a kernel among host code, in every place and by every spelling."""

import pytest

from grader.model.diagnostic import DiagnosticKind, Severity
from tests.compile.examples import NUMBA_KERNEL, build_numba, of_kind, only_kernel
from tests.compile.python.shapes import shapes

HOST_CODE = shapes("host_code")
PLACES = shapes("places")
SPELLINGS = shapes("spellings")
DEVICE_FUNCTIONS = shapes("device_functions")


@pytest.mark.parametrize("host", HOST_CODE.values(), ids=HOST_CODE)
def test_host_code_is_ignored(host: str) -> None:
    assert only_kernel(build_numba(NUMBA_KERNEL + host + "\n")).line == 5


@pytest.mark.parametrize(
    "host", ["print(1)", "n = len(input())", "if __name__ == '__main__':\n    pass", "assert True"]
)
def test_a_note_says_that_host_code_is_ignored(host: str) -> None:
    (note,) = of_kind(build_numba(NUMBA_KERNEL + host + "\n"), DiagnosticKind.HOST_CODE_IGNORED)
    assert (note.severity, note.file, note.line) == (Severity.NOTE, "row_sum.py", 12)
    assert note.message.code == "python-host-code-ignored"


def test_a_file_of_kernels_and_constants_has_no_note() -> None:
    host = "TILE = 2 * 16\nW = np.array([1, 2], np.float32)\ndef helper(x):\n    return print(x)\n"
    assert build_numba(NUMBA_KERNEL + host).diagnostics == ()


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_a_kernel_is_found_where_it_stands(text: str) -> None:
    line = 1 + next(number for number, line in enumerate(text.splitlines()) if "def row_sum" in line)
    assert only_kernel(build_numba(text)).line == line


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_a_kernel_is_taken_however_it_is_spelled(text: str) -> None:
    only_kernel(build_numba(text))


@pytest.mark.parametrize(
    "text",
    [
        NUMBA_KERNEL.replace("    ", "\t").replace("\n\n", "\n\f\n"),
        NUMBA_KERNEL + "x = [" + "1, " * 50_000 + "]\n",
    ],
    ids=["tabs and form feeds", "a long line"],
)
def test_a_kernel_is_taken_from_text_of_any_form(text: str) -> None:
    only_kernel(build_numba(text))


@pytest.mark.parametrize("helper", DEVICE_FUNCTIONS.values(), ids=DEVICE_FUNCTIONS)
def test_a_device_function_is_taken_with_its_kernel(helper: str) -> None:
    only_kernel(build_numba(NUMBA_KERNEL.replace("= total", "= twice(total)") + helper))


OWN_FILES = {
    "from helper import twice": "twice(total)",
    "from helper import twice as t": "t(total)",
    "from helper import *": "twice(total)",
    "import helper": "helper.twice(total)",
    "import helper as h": "h.twice(total) + h.TILE",
    "from .helper import twice": "twice(total)",
    "from . import helper": "helper.twice(total)",
}


@pytest.mark.parametrize(("line", "call"), OWN_FILES.items(), ids=OWN_FILES)
def test_files_of_a_submission_import_each_other(line: str, call: str) -> None:
    helper = (
        "from numba import cuda\nTILE = 16\n@cuda.jit(device=True)\ndef twice(x):\n    return 2 * x\n1 / 0\n"
    )
    text = f"{line}\n" + NUMBA_KERNEL.replace("= total", f"= {call}")
    only_kernel(build_numba(text, beside={"helper.py": helper}))


def test_files_may_import_each_other_in_a_circle() -> None:
    helper = "from row_sum import row_sum\nTILE = 3\n"
    only_kernel(build_numba("import helper\n" + NUMBA_KERNEL, beside={"helper.py": helper}))


def test_two_files_of_a_package_import_each_other() -> None:
    text = "from parts.helper import twice\n" + NUMBA_KERNEL.replace("= total", "= twice(total)")
    helper = "from numba import cuda\n@cuda.jit(device=True)\ndef twice(x):\n    return 2 * x\n"
    only_kernel(build_numba(text, beside={"parts/helper.py": helper}))


def test_an_installed_library_comes_before_a_file_of_its_name() -> None:
    only_kernel(build_numba(beside={"numpy.py": "float32 = None\n", "numba.py": "cuda = None\n"}))


def test_a_host_function_of_the_kernels_name_is_told_from_the_kernel() -> None:
    host = "\n\ndef row_sum(a):\n    sum_rows[1, 32](a, a, 3, 3)\n"
    fault = build_numba(NUMBA_KERNEL.replace("def row_sum", "def sum_rows") + host).fault
    assert fault is not None
    assert (fault.reason.code, fault.reason.params["similar"]) == ("kernel-missing-similar", "sum_rows")


def test_a_kernel_reads_a_constant_from_below_the_main_guard() -> None:
    text = NUMBA_KERNEL.replace("total = 0.0", "total = float32(START)")
    only_kernel(build_numba(text + "if __name__ == '__main__':\n    START = 1\n"))


def test_a_local_variable_may_have_the_name_of_an_attribute_and_of_host_data() -> None:
    host = "import sys\nsize = len(sys.argv)\nshape = size\n"
    text = NUMBA_KERNEL.replace(
        "total = 0.0", "size = a.size; shape = a.shape; total = float32(size + shape[0])"
    )
    only_kernel(build_numba(text + host))
