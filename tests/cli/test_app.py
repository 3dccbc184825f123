"""Command-line use: every command explains itself, and every mistake gets one line and exit code 2."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import __version__
from grader.cli import console
from grader.cli.app import run

COMMANDS = [
    ["labs"],
    ["labs", "validate"],
    ["start"],
    ["check"],
    ["sweep"],
    ["grade"],
    ["show"],
    ["leaderboard"],
    ["doctor"],
]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_of_each_command_shows_an_example(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--help"]) == 0
    assert f"Example: grader {' '.join(command)}" in capsys.readouterr().out


def test_nothing_typed_is_answered_with_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    shown = capsys.readouterr().out
    assert all(command[0] in shown for command in COMMANDS)


def test_the_doctor_knows_that_a_device_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grader.toml").write_text('[engine]\ndevice = "Tesla T5"\n', encoding="utf-8")
    assert run(["doctor"]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "grader.toml line 2: engine.device must be the name of a GPU" in shown
    assert "grading does not work here: grader.toml" in shown


def test_version_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"grader {__version__}\n"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["grade"], "The store holds no submission to grade"),
        (["grade", "nowhere"], "There is nothing at nowhere"),
        (["grade", "empty"], "There is no submission at empty"),
        (["check", "vector_add.cu", "--lab", "vector-add", "--engine", "tpu"], "tpu"),
        (["grade", "empty", "--lab", "row-sm"], "row-sum"),
        (["check", "nowhere.cu"], "There is nothing at nowhere.cu"),
        (["check", "notes.txt"], "CUDA C (.cu) or Numba (.py)"),
        (["start", "matmull"], "Did you mean 'matmul'?"),
        (["show", "student-01", "row-sum"], "No submission of student-01 is graded for row-sum"),
        (["leaderboard"], "No accepted submission has a speedup yet"),
        (["sweep", "nowhere.cu"], "There is nothing at nowhere.cu"),
        (["sweep", "notes.txt", "--lab", "matmul"], "CUDA C (.cu) or Numba (.py)"),
        (["labs", "validate", "sums"], "There is no lab called 'sums'"),
        (["brew", "coffee"], "No such command 'brew'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_gets_one_line(
    typed: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    (tmp_path / "vector_add.cu").write_text("__global__ void vector_add() {}", encoding="utf-8")
    assert run(typed) == 2
    shown = capsys.readouterr().err.strip()
    assert message in shown
    assert shown.startswith("grader: ")
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[limits]\nrun_seconds = 'ten'\n", "line 2"),
        ("[limits\n", "line 1"),
        ("[limts]\n", "limits"),
    ],
)
def test_a_broken_configuration_names_its_line(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "grader.toml").write_text(text, encoding="utf-8")
    assert run(["labs"]) == 2
    shown = capsys.readouterr().err.strip()
    assert message in shown
    assert "\n" not in shown


def test_a_starter_is_copied_and_never_over_something(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["start", "row-sum", "work", "--language", "cuda-c"]) == 0
    copied = sorted(path.name for path in (tmp_path / "work").iterdir())
    assert copied == ["README.md", "README.ru.md", "row_sum.cu"]
    assert "grader check work/row_sum.cu --lab row-sum" in capsys.readouterr().out
    (tmp_path / "work" / "row_sum.cu").write_text("mine", encoding="utf-8")
    assert run(["start", "row-sum", "work"]) == 2
    assert (tmp_path / "work" / "row_sum.cu").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "work" / "row_sum.py").exists()


def test_labs_are_listed_with_the_broken_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "more" / "odd").mkdir(parents=True)
    (tmp_path / "grader.toml").write_text('[labs]\nfolders = ["more"]\n', encoding="utf-8")
    assert run(["labs"]) == 0
    shown = capsys.readouterr().out
    assert "transpose" in shown
    assert "odd" in shown
    assert "broken" in shown


def test_a_folder_of_labs_that_cannot_be_read_is_a_broken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "locked").mkdir()
    long = "x" * 300
    (tmp_path / "grader.toml").write_text(f'labs.folders = ["locked", "{long}", "gone"]', encoding="utf-8")
    iterdir = Path.iterdir

    def denied(path: Path) -> Iterator[Path]:
        if path.name == "locked":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", denied)
    monkeypatch.setattr(console.out, "_width", 1000)  # restoring it through the setter would pin the width
    assert run(["labs"]) == 0
    broken = [line.split() for line in capsys.readouterr().out.splitlines() if "broken" in line]
    assert [(line[0], " ".join(line[1:])) for line in broken] == [
        ("locked", "broken its folder cannot be read: Permission denied"),
        (long, "broken its folder cannot be read: File name too long"),
        ("gone", "broken no such folder"),
    ]
    assert run(["doctor"]) == 0
    assert f"broken: locked, {long}, gone" in capsys.readouterr().out


UNSUPPORTED = (
    "__global__ void transpose(const float *a, float *b, int rows, int cols)\n"
    '{ int y; asm volatile("vadd.s32.s32.s32 %0, %1, %1;" : "=r"(y) : "r"(rows)); b[0] = y; }\n'
)


def test_a_check_names_a_missing_feature_and_says_not_gradable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "transpose.cu").write_text(UNSUPPORTED, encoding="utf-8")
    assert run(["check", "transpose.cu"]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "unsupported on the emulator: vadd.s32.s32.s32 (transpose.cu, line 2)" in shown
    assert "not gradable – of 100 points" in shown
    assert "0 / " not in shown


OUT_OF_BOUNDS = """\
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    b[rows * cols] = 1;
}
"""


def test_a_check_shows_the_line_and_keeps_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "transpose.cu").write_text(OUT_OF_BOUNDS, encoding="utf-8")
    assert run(["check", "transpose.cu", "--lines", "--html", "page.html"]) == 0
    shown = capsys.readouterr().out
    assert "out of bounds write of buffer b" in shown
    assert re.search(r"▸ 3 │ +b\[rows \* cols\] = 1;", shown)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "error: out of bounds" in page
    assert "<script" not in page
    assert not (tmp_path / ".grader").exists()
    assert not (tmp_path / "results").exists()


def test_a_check_tells_what_each_line_did_if_asked(
    checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rung = (checkout / "reference" / "transpose" / "shared_conflict.cu").read_text(encoding="utf-8")
    (tmp_path / "transpose.cu").write_text(rung, encoding="utf-8")
    assert run(["check", "transpose.cu", "--lines"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"line +executed +idle +sectors +conflicts │ transpose\.cu", shown)
    assert re.search(r"\d[\d,]* +0 % .*32× │", shown)


def test_show_has_the_graded_source_when_the_file_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handed_in = tmp_path / "work" / "transpose" / "ada.cu"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text(OUT_OF_BOUNDS, encoding="utf-8")
    assert run(["grade", "work", "--trust-submissions"]) == 0
    assert run(["show", "ada", "transpose"]) == 0
    assert re.search(r"▸ 3 │ +b\[rows \* cols\] = 1;", capsys.readouterr().out)
    handed_in.write_text(OUT_OF_BOUNDS.replace("1;", "2;"), encoding="utf-8")
    assert run(["show", "ada", "transpose"]) == 0
    assert re.search(r"▸ 3 │ +b\[rows \* cols\] = 1;", capsys.readouterr().out)


def test_strangers_are_not_graded_by_limits_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handed_in = tmp_path / "work" / "transpose" / "ada.cu"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text(OUT_OF_BOUNDS, encoding="utf-8")
    (tmp_path / "grader.toml").write_text('[sandbox]\nkind = "process"\n', encoding="utf-8")
    assert run(["grade", "work"]) == 2
    refusal = capsys.readouterr().err.strip()
    assert refusal.startswith("grader: The process sandbox does not stop hostile code")
    assert "--trust-submissions" in refusal
    assert "\n" not in refusal
    assert not (tmp_path / "results").exists()


def test_every_report_says_that_a_submission_was_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handed_in = tmp_path / "work" / "transpose" / "ada.cu"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text(OUT_OF_BOUNDS, encoding="utf-8")
    assert run(["grade", "work", "--trust-submissions"]) == 0
    note = "1 submission was declared trusted and ran in the process sandbox."
    assert note in " ".join(capsys.readouterr().out.split())
    assert note in (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    (stored,) = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))["reports"]
    assert stored["isolation"] == {"sandbox": "process", "trusted": True}
    assert run(["show", "ada", "transpose"]) == 0
    assert "in the process sandbox, trusted" in " ".join(capsys.readouterr().out.split())
