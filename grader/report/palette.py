"""The colours of verdicts and severities in a terminal.

Numbers of the fixed 256-colour palette, of middling lightness: they keep a contrast of at least 3:1 on white and on
black alike, which the sixteen named colours, whatever a terminal makes of them, do not.
"""

from grader.model.diagnostic import Severity
from grader.model.verdict import Verdict

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
