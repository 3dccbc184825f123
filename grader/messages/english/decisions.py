"""Decisions: extensions, comments, requests, regrade sets, and the list of all of them."""

from grader.messages.message import Message, message, plural

DECISIONS: dict[str, Message] = {
    # What students read
    "request-accepted": message("Answer to the request: accepted. {text}"),
    "request-declined": message("Answer to the request: declined. {text}"),
    # The audit list
    "of-former-submission": message("{what} (for the former submission)"),
    "decided-extension-until": message("extension until {until}"),
    "decided-extension-days": plural("count", "extension of {count} day", "extension of {count} days"),
    "decided-comment": message("comment at {file}:{line}"),
    "decided-comment-withdrawn": message("comment at {file}:{line} withdrawn"),
    "decided-request": message("regrade requested"),
    "decided-answer-accepted": message("request accepted"),
    "decided-answer-declined": message("request declined"),
    "decided-regrade-applied": message("regrade {regrade} applied: {before} → {after} points"),
    "decided-regrade-discarded": message(
        "regrade {regrade} discarded: stays at {before} points, not {after}"
    ),
    # Commands
    "extension-given": message("More time for {lab}: {students:and}."),
    "extension-withdrawn": message("No more time for {lab}: {students:and}."),
    "comment-stored": message("{student} reads the comment at {file}:{line}."),
    "comment-withdrawn": message("No comment is left at {file}:{line} for {student}."),
    "column-request": message("request"),
    "nothing-requested": message("No request waits for an answer."),
    "request-stored": message("The request of {student} for {lab} waits for staff."),
    "request-answered": message("The request of {student} for {lab} is answered."),
    "override-of-former": message(
        "{what} holds for the former submission of {student} for {lab}: the student submitted other work since."
    ),
}
