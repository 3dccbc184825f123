"""Similar submissions in a terminal, as JSON and as pages."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

from grader.messages import LANGUAGES, Speech
from grader.model.similarity import SimilarityReport
from grader.report import json_files, similarity_json, similarity_text
from grader.report.pages import similarity_page
from grader.report.terminal.similarity import similarity_table
from tests.report.examples import NASTY_NAMES
from tests.report.html_page import Page
from tests.report.similarity_examples import similarity, similarity_document, similarity_sources
from tools.browser import CHROMIUM, Frame, observe

REPORT = similarity()
DOCUMENT = similarity_document(REPORT)
PAIR = similarity_page.render_pair(DOCUMENT, 1, similarity_sources())
INDEX = similarity_page.render_index(DOCUMENT)
VALIDATOR = Draft202012Validator(similarity_json.schema())


def shown(report: SimilarityReport, width: int = 100, language: str = "en") -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(similarity_table(report, Speech(language)))
    return capture.get()


def test_a_row_says_how_alike_and_how_far_above_the_class() -> None:
    assert re.search(r"1 +ada +ben +43 % \(\+1\.2\) +97 % \(\+11\.2\) +3–4", shown(REPORT))


def test_the_distribution_says_where_the_class_is() -> None:
    assert re.search(r"PTX, CUDA C: .*█.*211 pairs.* 2 %.* 20 %", " ".join(shown(REPORT, 300).split()))


def test_submissions_that_lack_a_view_are_listed_with_the_cause() -> None:
    assert re.search(r"PTX: 2 .*cem, dov", shown(REPORT, 200))


def test_a_class_without_a_match_says_so() -> None:
    assert "longest" not in shown(replace(REPORT, pairs=(), distributions=()))


def test_a_former_term_is_named() -> None:
    assert "ben (2025)" in shown(similarity(term="2025"))


@pytest.mark.parametrize(
    ("lines", "text"), [((3,), "3"), ((1, 2, 3, 7), "1–3, 7"), ((1, 3, 5, 6), "1, 3, 5–6"), ((), "")]
)
def test_lines_are_said_as_ranges(lines: tuple[int, ...], text: str) -> None:
    assert similarity_text.ranges(lines) == text


def test_the_json_fits_its_schema_whatever_students_are_called(tmp_path: Path) -> None:
    for name in NASTY_NAMES:
        similarity_json.write(tmp_path / "s.json", similarity_document(similarity(name)))
        VALIDATOR.validate(json.loads((tmp_path / "s.json").read_text("utf-8")))


@pytest.mark.parametrize(("field", "value"), [("schema_version", 2), ("report", None), ("created_at", 3)])
def test_the_schema_refuses(field: str, value: object) -> None:
    assert not VALIDATOR.is_valid({**json.loads(json_files.dump(DOCUMENT)), field: value})


def test_the_published_schema_is_the_code_s(checkout: Path) -> None:
    assert (checkout / "docs" / "reference" / "similarity.schema.json").read_bytes() == json_files.indented(
        similarity_json.schema()
    ), "regenerate it: python -m grader.report.similarity_json > docs/reference/similarity.schema.json"


def rows(side: int) -> list[str]:
    """The rows of the source of one side, as HTML."""
    body = PAIR.split('<table class="lines">')[1 + side].split("<tbody>")[1].split("</tbody>")[0]
    return re.findall(r"<tr.*?</tr>", body, re.DOTALL)


def test_matching_lines_are_marked_on_both_sides() -> None:
    marked = [
        [number for number, row in enumerate(rows(side), start=1) if "flagged" in row] for side in (0, 1)
    ]
    assert marked == [[2, 3, 4], [1, 2, 3]]


def test_a_passage_links_to_its_counterpart() -> None:
    assert 'id="a-1"' in rows(0)[1]
    assert 'href="#b-1"' in rows(0)[1]
    assert 'id="b-1"' in rows(1)[0]
    assert 'href="#a-1"' in rows(1)[0]


def test_lines_that_compile_alike_are_marked() -> None:
    assert ["≡" in row for row in rows(0)] == [False, False, True, True, False]


def test_the_source_is_escaped() -> None:
    assert "<b>j" not in PAIR
    assert "&lt;b" in PAIR.replace('</span><span class="c-keyword">', "")


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_no_name_acts_on_a_page_or_a_terminal(name: str, tmp_path: Path) -> None:
    made = similarity_document(similarity(name, term=name))
    written = similarity_page.write(tmp_path / "pages", made, similarity_sources(name))
    assert len(written) == 2
    assert {path.parent for path in written} == {tmp_path / "pages"}
    for path in written:
        page = Page(path.read_text("utf-8"))
        assert not page.all("script")
        assert not page.all("b")
    assert "\x1b" not in shown(made.report)


@pytest.mark.parametrize("text", [PAIR, INDEX], ids=["pair", "index"])
def test_every_class_on_a_page_has_a_style(text: str) -> None:
    styled = set(re.findall(r"\.([a-z][\w-]*)", text.split("<style>")[1].partition("</style>")[0]))
    used = {name for _, attributes in Page(text).elements for name in (attributes.get("class") or "").split()}
    assert used - styled == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_and_terminal_speak_every_language(language: str) -> None:
    page = Page(similarity_page.render_index(DOCUMENT, language))
    assert page.all("html")[0]["lang"] == language
    evidence = Speech(language).says("similarity-is-evidence")
    assert evidence in page.text
    assert "".join(evidence.split()) in "".join(shown(REPORT, language=language).split())


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
def test_no_page_is_wider_than_its_window() -> None:
    script = "found.value = page.document.documentElement.scrollWidth - page.innerWidth;"
    frames = [Frame(page=text, script=script, width=width) for text in (PAIR, INDEX) for width in (390, 1280)]
    assert all(each["value"] <= 0 for each in observe(frames).found)
