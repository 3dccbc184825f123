"""The report of one submission on a page."""

import re
from dataclasses import replace

import pytest

from grader.model.location import SourceLocation
from grader.model.report import Report
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.report.pages import class_page, submission_page
from grader.report.profile import COLUMNS
from grader.report.redact import Audience
from tests.report.examples import (
    DOCUMENT,
    GOOD_ROW_SUM,
    SOURCES,
    WRONG_ROW_SUM,
    kernel,
    report,
)
from tests.report.html_page import Page
from tools.messages import english

PAGE_TEXT = class_page.render(DOCUMENT, SOURCES)
PAGE = Page(PAGE_TEXT)


def _page_of(*reports: Report, audience: Audience = Audience.STAFF) -> Page:
    return Page(submission_page.render(replace(DOCUMENT, reports=reports), {}, audience))


def test_not_gradable_shows_a_dash_and_no_bar() -> None:
    odd = report("ada", "matmul", kernel("matmul", Verdict.NOT_GRADABLE), score=0.0)
    page = _page_of(odd)
    assert page.text.count("– / 100") == 2
    assert "0 / 100" not in page.text.replace("100 / 100", "")
    assert not [svg for svg in page.all("svg") if svg.get("class") == "meter"]
    wrong = _page_of(replace(odd, verdict=Verdict.WRONG))
    assert wrong.text.count(" 0 / 100") == 2
    assert len([svg for svg in wrong.all("svg") if svg.get("class") == "meter"]) == 1


def test_the_page_of_a_submission_allows_no_script() -> None:
    page = _page_of(WRONG_ROW_SUM)
    assert page.all("script") == []
    (policy,) = [m["content"] for m in page.all("meta") if m.get("http-equiv")]
    assert policy is not None
    assert "script-src" not in policy


def test_the_three_times_stand_side_by_side() -> None:
    (times,) = re.findall(r'<table class="times">.*?</table>', _section("student-02"), re.DOTALL)
    assert [t for t in ("413 µs", "77.7 µs", "52.6 µs") if t in times] == ["413 µs", "77.7 µs", "52.6 µs"]
    assert [float(w) for w in re.findall(r'width="([\d.]+)"', times)] == [100.0, 18.83, 12.75]


def test_a_kernel_without_a_time_is_not_left_out_of_the_times() -> None:
    assert _section("student-03").count("not timed</span>") == 2


def test_flagged_lines_are_highlighted_with_their_findings() -> None:
    section = Page(_section("student-03"))
    flagged = {row["class"] for row in section.all("tr") if (row.get("class") or "").startswith("flagged")}
    assert flagged == {"flagged s-error", "flagged s-note"}
    assert "error: out of bounds 17 times" in section.text
    assert "row_sum.cu, all 28 lines" in section.text


def test_each_line_has_its_figures_under_their_headings() -> None:
    (table,) = (
        t
        for t in re.findall(r"<table class=\"lines\">.*?</table>", _section("student-03"), re.DOTALL)
        if "conflicts" in t
    )
    headings = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', table)
    assert headings == ["line", "executed", "idle", "sectors", "conflicts", "atomics", "row_sum.cu"]
    (row,) = re.findall(r'<tr[^>]*><th scope="row">25</th>(.*?)</tr>', table)
    figures = re.findall(r"<td(?: class=\"([^\"]*)\")?>(.*?)</td>", row)
    assert figures[:-1] == [
        ("work h2", "16,000"),
        ("waste h1", "86 %"),
        ("", ""),
        ("waste h5", "32×"),
        ("waste h5", "32×"),
    ]


def test_every_row_of_a_source_has_as_many_cells_as_its_head() -> None:
    for table in re.findall(r'<table class="lines">.*?</table>', PAGE_TEXT, re.DOTALL):
        widths = [
            len(re.findall(r"<t[hd]", row)) + sum(int(n) - 1 for n in re.findall(r'colspan="(\d+)"', row))
            for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        ]
        assert len(set(widths)) == 1


def test_a_shade_never_stands_without_its_number() -> None:
    shaded = re.findall(r'<td class="(?:work|waste) h\d">(.*?)</td>', PAGE_TEXT)
    assert len(shaded) > 5
    assert all(re.search(r"\d", text) for text in shaded)


