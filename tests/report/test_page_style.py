"""The style sheet of pages: each class has a style, and text stands out in every colour scheme."""

import re

import pytest

from grader.model.verdict import Verdict
from grader.report.pages import class_page
from tests.report.contrast import contrast
from tests.report.examples import (
    DOCUMENT,
    SOURCES,
)
from tests.report.html_page import Page

PAGE_TEXT = class_page.render(DOCUMENT, SOURCES)
PAGE = Page(PAGE_TEXT)


def test_every_verdict_has_its_colour_in_both_schemes() -> None:
    for verdict in Verdict:
        assert f".v-{verdict.replace(' ', '-')} {{ --c:" in PAGE_TEXT


def test_every_class_on_the_page_has_a_style() -> None:
    style = PAGE_TEXT.split("<style>")[1].split("</style>")[0]
    styled = set(re.findall(r"\.([a-z][\w-]*)", style))
    used = {name for _, attributes in PAGE.elements for name in (attributes.get("class") or "").split()}
    assert used - styled == set()


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


def _mixed(colour: tuple[int, ...], ground: tuple[int, ...], percent: int) -> tuple[int, ...]:
    """Return ``percent`` of ``colour`` mixed with the rest of ``ground``, as CSS mixes in sRGB."""
    return tuple(
        round((percent * c + (100 - percent) * g) / 100) for c, g in zip(colour, ground, strict=True)
    )


def _rgb(value: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(value[1:]))
