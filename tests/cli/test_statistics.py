"""``grader statistics``: cases, rubric lines, and equal mistakes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from grader.cli.app import run
from grader.cli.console import out
from grader.config import load
from grader.model.submission import SourceFile, Submission
from grader.report.json_files import indented
from grader.report.statistics_json import schema
from grader.store.sql_store import open_store
from tests.store.examples import fast_report, put_score, submission
from tools.paths import CHECKOUT

SOURCES = {
    "ada": "int a;\ny[i] = x[i];\n",
    "bob": "int b;\nout[k]  =  in[k]; // copy\n",
    "cyd": "int c;\ny[i] = x[j];\n",
}


def work(student: str) -> Submission:
    source = SourceFile(name="main.cu", data=SOURCES[student].encode())
    return replace(submission(student), files=(source,))


@pytest.fixture(autouse=True)
def _graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 200)
    store = open_store(load(tmp_path))
    for student in SOURCES:
        report = fast_report(work(student))
        (kernel,) = report.kernels
        (found,) = kernel.diagnostics
        there = replace(found, file="main.cu", line=2)
        put_score(store, work(student), replace(report, kernels=(replace(kernel, diagnostics=(there,)),)))
    store.close()


def test_equal_mistakes_are_one_line_with_their_students(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["statistics", "row-sum"]) == 0
    shown = capsys.readouterr().out
    (together,) = (line for line in shown.splitlines() if "y[i] = x[i];" in line)
    assert "2: ada, bob" in together
    (alone,) = (line for line in shown.splitlines() if "y[i] = x[j];" in line)
    assert "1: cyd" in alone
    # The kind of the finding has a line of its own.
    assert "race\\n" not in shown
    assert "3 of 3" in next(line for line in shown.splitlines() if line.strip().startswith("odd"))


def test_the_file_holds_all_of_it() -> None:
    assert run(["statistics", "row-sum", "--most", "1", "--json", "s.json"]) == 0
    found = json.loads(Path("s.json").read_bytes())
    Draft202012Validator(schema()).validate(found)
    assert [(each["students"], each["line"]) for each in found["mistakes"]] == [
        (["ada", "bob"], 2),
        (["cyd"], 2),
    ]
    assert found["cases"][0] == {"kernel": "row_sum", "case": "odd", "failed": 3, "ran": 3}
    assert found["submissions"] == sum(found["score"]["counts"]) == 3


def test_the_published_schema_is_up_to_date() -> None:
    published = Path(CHECKOUT, "docs", "reference", "statistics.schema.json").read_bytes()
    assert published == indented(schema()), "run `python -m grader.report.statistics_json`"


def test_a_comment_of_staff_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["comment", "ada", "row-sum", "main.cu:1", "mine"]) == 0
    assert run(["statistics", "row-sum"]) == 0
    assert "int a" not in capsys.readouterr().out


def test_a_lab_without_results_is_refused() -> None:
    assert run(["statistics", "matmul"]) == 2
    assert run(["statistics", "no-lab"]) == 2
