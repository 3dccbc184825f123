"""Numba programs run unchanged, and faults of their host code are found at their Python lines."""

from tests.programs.running_numba import ran_python


def test_a_correct_program_runs_without_findings() -> None:
    done = ran_python("correct.py")
    assert done.printed.splitlines()[-1] == "True"
    assert done.run.exit_code == 0
    assert done.run.diagnostics == ()
