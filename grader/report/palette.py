"""The colours of verdicts, severities, figures and source code in a terminal.

Uses the fixed 256-colour palette at medium lightness, for a contrast of at least 3:1 on white and on black. Terminals
redefine the sixteen named colours, so those guarantee no contrast.
"""

from grader.model.diagnostic import Severity
from grader.model.verdict import Verdict
from grader.report.highlight import Tint
from grader.report.profile import Tone

GREEN = "color(28)"
RED = "color(167)"
ORANGE = "color(136)"
PURPLE = "color(134)"
BLUE = "color(68)"
GREY = "color(244)"

VERDICT = {
    Verdict.ACCEPTED: GREEN,
    Verdict.SUSPICIOUS: PURPLE,
    Verdict.WRONG: RED,
    Verdict.OVER_THE_LIMIT: ORANGE,
    Verdict.TIMED_OUT: ORANGE,
    Verdict.CRASHED: RED,
    Verdict.FAILED_TO_BUILD: RED,
    Verdict.NOT_GRADABLE: BLUE,
}

SEVERITY = {Severity.ERROR: RED, Severity.WARNING: ORANGE, Severity.NOTE: BLUE}

TONE = {Tone.WORK: BLUE, Tone.WASTE: ORANGE}

TINT = {
    Tint.COMMENT: GREY,
    Tint.DIRECTIVE: PURPLE,
    Tint.TEXT: GREEN,
    Tint.NUMBER: GREEN,
    Tint.KEYWORD: BLUE,
    Tint.BUILTIN: PURPLE,
}
