"""The class page of a small and of a large class, and the files beside it."""

import os
import stat
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from grader.errors import UserError
from grader.model.report import Report, ResultsDocument
from grader.model.verdict import Verdict
from grader.report.pages import class_page
from grader.report.pages.detail_files import file_names, folder_of
from tests.report.examples import (
    DOCUMENT,
    GOOD_ROW_SUM,
    LONG_NAME,
    NASTY_NAMES,
    SOURCES,
    WRONG_ROW_SUM,
    kernel,
    report,
)
from tests.report.html_page import Page
from tools.messages import english

LARGE = class_page.ONE_FILE + 1


def _class(count: int, reports: tuple[Report, ...] = ()) -> ResultsDocument:
    others = [report(f"s{number}", "matmul", kernel("m")) for number in range(count - len(reports))]
    return replace(DOCUMENT, reports=(*reports, *others))


def _write(folder: Path, document: ResultsDocument) -> Path:
    path = folder / "report.html"
    class_page.write(path, document, SOURCES)
    return path


def _page(path: Path) -> Page:
    return Page(path.read_text("utf-8"))


def _links(path: Path) -> list[str]:
    return [unquote(link["href"] or "") for link in _page(path).all("a")]


def test_a_small_class_is_one_file(tmp_path: Path) -> None:
    path = _write(tmp_path, _class(class_page.ONE_FILE))
    assert list(tmp_path.iterdir()) == [path]
    assert len(_page(path).all("article")) == class_page.ONE_FILE


def test_a_large_class_has_its_reports_beside_it(tmp_path: Path) -> None:
    path = _write(tmp_path, _class(LARGE, (WRONG_ROW_SUM,)))
    assert _page(path).all("article") == []
    details = [tmp_path / link for link in _links(path) if "--" in link]
    assert len(set(details)) == LARGE
    detail = _page(tmp_path / "report_files" / "student-03--row-sum.html")
    assert detail.title == "row-sum · student-03 – Grader"
    assert "hidden-huge" in detail.text
    assert "row_sum.cu, all 28 lines" in detail.text
    assert detail.all("script") == []
    assert _links(tmp_path / "report_files" / "student-03--row-sum.html")[0] == "../report.html"


def test_every_link_of_a_large_class_leads_to_a_file(tmp_path: Path) -> None:
    nasty = tuple(replace(GOOD_ROW_SUM, student=name, lab=name) for name in NASTY_NAMES)
    path = _write(tmp_path, _class(LARGE + len(nasty), nasty))
    links = _links(path)
    assert len(links) > LARGE
    for link in links:
        assert (tmp_path / link).is_file(), link
        assert all((tmp_path / link).parent.joinpath(back).is_file() for back in _links(tmp_path / link)[:1])


def test_the_first_ranks_link_to_all_ranks(tmp_path: Path) -> None:
    fast = tuple(replace(GOOD_ROW_SUM, student=f"t{number}") for number in range(12))
    path = _write(tmp_path, _class(LARGE, fast))
    ranks = _page(tmp_path / "report_files" / "leaderboards.html")
    assert "report_files/leaderboards.html" in _links(path)
    assert len([row for row in _page(path).all("tr") if row.get("class") == "first"]) == 10
    assert len([row for row in ranks.all("tr") if row.get("class") == "first"]) == 12


def test_file_names_are_safe_and_unique_in_any_case() -> None:
    names = ("Anna", "anna", "a/b", "a\\b", "..", "con", "李明", "王芳", "x--y", "x", LONG_NAME, *NASTY_NAMES)
    reports = [report(student, lab, kernel("k")) for student in names for lab in ("y--z", "z", "y")]
    found = file_names([*reports, reports[0]])
    assert len({name.casefold() for name in found}) == len(found)
    for name in found:
        assert len(name.encode()) <= 255
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-~")
        assert not name.startswith((".", "-"))


def test_a_plain_name_is_the_file_name() -> None:
    assert file_names([report("anna-b", "row-sum", kernel("k"))]) == ("anna-b--row-sum.html",)


def test_only_pages_of_changed_reports_are_written_again(tmp_path: Path) -> None:
    document = _class(LARGE)
    path = _write(tmp_path, document)
    pages = sorted(folder_of(path).glob("*--*.html"))
    for page in pages:
        os.utime(page, (1, 1))
    changed = replace(document.reports[0], score=1.0, verdict=Verdict.WRONG)
    pages[1].unlink()
    _write(
        tmp_path,
        replace(document, created_at="2030-01-01T00:00:00+00:00", reports=(changed, *document.reports[1:])),
    )
    written = [page.name for page in pages if page.stat().st_mtime > 1]
    assert written == ["s0--matmul.html", pages[1].name]


def test_stale_pages_go_and_foreign_files_stay(tmp_path: Path) -> None:
    path = _write(tmp_path, _class(LARGE + 1))
    notes = folder_of(path) / "notes--mine.html"
    notes.write_text("mine", encoding="utf-8")
    gone = folder_of(path) / f"s{LARGE}--matmul.html"
    assert gone.exists()
    _write(tmp_path, _class(LARGE))
    assert not gone.exists()
    assert notes.read_text("utf-8") == "mine"
    _write(tmp_path, _class(2))
    assert list(folder_of(path).iterdir()) == [notes]


def test_an_index_cannot_remove_files_outside_its_folder(tmp_path: Path) -> None:
    victim = tmp_path / "victim.html"
    victim.write_text("mine", encoding="utf-8")
    folder = tmp_path / "report_files"
    folder.mkdir()
    (folder / "index.json").write_text('{"../victim.html": "", "sub/x.html": ""}', encoding="utf-8")
    _write(tmp_path, _class(2))
    assert victim.exists()


def test_a_damaged_index_is_replaced(tmp_path: Path) -> None:
    path = _write(tmp_path, _class(LARGE))
    (folder_of(path) / "index.json").write_bytes(b"\xff{")
    _write(tmp_path, _class(LARGE))
    assert b"s0--matmul.html" in (folder_of(path) / "index.json").read_bytes()


def test_a_large_class_on_a_stream_is_one_page(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        text = class_page.render(_class(2))
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        class_page.write(pipe, _class(2))
        assert os.read(reader, 1 << 20).decode() in text
    finally:
        os.close(reader)
    assert list(tmp_path.iterdir()) == [pipe]


def test_reports_are_beside_the_file_that_a_link_names(tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    (tmp_path / "report.html").symlink_to(tmp_path / "public" / "week3.html")
    _write(tmp_path, _class(LARGE))
    page = tmp_path / "public" / "week3.html"
    details = [page.parent / link for link in _links(page) if "--" in link]
    assert len(set(details)) == LARGE
    assert all((detail.parent / _links(detail)[0]).samefile(page) for detail in details)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "report_files").write_text("", encoding="utf-8")
    with pytest.raises(UserError):
        _write(tmp_path, _class(LARGE))
    assert not (tmp_path / "report.html").exists()


def test_controls_stay_hidden_without_scripts(tmp_path: Path) -> None:
    page = _page(_write(tmp_path, _class(2)))
    (controls,) = [tag for tag in page.all("div") if tag.get("role") == "search"]
    assert "hidden" in controls


def test_each_problem_has_its_reason_on_the_page(tmp_path: Path) -> None:
    path = _write(tmp_path, _class(LARGE, (WRONG_ROW_SUM,)))
    assert english(WRONG_ROW_SUM.reason) in _page(path).text
    assert "every kernel is right" not in _page(path).text
