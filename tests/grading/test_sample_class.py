"""``make grade`` gives the sample class exactly the results in its table."""

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.model.report import Report
from grader.report import results_json
from tools.messages import english
from tools.paths import CHECKOUT
from tools.shared_results import shared

QUICK_LABS = ("vector-add", "texture-shift")

TABLE = tomllib.loads((CHECKOUT / "submissions" / "expected.toml").read_text(encoding="utf-8"))["expected"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Report]:
    folder = tmp_path_factory.mktemp("class")
    return shared(b"the sample class", lambda: grade(CHECKOUT / "submissions", folder))


def grade(submissions: Path, folder: Path) -> dict[tuple[str, str], Report]:
    """Every report of ``submissions``, graded with ``folder`` as the working directory."""
    shutil.copy(CHECKOUT / "grader.toml", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        # 1: the class has two submissions that cannot be graded; the table lists them, too.
        assert run(["grade", str(submissions), "--trust-submissions"]) in {0, 1}
    return reports_of(folder / "results" / "results.json")


def reports_of(path: Path) -> dict[tuple[str, str], Report]:
    document = results_json.load(path.read_bytes())
    return {(report.lab, report.student): report for report in document.reports}


def test_students_of_two_labs_get_what_the_table_says(tmp_path: Path) -> None:
    for lab in QUICK_LABS:
        shutil.copytree(CHECKOUT / "submissions" / lab, tmp_path / "submissions" / lab)
    found = grade(tmp_path / "submissions", tmp_path)
    assert {key: (report.verdict, report.score) for key, report in found.items()} == {
        (row["lab"], row["student"]): (row["verdict"], row["score"])
        for row in TABLE
        if row["lab"] in QUICK_LABS
    }


@pytest.mark.labs
def test_every_student_is_present_and_no_other(graded: dict[tuple[str, str], Report]) -> None:
    assert graded.keys() == {(row["lab"], row["student"]) for row in TABLE}


@pytest.mark.labs
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['lab']}-{row['student']}")
def test_each_student_gets_what_the_table_says(
    graded: dict[tuple[str, str], Report], row: dict[str, Any]
) -> None:
    report = graded[row["lab"], row["student"]]
    assert (report.verdict, report.score) == (row["verdict"], row["score"]), report.reason


@pytest.mark.labs
def test_every_reason_is_one_line_a_person_can_read(graded: dict[tuple[str, str], Report]) -> None:
    for report in graded.values():
        assert english(report.reason)
        assert "\n" not in english(report.reason)
        assert "Traceback" not in english(report.reason)
        assert len(english(report.reason)) < 600


@pytest.mark.labs
def test_the_class_shows_every_verdict_that_can_occur_here(graded: dict[tuple[str, str], Report]) -> None:
    seen = {report.verdict for report in graded.values()}
    assert seen >= {"accepted", "wrong", "failed to build", "crashed", "timed out"}
