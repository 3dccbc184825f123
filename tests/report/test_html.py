"""The HTML page of a class's results."""

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from grader.model.location import SourceLocation
from grader.model.reason import as_written
from grader.model.report import Report, SpeedupKind
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.report.pages import class_page, submission_page
from grader.report.profile import COLUMNS
from grader.report.redact import Audience
from grader.report.text import safe_text
from tests.report.contrast import contrast
from tests.report.examples import (
    CUDA,
    DOCUMENT,
    GOOD_ROW_SUM,
    NASTY_NAMES,
    REPORTS,
    SOURCES,
    WRONG_ROW_SUM,
    case,
    kernel,
    line,
    report,
    speedup,
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


def test_every_element_is_closed_and_in_order() -> None:
    assert PAGE.open == []


def test_the_page_needs_nothing_from_anywhere() -> None:
    names = {tag for tag, _ in PAGE.elements}
    assert len(PAGE.all("script")) == 1
    assert names.isdisjoint({"link", "img", "iframe", "object", "embed", "base", "form"})
    for _, attributes in PAGE.elements:
        assert not any(
            name.startswith("on") or name in {"src", "style", "srcset", "action"} for name in attributes
        )
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in PAGE_TEXT
    assert "@import" not in PAGE_TEXT


def test_the_policy_allows_the_inline_style_and_script_only() -> None:
    (policy,) = [m["content"] for m in PAGE.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    style, script = (
        base64.b64encode(
            hashlib.sha256(PAGE_TEXT.split(f"<{tag}>")[1].split(f"</{tag}>")[0].encode()).digest()
        ).decode()
        for tag in ("style", "script")
    )
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_the_page_of_a_submission_allows_no_script() -> None:
    page = _page_of(WRONG_ROW_SUM)
    assert page.all("script") == []
    (policy,) = [m["content"] for m in page.all("meta") if m.get("http-equiv")]
    assert policy is not None
    assert "script-src" not in policy


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_whatever_a_name_holds_is_text(name: str) -> None:
    assert safe_text(name) in PAGE.text


@pytest.mark.parametrize(
    "field",
    [
        "student",
        "lab",
        "file",
        "reason",
        "kernel",
        "case",
        "part",
        "message",
        "advice",
        "name",
        "source",
        "printed",
    ],
)
def test_no_field_of_a_submission_can_add_an_element(field: str) -> None:
    def marked(name: str) -> str:
        return '"><img src=x onerror=alert(1)>\x1b[2J' if name == field else "plain"

    diagnostic = replace(
        WRONG_ROW_SUM.kernels[0].diagnostics[0],
        message=as_written(marked("message")),
        advice=as_written(marked("advice")),
        file=marked("name"),
        line=1,
        related=(SourceLocation(file=marked("name"), line=7), SourceLocation(file=marked("name"), line=2)),
    )
    part = replace(WRONG_ROW_SUM.parts[0], name=marked("part"))
    only = kernel(
        marked("kernel"),
        cases=(case(marked("case")),),
        diagnostics=(diagnostic,),
        fast=speedup(2.0),
        seconds=1.0,
        lines=(line(1, 10, file=marked("name")), line(9, 10, file=marked("name"))),
        printed=marked("printed"),
    )
    graded = report(
        marked("student"), marked("lab"), only, parts=(part,), file=marked("file"), reason=marked("reason")
    )
    sources = {
        (graded.student, graded.lab): (
            SourceFile(name=marked("name"), data=marked("source").encode() + b"\n\n"),
        )
    }
    text = class_page.render(replace(DOCUMENT, reports=(graded, graded)), sources)
    assert Page(text).all("img") == []
    assert r"<img src=x onerror=alert(1)>\x1b[2J" in Page(text).text
    assert "\x1b" not in text


def test_every_link_leads_somewhere_and_every_id_is_one() -> None:
    ids = [attributes["id"] for _, attributes in PAGE.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {(a["href"] or "")[1:] for a in PAGE.all("a")}
    labels = {
        attributes["aria-labelledby"] for _, attributes in PAGE.elements if "aria-labelledby" in attributes
    }
    assert (targets | labels) <= set(ids)


def test_the_matrix_links_to_every_report() -> None:
    assert {f"#report-{n}" for n in range(1, len(REPORTS) + 1)} <= {a["href"] for a in PAGE.all("a")}
    assert len(PAGE.all("article")) == len(REPORTS)


def test_headings_descend_one_level_at_a_time() -> None:
    levels = [int(tag[1]) for tag, _ in PAGE.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_heading_of_a_table_has_a_scope() -> None:
    assert {th.get("scope") for th in PAGE.all("th")} == {"col", "row"}


def test_every_picture_is_described_or_only_repeats_the_text() -> None:
    for picture in PAGE.all("svg"):
        assert picture.get("aria-hidden") == "true" or picture.get("role") == "img"
    assert "13 accepted, 1 wrong, 2 failed to build, 1 timed out, 1 over the limit" in PAGE.text


def test_the_verdict_bar_fills_its_width() -> None:
    bar = PAGE_TEXT.split('<svg class="verdicts"')[1].split("</svg>")[0]
    widths = [float(width) for width in re.findall(r'width="([\d.]+)"', bar)]
    assert len(widths) == 7
    assert sum(widths) == pytest.approx(100, abs=0.01)


def test_every_modelled_number_says_so() -> None:
    assert "Times and speedups are modelled" in PAGE.text
    for number in re.findall(r"<strong>[\d.]+(?:×| [mµn]?s)</strong>(.{0,40})", PAGE_TEXT):
        assert number.startswith(' <span class="kind">modelled</span>')


def test_a_measured_class_is_not_called_modelled() -> None:
    graded = report("a", "matmul", kernel("m", fast=speedup(3.0, SpeedupKind.MEASURED, 0.1), seconds=1e-3))
    page = Page(class_page.render(replace(DOCUMENT, engine=CUDA, reports=(graded, graded))))
    assert "modelled" not in page.text
    assert "3.00× measured [2.90, 3.10] over global" in page.text


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


def test_a_kernel_links_its_findings_the_gravest_first() -> None:
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


def test_a_single_report_comes_without_class_and_boards() -> None:
    page = Page(class_page.render(replace(DOCUMENT, reports=(WRONG_ROW_SUM,))))
    assert "Leaderboards" not in page.text
    assert len(page.all("article")) == 1


def test_the_title_of_one_submission_names_lab_and_student() -> None:
    assert _page_of(WRONG_ROW_SUM).title == "row-sum · student-03 – Grader"
    assert PAGE.title == "Class results – Grader"


def test_an_empty_class_says_so() -> None:
    page = _page_of()
    assert "No submission is graded yet." in page.text
    assert page.open == []


def test_every_verdict_has_its_colour_in_both_schemes() -> None:
    for verdict in Verdict:
        assert f".v-{verdict.replace(' ', '-')} {{ --c:" in PAGE_TEXT


def test_every_class_on_the_page_has_a_style() -> None:
    style = PAGE_TEXT.split("<style>")[1].split("</style>")[0]
    styled = set(re.findall(r"\.([a-z][\w-]*)", style))
    used = {name for _, attributes in PAGE.elements for name in (attributes.get("class") or "").split()}
    assert used - styled == set()


def test_a_related_line_that_is_not_shown_is_named() -> None:
    elsewhere = (SourceLocation(file="other.cuh", line=3), SourceLocation(file="other.cuh"), SourceLocation())
    race = replace(WRONG_ROW_SUM.kernels[1].diagnostics[0], related=elsewhere)
    page = _page_of(report("a", "lab", kernel("k", diagnostics=(race,))))
    assert "see also other.cuh:3, other.cuh, the file" in page.text


def test_a_student_s_page_hides_hidden_cases() -> None:
    page = _page_of(WRONG_ROW_SUM, audience=Audience.STUDENT)
    assert "hidden case 2" in page.text
    assert "hidden-huge" not in page.text


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_text_stands_out_from_what_is_behind_it(scheme: int) -> None:
    block = re.findall(r":root \{(.*?)\}", PAGE_TEXT, re.DOTALL)[scheme]
    colours = {name: _rgb(value) for name, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)}
    for name in colours.keys() - {"page", "card", "sunk", "line", "bar", "glow"}:
        for behind in ("page", "card", "sunk"):
            assert contrast(colours[name], colours[behind]) >= 4.5, (name, behind)
    assert contrast(colours["bar"], colours["card"]) >= 3
    for tone in ("bar", "glow"):
        darkest = _mixed(
            colours[tone], colours["sunk"], max(map(int, re.findall(r"\.h\d \{ --shade: (\d+)%", PAGE_TEXT)))
        )
        assert contrast(colours["ink"], darkest) >= 4.5, tone
    flag = int(
        re.findall(r"\.flagged > \* \{ background: color-mix\(in srgb, var\(--c\) (\d+)%", PAGE_TEXT)[0]
    )
    for severity in ("error", "warning", "note"):
        flagged = _mixed(colours[severity], colours["sunk"], flag)
        for tint in ("ink", "soft", "suspicious", "accepted", "link", severity):
            assert contrast(colours[tint], flagged) >= 4.5, (tint, severity)


def test_it_is_written_where_asked(tmp_path: Path) -> None:
    class_page.write(tmp_path / "report.html", DOCUMENT, SOURCES)
    assert (tmp_path / "report.html").read_text("utf-8") == PAGE_TEXT


def _section(student: str) -> str:
    (section,) = [
        s for s in re.findall(r"<article.*?</article>", PAGE_TEXT, re.DOTALL) if f"<bdi>{student}</bdi>" in s
    ]
    return str(section)


def _mixed(colour: tuple[int, ...], ground: tuple[int, ...], percent: int) -> tuple[int, ...]:
    """Return ``percent`` of ``colour`` mixed with the rest of ``ground``, as CSS mixes in sRGB."""
    return tuple(
        round((percent * c + (100 - percent) * g) / 100) for c, g in zip(colour, ground, strict=True)
    )


def _rgb(value: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(value[1:]))
