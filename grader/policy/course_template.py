"""The ``course.toml`` that ``grader course new`` writes."""

import json
from collections.abc import Sequence

from grader.policy import late, limits

_HEAD = """\
# A course: its dates and rules. `grader course check` validates this file.
# docs/reference/course-toml.md explains every key. Times are those of the clock in `time_zone`.

[course]
title = {title}
time_zone = {zone}
language = {language}           # "en", "ru" or "zh"
# sections = ["A", "B"]    # the sections that the roster may name

# Late days: each student has some for the term, and spends them by submitting late.
# [late_days]
# per_student = 4
# per_lab = 2

# What holds for every lab that does not say otherwise.
[defaults]
late = "none"              # {late}
grace_minutes = 0          # minutes after the due date that cost nothing
keep = "best"              # or "last": which attempt counts
attempts = "unlimited"     # {limits}
scores = "at once"         # or "after due", or "when published"
"""

_LAB = """
[labs.{name}]
# opens = "2026-06-01 08:00"
# due = "2026-06-18 23:59"
# closes = "2026-06-25 23:59"
# late = "10 % a day, at most 3 days"
# points = 20              # what the lab gives in this course; its rubric is scaled to it
# weight = 1               # its part in the total
"""

_TAIL = """
# Exceptions for a student, group, label or section; of several the most generous holds.
# [[exceptions]]
# student = "12345"        # or group = "team 1", label = "extra time", section = "A"
# lab = "{example}"        # without it: every lab
# days = 3                 # or due = "2026-06-21 23:59"; also closes, attempts, excused = true
# reason = "ill"
# by = "Ada Example"

# Groups and labels, besides those of the roster.
# [groups]
# "team 1" = ["12345", "12346"]
# [labels]
# "extra time" = ["12345"]

# Grades by the percentage of the total that they need at least.
# [grades]
# A = 90
# B = 80
"""


def template(labs: Sequence[str], *, title: str, zone: str, language: str) -> str:
    """A commented course with ``labs``, none of which has dates yet."""
    head = _HEAD.format(
        title=_quoted(title),
        zone=_quoted(zone),
        language=_quoted(language),
        late=_forms(late.FORMS[1:]),
        limits=_forms(limits.FORMS[1:4]),
    )
    example = labs[0] if labs else "LAB"
    return head + "".join(_LAB.format(name=name) for name in labs) + _TAIL.format(example=example)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _forms(forms: Sequence[str]) -> str:
    return f"or {', '.join(forms)}"
