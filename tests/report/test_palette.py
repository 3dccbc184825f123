"""The terminal's colours are readable on any background."""

import pytest
from rich.color import Color

from grader.model.diagnostic import Severity
from grader.model.verdict import Verdict
from grader.report import palette
from grader.report.highlight import Tint
from grader.report.profile import Tone
from tests.report.contrast import contrast


@pytest.mark.parametrize("background", [(255, 255, 255), (253, 246, 227), (30, 30, 30), (0, 0, 0)])
@pytest.mark.parametrize(
    "style",
    sorted(
        {
            *palette.VERDICT.values(),
            *palette.SEVERITY.values(),
            *palette.TONE.values(),
            *palette.TINT.values(),
            palette.GREY,
        }
    ),
)
def test_every_colour_stands_out_from_light_and_dark(style: str, background: tuple[int, int, int]) -> None:
    assert contrast(tuple(Color.parse(style).get_truecolor()), background) >= 3.0


def test_every_verdict_severity_tint_and_tone_has_a_colour() -> None:
    assert set(palette.VERDICT) == set(Verdict)
    assert set(palette.SEVERITY) == set(Severity)
    assert set(palette.TINT) == set(Tint)
    assert set(palette.TONE) == set(Tone)
