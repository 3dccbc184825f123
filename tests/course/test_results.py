"""The results files of a course."""

from pathlib import Path

from grader.course.results import ResultFiles, Results
from tests.report.examples import DOCUMENT, SOURCES


def test_only_the_page_is_in_the_courses_language(tmp_path: Path) -> None:
    results = Results(document=DOCUMENT, sources=SOURCES)
    ResultFiles(folder=tmp_path, language="ru").write(results, results)
    assert '<html lang="ru">' in (tmp_path / "report.html").read_text("utf-8")
    for name in ("results.json", "grades.csv"):
        text = (tmp_path / name).read_text("utf-8")
        assert "failed to build" in text
        assert "не собирается" not in text
