"""The structure of pages: well formed, escaped, linked, and needing nothing from elsewhere."""

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
from grader.report.pages import class_page, submission_page
from grader.report.redact import Audience
from grader.report.text import safe_text
from tests.report.examples import (
    CUDA,
    DOCUMENT,
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

PAGE_TEXT = class_page.render(DOCUMENT, SOURCES)
PAGE = Page(PAGE_TEXT)


def _page_of(*reports: Report, audience: Audience = Audience.STAFF) -> Page:
    return Page(submission_page.render(replace(DOCUMENT, reports=reports), {}, audience))


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


def test_a_single_report_comes_without_class_and_boards() -> None:
    page = Page(class_page.render(replace(DOCUMENT, reports=(WRONG_ROW_SUM,))))
    assert "Leaderboards" not in page.text
    assert len(page.all("article")) == 1


def test_an_empty_class_says_so() -> None:
    page = _page_of()
    assert "No submission is graded yet." in page.text
    assert page.open == []


def test_it_is_written_where_asked(tmp_path: Path) -> None:
    class_page.write(tmp_path / "report.html", DOCUMENT, SOURCES)
    assert (tmp_path / "report.html").read_text("utf-8") == PAGE_TEXT
