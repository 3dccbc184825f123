"""``grader check``: the same inputs again, single cases, files for other programs, and exit codes."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from grader.cli.app import run
from grader.cli.exit_codes import VERDICT_CODES
from grader.grading import submission as submission_stage
from grader.labs.lab import Lab
from grader.model.report import Report
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.report import results_json
from tools.broken_numba import REASON, break_numba
from tools.paths import CHECKOUT

TRANSPOSE = """
extern "C" __global__ void transpose(const float *a, float *b, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += blockDim.y)
        if (x < cols && y + i < rows WHERE) b[x * rows + y + i] = a[(y + i) * cols + x];
}
"""
RIGHT = TRANSPOSE.replace("WHERE", "")
NO_LAST_COLUMN = TRANSPOSE.replace("WHERE", "&& y + i < rows - 1")
BROKEN = "__global__ void transpose("
OUT_OF_BOUNDS = """
__global__ void transpose(const float *a, float *b, int rows, int cols) { b[rows * cols] = 1; }
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(source: str, *options: str) -> int:
    Path("transpose.cu").write_text(source, encoding="utf-8")
    return run(["check", "transpose.cu", *options])


def results() -> dict[str, Any]:
    (report,) = json.loads(Path("out.json").read_text("utf-8"))["reports"]
    return dict(report)


def cases() -> dict[str, dict[str, Any]]:
    (kernel,) = results()["kernels"]
    return {case["name"]: case for case in kernel["cases"]}


def test_a_seed_draws_the_same_inputs_again(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = []
    for options in ([], ["--seed", "7"], ["--seed", "7"]):
        check(
            NO_LAST_COLUMN.replace("= a[", "= 1 + a["), "--case", "one-tile", "--json", "out.json", *options
        )
        reasons.append(cases()["one-tile"]["reason"])
    assert reasons[0] != reasons[1] == reasons[2]
    assert "--seed 7" in capsys.readouterr().err


def test_the_printed_seed_repeats_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    check(NO_LAST_COLUMN, "--case", "one-tile", "--dump-inputs", "first")
    seed = capsys.readouterr().err.partition("--seed ")[2].split(".")[0]
    check(NO_LAST_COLUMN, "--case", "one-tile", "--dump-inputs", "second", "--seed", seed)
    first, second = (
        Path(folder, "transpose", "one-tile", "inputs", "a.npy").read_bytes()
        for folder in ("first", "second")
    )
    assert first == second


def test_only_the_named_cases_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(RIGHT, "--case", "ragged", "--case", "wide", "--json", "out.json") == 0
    assert list(cases()) == ["ragged", "wide"]
    assert "Only ragged and wide ran" in capsys.readouterr().err


def test_an_unknown_case_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(RIGHT, "--case", "raged") == 2
    error = capsys.readouterr().err
    assert "raged" in error
    assert "one-element, one-tile, ragged, wide, medium" in error


def test_a_hidden_case_cannot_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    manifest = (CHECKOUT / "assignments" / "transpose" / "lab.toml").read_text("utf-8")
    hidden = manifest.partition('visibility = "hidden"')[0].rpartition('name = "')[2].partition('"')[0]
    assert check(RIGHT, "--case", hidden) == 2
    assert hidden in capsys.readouterr().err


def test_dumped_arrays_are_those_of_the_check() -> None:
    check(RIGHT, "--case", "ragged", "--dump-inputs", "dump", "--seed", "3")
    folder = Path("dump", "transpose")
    index = json.loads((folder / "index.json").read_text("utf-8"))
    assert (index["lab"], index["seed"]) == ("transpose", 3)
    (case,) = index["cases"]
    (given,), (wanted,) = case["inputs"], case["expected"]
    a, b = (np.load(folder / entry["file"]) for entry in (given, wanted))
    assert (given["name"], given["dtype"], given["shape"]) == ("a", "float32", [33, 31])
    assert a.shape == (33, 31)
    assert np.array_equal(a.T, b)
    assert "np.load" in (folder / "README.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (RIGHT, Verdict.ACCEPTED),
        (NO_LAST_COLUMN, Verdict.WRONG),
        (BROKEN, Verdict.FAILED_TO_BUILD),
        (OUT_OF_BOUNDS, Verdict.CRASHED),
    ],
    ids=lambda value: value if isinstance(value, Verdict) else "",
)
def test_strict_exits_with_the_code_of_the_verdict(source: str, verdict: Verdict) -> None:
    assert check(source, "--case", "one-tile", "--strict") == VERDICT_CODES[verdict]


