"""Five typical reports read well in English, Russian and Chinese: in a terminal, as text and as a page."""

import os
import re

import pytest
from rich.cells import cell_len

from grader.messages import LANGUAGES
from grader.model.report import ResultsDocument
from grader.report import feedback_text
from grader.report.pages import feedback_page
from tests.report.foreign import english_words
from tests.report.html_page import Page
from tools.browser import CHROMIUM, Frame, observe
from tools.typical_reports import ENGINE, PAGE, TYPICAL, WIDTH, Typical, page, recorded, shown

REPORTS = dict(zip(TYPICAL, recorded(), strict=True))

EACH = pytest.mark.parametrize("typical", TYPICAL, ids=lambda typical: typical.student)
OTHER = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])

_CODE = re.compile(r" │ .*")
_QUOTED = re.compile(r"“.*?”")
_COMPILER = (
    'expected a ";"',
    'variable "sum" was declared but never referenced',
    "parsing restarts here after previous syntax error",
    "__syncthreads",
)


def names(typical: Typical) -> tuple[str, ...]:
    """What is the same in every language: names of files, cases, arrays and rungs, and what a compiler says."""
    report = REPORTS[typical]
    cases = (case.name for kernel in report.kernels for case in kernel.cases)
    rungs = ("global", "shared_padded", "expert", "whole_grid")
    kernels = (kernel.name for kernel in report.kernels)
    return (report.student, report.lab, report.file, "hidden", *kernels, *cases, *rungs, *_COMPILER)


def document(typical: Typical) -> ResultsDocument:
    return ResultsDocument(
        grader_version="1",
        created_at="2026-11-27T12:00:00+00:00",
        engine=ENGINE,
        reports=(REPORTS[typical],),
    )


def as_page(typical: Typical, language: str) -> str:
    sources = {(typical.student, typical.lab): typical.sources}
    return feedback_page.render(typical.student, document(typical), sources, language)


def test_the_page_of_typical_reports_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.typical_reports`"


@OTHER
@EACH
def test_a_report_has_no_english_left(typical: Typical, language: str) -> None:
    text = "\n".join(_CODE.sub("", line) for line in shown(typical, REPORTS[typical], language).splitlines())
    assert english_words(_QUOTED.sub("", text), names(typical)) == []


@OTHER
@EACH
def test_feedback_has_no_english_left(typical: Typical, language: str) -> None:
    text = feedback_text.render(typical.student, document(typical), language)
    assert english_words(_QUOTED.sub("", text), names(typical)) == []


@pytest.mark.parametrize("language", LANGUAGES)
@EACH
def test_a_report_fits_its_terminal(typical: Typical, language: str) -> None:
    assert max(map(cell_len, shown(typical, REPORTS[typical], language).splitlines())) <= WIDTH


@EACH
def test_russian_numbers_have_commas(typical: Typical) -> None:
    text = "\n".join(_CODE.sub("", line) for line in shown(typical, REPORTS[typical], "ru").splitlines())
    assert re.findall(r"\d\.\d", text) == []


def test_russian_nouns_follow_their_numbers() -> None:
    race, *_, waiting = (" ".join(shown(each, REPORTS[each], "ru").split()) for each in TYPICAL)
    assert "25 баллов за скорость" in race
    assert "24 балла за скорость" in waiting
    assert "1 620 864 раза" in race.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("GRADER_TEST_CHROMIUM"), reason="no Chromium is installed"
)
@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "phone"])
def test_no_page_is_wider_than_its_window(width: int) -> None:
    script = """
      found.wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      found.language = document.documentElement.lang;
    """
    frames = [
        Frame(page=as_page(typical, language), script=script, width=width)
        for typical in TYPICAL
        for language in LANGUAGES
    ]
    seen = observe(frames)
    assert seen.console == ()
    assert [each["wider"] for each in seen.found] == [0] * len(frames)
    assert [each["language"] for each in seen.found] == list(LANGUAGES) * len(TYPICAL)


@OTHER
def test_a_page_has_no_english_left(language: str) -> None:
    (typical,) = (each for each in TYPICAL if each.lab == "transpose")
    assert english_words(" ".join(Page(as_page(typical, language)).words), names(typical)) == []
