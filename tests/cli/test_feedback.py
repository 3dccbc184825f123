"""``grader feedback``: what each student gets, and what they do not get."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.model.reason import as_written
from grader.model.report import Report, Visibility
from grader.model.verdict import Verdict
from grader.store.sql_store import open_store
from tests.report.examples import case, kernel, report
from tests.store.examples import put_score, submission

HIDDEN = "element 4711 is 0.0 instead of 1.0"


@pytest.fixture(autouse=True)
def _stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(load())
    for student in ("ada", "Zoë / 3"):
        for lab in ("row-sum", "transpose"):
            put_score(store, submission(student, lab), wrong(student, lab))
    store.close()


def wrong(student: str, lab: str) -> Report:
    """A report in which one hidden case failed."""
    hidden = replace(
        case("ragged-97", Verdict.WRONG), visibility=Visibility.HIDDEN, reason=as_written(HIDDEN)
    )
    broken = kernel("row_sum", Verdict.WRONG, HIDDEN, cases=(case("small"), hidden))
    return report(student, lab, broken)


def files() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in Path("out").iterdir()}


def test_each_student_gets_one_page_and_one_text() -> None:
    assert run(["feedback", "--out", "out"]) == 0
    written = files()
    assert len(written) == 4
    assert {"ada.html", "ada.txt"} < written.keys()
    assert all("row-sum" in text and "transpose" in text for text in written.values())


def test_a_hidden_case_stays_hidden() -> None:
    assert run(["feedback", "--out", "out"]) == 0
    for text in files().values():
        assert "4711" not in text
        assert "ragged-97" not in text


def test_nobody_reads_about_another_student() -> None:
    assert run(["feedback", "--out", "out"]) == 0
    assert "Zo" not in files()["ada.html"] + files()["ada.txt"]


def test_labs_and_students_are_selected() -> None:
    assert run(["feedback", "--out", "out", "--student", "ada", "--lab", "transpose"]) == 0
    assert files().keys() == {"ada.html", "ada.txt"}
    assert "row-sum" not in files()["ada.txt"]


@pytest.mark.parametrize(("language", "verdict"), [("en", "wrong"), ("ru", "неверно"), ("zh", "错误")])
def test_the_language_is_chosen(language: str, verdict: str) -> None:
    assert run(["feedback", "--out", "out", "--student", "ada", "--language", language]) == 0
    assert f'lang="{language}"' in files()["ada.html"]
    assert verdict in files()["ada.txt"].lower()


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--student", "eve"], "No result"), (["--lab", "sums"], "There is no lab called 'sums'")],
)
def test_nothing_to_write_is_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["feedback", "--out", "out", *options]) == 2
    assert message in capsys.readouterr().err
    assert not Path("out").exists()


def test_each_student_reads_their_own_language() -> None:
    Path("grader.toml").write_text('[results.languages]\nada = "ru"\n', encoding="utf-8")
    assert run(["feedback", "--out", "out"]) == 0
    assert 'lang="ru"' in files()["ada.html"]
    assert sum('lang="en"' in text for text in files().values()) == 1


def test_a_language_that_does_not_exist_is_refused_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("grader.toml").write_text('[results.languages]\nada = "ru"\nbob = "fr"\n', encoding="utf-8")
    assert run(["feedback", "--out", "out"]) == 2
    assert "grader.toml line 3: results.languages.bob must be" in capsys.readouterr().err


def test_a_result_that_is_not_published_is_left_out() -> None:
    Path("course.toml").write_text(
        '[course]\ntitle = "C"\ntime_zone = "Etc/UTC"\n'
        '[labs.row-sum]\nscores = "when published"\n[labs.transpose]\n',
        encoding="utf-8",
    )
    assert run(["feedback", "--out", "out"]) == 0
    assert all("transpose" in text and "row-sum" not in text for text in files().values())
    assert run(["feedback", "--out", "none", "--lab", "row-sum"]) == 2
    assert run(["publish", "row-sum", "--because", "reviewed"]) == 0
    assert run(["feedback", "--out", "out"]) == 0
    assert all("transpose" in text and "row-sum" in text for text in files().values())
