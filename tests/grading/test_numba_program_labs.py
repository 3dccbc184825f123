"""Numba programs of a program lab: right ones are right, and wrong ones get their reason and their line."""

import pytest

from grader.grading.programs.case_run import judged
from grader.labs.lab import Lab
from grader.model.reason import Reason
from grader.model.verdict import Verdict
from grader.programs.compile_error import CompileError
from tests.grading.numba_double import BODY, SOURCE, program, ran
from tests.labs.program_lab import FUNCTION, MAIN, program_lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return program_lab(tmp_path_factory.mktemp("function"), FUNCTION)


def test_a_right_program_is_right_and_its_call_alone_counts(lab: Lab) -> None:
    done, prepared = ran(lab, SOURCE)
    outcome = judged(done, prepared, 0.0)
    assert outcome.verdict is Verdict.ACCEPTED, outcome.reason
    assert done.run.launches == 1
    moved = [each.moved_bytes for each in done.run.activities if each.moved_bytes]
    assert moved == [400, 400]
    assert {call.location.line for call in done.run.checkable} == {14, 15, 16}


def cause(lab: Lab, body: str) -> Reason:
    done, _ = ran(lab, SOURCE.replace(BODY, body))
    assert done.result.fault is not None
    return done.result.fault.reason


def test_an_exception_is_shown_with_its_line(lab: Lab) -> None:
    found = cause(lab, "    if x.any():\n        raise ValueError('no zeros')\n" + BODY)
    assert found.code == "program-raises"
    assert found.params["error"] == "ValueError: no zeros"
    assert found.location is not None
    assert (found.location.file, found.location.line) == ("program.py", 14)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("    return 3\n", "function-reports-failure"),
        ("    sys.exit(4)\n", "program-exit-code"),
        ("    os._exit(0)\n", "program-left"),
    ],
)
def test_other_ends_get_their_reason(body: str, code: str, lab: Lab) -> None:
    assert cause(lab, body).code == code


def failure(lab: Lab, source: str) -> CompileError:
    with pytest.raises(CompileError) as raised:
        program(lab, source)
    return raised.value


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("def doubled(x, y, n):", "def doubled(x, y):", "program-lacks-python-function"),
        ("def doubled", "def tripled", "program-lacks-python-function"),
        ("def doubled(x, y, n):", "def doubled(x, y, n:", "program-does-not-compile"),
        (BODY, "    return " + "-" * 20_000 + "1\n", "program-does-not-compile"),
    ],
)
def test_what_cannot_be_called_does_not_build(old: str, new: str, code: str, lab: Lab) -> None:
    assert failure(lab, SOURCE.replace(old, new)).reason.code == code


def test_a_syntax_error_has_its_line(lab: Lab) -> None:
    found = failure(lab, SOURCE.replace("def doubled(x, y, n):", "def doubled(x, y, n:")).diagnostics
    assert [(each.file, each.line) for each in found] == [("program.py", 12)]


MAIN_BODY = """
if __name__ == "__main__":
    n, source, target = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    y = np.empty(n, np.int32)
    doubled(np.fromfile(source, np.int32), y, n)
    y.tofile(target)
    print("sum =", y.sum(dtype=np.int64))
"""


def test_a_program_with_a_main_of_its_own_is_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    main_lab = program_lab(tmp_path_factory.mktemp("main"), MAIN)
    done, prepared = ran(main_lab, SOURCE + MAIN_BODY)
    outcome = judged(done, prepared, 0.0)
    assert outcome.verdict is Verdict.ACCEPTED, outcome.reason
