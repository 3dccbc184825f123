"""What student Python may do during import."""

import sys
import threading

import pytest

from grader.compile.messages import located_message
from grader.model.diagnostic import DiagnosticKind, Severity
from tests.compile.examples import NUMBA_KERNEL, build_numba, only_kernel, reason
from tools.messages import english

GUARD = 'put host code under `if __name__ == "__main__":`'


@pytest.mark.parametrize(
    "line",
    [
        "row_sum[1, 32](np.zeros((3, 3)), np.zeros(3), 3, 3)",
        "row_sum.forall(3)(np.zeros((3, 3)), np.zeros(3), 3, 3)",
        "device = cuda.to_device(np.zeros(3))",
        "device = cuda.device_array(3)",
        "stream = cuda.stream()",
        "cuda.synchronize()",
        "print(cuda.gpus)",
        "name = cuda.get_current_device().name",
        "cuda.select_device(0)",
    ],
)
def test_using_the_gpu_at_import_is_explained(line: str) -> None:
    assert reason(build_numba(NUMBA_KERNEL + line + "\n")) == (
        f"row_sum.py, line 12: `{line}` uses the GPU while the file is imported; {GUARD}"
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("1 / 0", "line 12: ZeroDivisionError: division by zero"),
        ("input()", f"line 12: the program waits for input while it is imported; {GUARD}"),
        ("raise SystemExit(3)", f"line 12: the program exits while it is imported; {GUARD}"),
        ("def f(:", "line 12: SyntaxError: invalid syntax"),
        ("  x = 1", "line 12: IndentationError: unindent does not match any outer indentation level"),
        ("raise KeyboardInterrupt", "line 12: KeyboardInterrupt"),
        ("raise ValueError('\\ud800\\n\\x1b[31mred')", "line 12: ValueError: \\ud800 red"),
        ("class E(Exception):\n    __str__ = None\nraise E", "line 14: E"),
    ],
)
def test_a_failing_import_names_its_line(code: str, expected: str) -> None:
    assert reason(build_numba(NUMBA_KERNEL + code + "\n")) == f"row_sum.py, {expected}"


@pytest.mark.parametrize(
    ("code", "line", "expected"),
    [
        ("undefined", 12, "NameError: name 'undefined' is not defined"),
        ("def f(:", 12, "SyntaxError: invalid syntax"),
        ("raise SyntaxError('mine', ('row_sum.py', 'x', 0, ''))", None, "SyntaxError: mine"),
        ("raise SyntaxError('mine', ([], 1, 0, ''))", 12, "SyntaxError: mine"),
    ],
)
def test_a_failing_import_is_one_message_at_its_line(code: str, line: int | None, expected: str) -> None:
    outcome = build_numba(NUMBA_KERNEL + code + "\n")
    (message,) = outcome.diagnostics
    assert (message.kind, message.severity) == (DiagnosticKind.COMPILER, Severity.ERROR)
    assert (message.file, message.line) == ("row_sum.py", line)
    assert english(message.message).startswith(expected)
    assert outcome.fault is not None
    assert outcome.fault.reason == located_message(message)


def test_a_long_line_leaves_room_for_what_to_do_about_it() -> None:
    line = f"cuda.to_device({' + '.join(['np.zeros(3)'] * 90)})"
    assert reason(build_numba(NUMBA_KERNEL + line + "\n")).endswith(
        f"…` uses the GPU while the file is imported; {GUARD}"
    )


def test_code_for_the_main_program_does_not_run() -> None:
    only_kernel(
        build_numba(
            NUMBA_KERNEL + 'if __name__ == "__main__":\n    1 / 0\nif cuda.is_available():\n    1 / 0\n'
        )
    )


def test_printing_at_import_reaches_no_stream_of_ours(capfd: pytest.CaptureFixture[str]) -> None:
    only_kernel(build_numba(NUMBA_KERNEL + "import sys\nprint('out')\nprint('err', file=sys.stderr)\n"))
    assert capfd.readouterr() == ("", "")


def test_a_library_that_is_not_installed_stops_only_who_uses_it() -> None:
    imports = (
        "import matplotlib_of_another_world.pyplot as plt\nfrom torch_of_another_world.nn import Linear\n"
    )
    outcome = build_numba(imports + NUMBA_KERNEL)
    only_kernel(outcome)
    assert [note.line for note in outcome.diagnostics] == [1, 2]
    assert "Linear" in reason(build_numba(imports + NUMBA_KERNEL + "Linear(3)\n"))


def test_nothing_of_a_submission_is_left_behind() -> None:
    before = set(sys.modules), list(sys.meta_path), sys.stdin, threading.active_count()
    build_numba("import helper, missing_library\n" + NUMBA_KERNEL, beside={"helper.py": "x = 1\n"})
    build_numba(NUMBA_KERNEL + "1 / 0\n")
    assert not {"row_sum", "helper", "missing_library"} & set(sys.modules)
    assert (list(sys.meta_path), sys.stdin, threading.active_count()) == before[1:]


def test_numba_itself_is_as_before_afterwards() -> None:
    from numba import cuda  # noqa: PLC0415 - compared before and after a build

    before = cuda.jit, cuda.is_available
    build_numba()
    assert (cuda.jit, cuda.is_available) == before
