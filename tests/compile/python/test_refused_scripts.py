"""What a kernel needs and the syntax tree does not give is refused, with its name and its line."""

import pytest

from grader.model.build import BuildOutcome
from grader.model.reason import Reason
from tests.compile.examples import NUMBA_KERNEL, build_numba, only_kernel
from tests.compile.python.shapes import expecting, shapes

NO_VALUE = expecting("no_value")
NO_KERNEL = expecting("no_kernel")
FOREIGN_FUNCTIONS = shapes("foreign_functions")
USE = NUMBA_KERNEL.replace("total = 0.0", "total = float32(VALUE)")
ARRAY = NUMBA_KERNEL.replace("total = 0.0", "total = cuda.const.array_like(VALUE)[0]")


def problem(outcome: BuildOutcome) -> Reason:
    """Return the innermost reason why the build failed."""
    assert outcome.fault is not None
    said = outcome.fault.reason
    while said.nested():
        (said,) = said.nested()
    return said


def where(said: Reason) -> tuple[str, int | None]:
    assert said.location is not None
    assert said.location.file == "row_sum.py"
    return said.code, said.location.line


@pytest.mark.parametrize(("host", "expected"), NO_VALUE)
def test_a_needed_value_is_refused_at_its_line(host: str, expected: tuple[str, int]) -> None:
    outcome = build_numba(USE + host)
    assert where(problem(outcome)) == expected
    assert outcome.fault is not None
    assert where(outcome.fault.reason) == ("python-name-needed", 8)


@pytest.mark.parametrize(("host", "_expected"), NO_VALUE)
def test_the_same_value_is_ignored_where_no_kernel_needs_it(host: str, _expected: tuple[str, int]) -> None:
    only_kernel(build_numba(NUMBA_KERNEL + host))


@pytest.mark.parametrize(
    ("host", "line"),
    [
        ("VALUE = np.zeros(4)\nVALUE[0] = 1", 13),
        ("VALUE = np.zeros(4)\nVALUE += 1\nVALUE[:2] = 1", 14),
        ("VALUE = np.zeros(4)\nVALUE.fill(3)", 13),
        ("VALUE = np.zeros(4)\nother = VALUE\nother[0] = 1", 14),
        ("VALUE = np.zeros(4)\ndef fill():\n    VALUE[1] = 2", 14),
    ],
)
def test_an_array_that_changes_is_refused_where_it_changes(host: str, line: int) -> None:
    assert where(problem(build_numba(ARRAY + host + "\n"))) == ("python-changed", line)


@pytest.mark.parametrize(("text", "expected"), NO_KERNEL)
def test_a_kernel_that_cannot_be_taken_says_why(text: str, expected: tuple[str, int]) -> None:
    assert where(problem(build_numba(text))) == expected


@pytest.mark.parametrize("helper", FOREIGN_FUNCTIONS.values(), ids=FOREIGN_FUNCTIONS)
def test_a_device_function_that_cannot_be_taken_is_named(helper: str) -> None:
    outcome = build_numba(NUMBA_KERNEL.replace("= total", "= twice(total)") + helper + "\n")
    assert outcome.fault is not None
    assert where(outcome.fault.reason) == ("python-name-needed", 11)
    assert outcome.fault.reason.params["name"] == "twice"


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("total = np.testing.measure('1')", "python-not-for-kernels"),
        ("total = np.f2py", "python-not-for-kernels"),
        ("total = cuda.to_device(a)", "python-not-for-kernels"),
        ("total = cuda.extending.intrinsic", "python-not-for-kernels"),
        ("total = cuda.np.float32(1)", "python-not-for-kernels"),
        ("total = cuda.stubs.sys", "python-not-for-kernels"),
        ("total = len(np)", "python-module-as-value"),
        ("total = getattr(np, 'testing')", "python-module-as-value"),
        ("m = cuda; total = m.grid(1)", "python-module-as-value"),
    ],
)
def test_a_body_uses_modules_only_as_far_as_kernels_may(statement: str, code: str) -> None:
    outcome = build_numba(NUMBA_KERNEL.replace("total = 0.0", statement))
    assert outcome.fault is not None
    assert where(outcome.fault.reason) == (code, 8)


@pytest.mark.parametrize(
    "body",
    [
        "x = '__import__(\"os\").abort()'\n        def f(): return x\n        total = f()",
        "def f(x='__import__(\"os\").abort()'): return x\n        total = f()",
        "f = lambda x='__import__(\"os\").abort()': x\n        total = f()",
        "x = ('a', 'b')\n        total = [c for c in range(3) if x]",
    ],
)
def test_inner_functions_take_no_text_from_around_them(body: str) -> None:
    outcome = build_numba(NUMBA_KERNEL.replace("total = 0.0", body))
    assert outcome.fault is not None
    assert where(outcome.fault.reason) == ("python-inner-function", 5)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(:", "SyntaxError: invalid syntax"),
        ("  x = 1", "IndentationError: unindent does not match any outer indentation level"),
    ],
)
def test_a_file_that_is_not_python_is_one_message_at_its_line(code: str, expected: str) -> None:
    outcome = build_numba(NUMBA_KERNEL + code + "\n")
    (message,) = outcome.diagnostics
    assert (message.file, message.line) == ("row_sum.py", 12)
    assert message.message.params["text"] == expected