def test_every_verdict_has_a_code_and_none_is_a_user_error() -> None:
    assert set(VERDICT_CODES) == set(Verdict)
    assert len(set(VERDICT_CODES.values())) == len(Verdict)
    assert 2 not in VERDICT_CODES.values()


def test_the_page_lists_the_codes_of_strict() -> None:
    page = (CHECKOUT / "docs" / "reference" / "command-line.md").read_text("utf-8")
    assert [
        verdict for verdict, code in VERDICT_CODES.items() if f"| {code} | `{verdict}` |" not in page
    ] == []


def test_without_strict_a_wrong_kernel_exits_with_0() -> None:
    assert check(NO_LAST_COLUMN, "--case", "one-tile") == 0


def test_json_is_a_results_document_for_the_student() -> None:
    check(NO_LAST_COLUMN, "--case", "one-tile", "--json", "out.json")
    document = results_json.load(Path("out.json").read_bytes())
    assert document.reports[0].verdict is Verdict.WRONG
    assert results()["parts"][0]["withheld"] is None


def test_junit_has_the_cases() -> None:
    check(NO_LAST_COLUMN, "--case", "one-tile", "--case", "wide", "--junit", "out.xml")
    root = ET.parse("out.xml").getroot()
    assert root.attrib == {"name": "grader", "tests": "2", "failures": "2", "errors": "0"}


def test_what_cannot_be_read_has_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path("class", "transpose")
    folder.mkdir(parents=True)
    (folder / "ann.cu").write_text(RIGHT, encoding="utf-8")
    (folder / "bob.cu").write_bytes(b"x" * 2**20)
    assert run(["check", "class", "--case", "one-tile", "--junit", "out.xml"]) == 1
    suites = {suite.attrib["name"]: suite for suite in ET.parse("out.xml").getroot()}
    assert suites["transpose: ann"].attrib["failures"] == "0"
    assert suites["transpose: bob"].attrib["failures"] == "1"
    assert "over the limit" in capsys.readouterr().out


def test_two_options_cannot_name_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(RIGHT, "--json", "out", "--junit", "out") == 2
    assert "--json and --junit" in capsys.readouterr().err


def test_a_missing_last_column_shows_in_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    check(NO_LAST_COLUMN, "--case", "one-tile", "--json", "out.json")
    found = cases()["one-tile"]["wrong_map"]
    assert found["cells"] == ["." * 31 + "i"] * 32
    assert "·" * 31 + "?" in capsys.readouterr().out


def test_a_language_that_does_not_work_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_numba(monkeypatch)
    Path("row_sum.py").write_text("from numba import cuda\n", encoding="utf-8")
    assert run(["check", "row_sum.py", "--lab", "row-sum"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "Numba does not work here" in line
    assert REASON in line


def test_what_was_checked_before_ctrl_c_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("class/transpose").mkdir(parents=True)
    for name in ("ada", "bob"):
        Path(f"class/transpose/{name}.cu").write_text(RIGHT, encoding="utf-8")
    graded = submission_stage.grade
    names: list[str] = []

    def stop_at_the_second(lab: Lab, submission: Submission, *others: Any) -> Report:
        if names:
            raise KeyboardInterrupt
        names.append(submission.student)
        return graded(lab, submission, *others)

    monkeypatch.setattr("grader.course.check.grade", stop_at_the_second)
    assert run(["check", "class", "--case", "one-tile", "--json", "out.json"]) == 130
    assert [results()["student"]] == names


def test_a_whole_program_may_run_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    check(RIGHT, "--case", "one-tile")
    assert "grader run" not in capsys.readouterr().err
    check(f"{RIGHT}\nint main() {{ return 0; }}\n", "--case", "one-tile")
    assert "`grader run transpose.cu`" in capsys.readouterr().err