def test_a_finding_links_to_the_lines_that_have_a_part_in_it() -> None:
    section = _section("student-03")
    assert 'see also <a href="#report-8-kernel-2-1-22">line 22</a>' in " ".join(section.split())
    assert re.search(r'<tr id="report-8-kernel-2-1-22"><th scope="row">22</th>', section)
    assert "^ the other access of the race" in section


def test_a_kernel_links_its_findings_the_worst_first() -> None:
    (listed,) = re.findall(r'id="report-8-kernel-1".*?<ul class="found-at">(.*?)</ul>', PAGE_TEXT, re.DOTALL)
    assert Page(listed).text == "error: out of bounds · line 10 warning: uncoalesced access · line 10"
    assert listed.count('<a href="#report-8-kernel-1-1-10">line 10</a>') == 2


def test_advice_stands_on_a_line_of_its_own() -> None:
    assert '<p class="any"><strong>try:</strong> put __syncthreads() between lines 22 and 25</p>' in PAGE_TEXT


def test_every_column_is_explained_once() -> None:
    assert PAGE_TEXT.count('id="columns"') == 1
    for column in COLUMNS:
        assert english(column.meaning) in PAGE.text
    assert 'id="columns"' not in class_page.render(replace(DOCUMENT, reports=(GOOD_ROW_SUM,)))


def test_a_kernel_has_totals_and_work_by_line() -> None:
    section = Page(_section("student-03")).text
    assert "Warp instructions300 k Idle lanes18 % Sectors per access3.9 / 3.9 Bank conflicts19.6×" in section
    assert (
        "300 k warp instructions line 19 44 % line 20 33 % line 24 14 % line 25 5 % line 21 2 % other lines 3 %"
        in section
    )


def test_what_a_kernel_printed_is_text() -> None:
    section = Page(_section("student-03"))
    assert r"row 0: 12.5 row 1: \x1b[31m</pre><b>7.25</b>" in section.text
    assert section.all("b") == []


def test_source_is_coloured_without_losing_a_character() -> None:
    section = Page(_section("student-02")).text
    assert "// </pre><img src=x onerror=alert(1)>" in section
    assert '<span class="c-keyword">__global__</span>' in PAGE_TEXT


def test_without_sources_findings_name_their_place() -> None:
    page = _page_of(WRONG_ROW_SUM)
    assert "error: out of bounds, row_sum.cu:10 (row_sum_global), 17 times" in page.text
    assert "all 28 lines" not in page.text


@pytest.mark.parametrize("data", [b"int x;\n" * 100_000, b"int x;" * 100_000], ids=["long", "wide"])
def test_an_enormous_source_is_not_shown_whole(data: bytes) -> None:
    source = SourceFile(name="row_sum.cu", data=data)
    text = class_page.render(
        replace(DOCUMENT, reports=(WRONG_ROW_SUM,)), {("student-03", "row-sum"): (source,)}
    )
    assert ">int</span> x;" in text or "int x;" in text
    assert len(text) < 100_000


def test_the_title_of_one_submission_names_lab_and_student() -> None:
    assert _page_of(WRONG_ROW_SUM).title == "row-sum · student-03 – Grader"
    assert PAGE.title == "Class results – Grader"


def test_a_related_line_that_is_not_shown_is_named() -> None:
    elsewhere = (SourceLocation(file="other.cuh", line=3), SourceLocation(file="other.cuh"), SourceLocation())
    race = replace(WRONG_ROW_SUM.kernels[1].diagnostics[0], related=elsewhere)
    page = _page_of(report("a", "lab", kernel("k", diagnostics=(race,))))
    assert "see also other.cuh:3, other.cuh, the file" in page.text


def test_a_student_s_page_hides_hidden_cases() -> None:
    page = _page_of(WRONG_ROW_SUM, audience=Audience.STUDENT)
    assert "hidden case 2" in page.text
    assert "hidden-huge" not in page.text


def _section(student: str) -> str:
    (section,) = [
        s for s in re.findall(r"<article.*?</article>", PAGE_TEXT, re.DOTALL) if f"<bdi>{student}</bdi>" in s
    ]
    return str(section)
