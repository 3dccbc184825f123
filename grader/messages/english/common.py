"""Statements that every room uses."""

from grader.messages.message import Message, message, plural

COMMON: dict[str, Message] = {
    "as-written": message("{text}"),
    "in-kernel": message("{kernel}: {reason}"),
    "at-location": message("{location}: {reason}"),
    "code-location": message("{location}"),
    "more-items": message("{count} more"),
    "in-case": message("case {case}: {reason}"),
    "all-cases-passed": plural("count", "right in its only case", "right in all {count} cases"),
    "cleared-by-staff": message("{reason}; staff reviewed its times and cleared them"),
    "flag-confirmed-by-staff": message("no points: staff reviewed its times and confirmed the flag"),
    "cases-right": message("{right} of {total} cases right"),
    "cases-right-but": plural(
        "count",
        "{cases}; {cost:g} point less because CUDA does not allow this: {findings}",
        "{cases}; {cost:g} points less because CUDA does not allow this: {findings}",
    ),
    "withheld-until-review": message("withheld until staff review: {reason}"),
    "hidden-case": message("hidden case {number} failed"),
    "hidden-case-verdict": message("hidden case {number}: {verdict:word}"),
    "location": message("{file}, line {line}"),
    "location-line": message("line {line}"),
    "location-unknown": message("an unknown line"),
}
