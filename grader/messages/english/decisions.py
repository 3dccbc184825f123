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
    # Regrade sets
    "column-number": message("no."),
    "column-rows": message("rows"),
    "column-before": message("before"),
    "column-after": message("after"),
    "column-share-of-points": message("share of the points"),
    "no-regrades": message("There is no regrade yet. Make one with `grader regrade new`."),
    "rows-by-state": message("{states}"),
    "regrade-rows": message("Regrade {regrade}: {states}"),
    "rows-applied": plural("count", "{count} row applied", "{count} rows applied"),
    "rows-discarded": plural("count", "{count} row discarded", "{count} rows discarded"),
    "rows-proposed": plural("count", "{count} row proposed", "{count} rows proposed"),
    "rows-superseded": plural(
        "count", "{count} row superseded by a newer result", "{count} rows superseded by a newer result"
    ),
    "rows-unchanged": plural("count", "{count} row unchanged", "{count} rows unchanged"),
    "rows-waiting": plural("count", "{count} row waiting", "{count} rows waiting"),
    "regrade-made": plural(
        "count",
        "Regrade {regrade} has {count} submission. Run it with `grader regrade run`.",
        "Regrade {regrade} has {count} submissions. Run it with `grader regrade run`.",
    ),
    "regrade-open-already": plural(
        "count",
        "Regrade {regrade} with this submission is open already.",
        "Regrade {regrade} with these {count} submissions is open already.",
    ),
    "regrade-without-files": plural(
        "count",
        "{count} submission is left out: the store has no copy of its files.",
        "{count} submissions are left out: the store has no copy of their files.",
    ),
    "regrade-done": message(
        "Regrade {regrade}: {rescored} rescored, {graded} graded, {unchanged} unchanged, {left} waiting."
        " Nothing counts before `grader regrade apply`."
    ),
    "regrade-superseded": plural(
        "count",
        "{count} student has a newer result, which counts.",
        "{count} students have a newer result, which counts.",
    ),
    "regrade-not-gradable": plural(
        "count",
        "{count} submission was not gradable and waits. Run the same command again.",
        "{count} submissions were not gradable and wait. Run the same command again.",
    ),
    "regrade-other-engine": plural(
        "count",
        "{count} submission was graded on another device and waits. Run it there, or name an engine with --engine.",
        "{count} submissions were graded on another device and wait. Run them there, or name an engine with --engine.",
    ),
    "regrade-same": plural(
        "count",
        "{count} result keeps its points and verdict.",
        "{count} results keep their points and verdict.",
    ),
    "regrade-nothing-closed": message("Nothing was open that this could close."),
    "crosses-upwards": message("{student} reaches {boundary} of the points of {lab}."),
    "crosses-downwards": message("{student} falls below {boundary} of the points of {lab}."),
    # The gradebook
    "decided-published": message("scores published"),
    "decided-published-withdrawn": message("scores hidden again"),
    "lab-published": message("The scores of {lab} are published."),
    "lab-unpublished": message("The scores of {lab} are hidden again where the course says so."),
    "column-section": message("section"),
    "column-total": message("total"),
    "column-grade": message("grade"),
    "legend-override": message("set by staff"),
    "legend-penalty": message("less a penalty for late work"),
    "legend-hidden": message("hidden from the student"),
    "grade-counts": message("{student} on {lab}: {points} of {most} points count"),
    # Personal data
    "decided-board-name": message("appears on boards as {name}"),
    "decided-board-none": message("appears on no board"),
    "decided-board-frozen": message("the board was frozen"),
    "decided-board-live": message("the board goes on"),
    "decided-erasure-asked": message("asks for erasure of all data"),
    "decided-erased": message("a student was erased"),
    "rows-count": plural("count", "{count} row", "{count} rows"),
    "files-count": plural("count", "{count} file", "{count} files"),
    # Statistics
    "statistics-cases": message("The hardest cases"),
    "statistics-points": message("Points"),
    "statistics-mistakes": message("Equal mistakes"),
    "no-mistakes": message("No finding has a line of a stored file."),
    "column-case": message("case"),
    "column-failed": message("failed"),
    "column-students": message("students"),
    "column-finding": message("finding"),
    "column-line": message("line"),
    "failed-of": message("{failed} of {total} ({share})"),
    "students-named": message("{count}: {students}"),
}
