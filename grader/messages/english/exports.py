"""What exports to other systems say: what was written, what was left, and what to mind when uploading."""

from grader.messages.message import Message, message, plural

EXPORTS: dict[str, Message] = {
    "export-written": plural(
        "count",
        "{count} grade is new, {same} were there already: {file}",
        "{count} grades are new, {same} were there already: {file}",
    ),
    "export-unknown": plural(
        "count",
        "{count} row is of somebody whom the course does not know, and stays: {people}",
        "{count} rows are of people whom the course does not know, and stay: {people}",
    ),
    "export-not-in-file": plural(
        "count",
        "{count} person with a grade is not in the file: {people}",
        "{count} people with grades are not in the file: {people}",
    ),
    "export-excused": plural(
        "count",
        "{count} person is excused, which the file cannot say, so the row stays: {people}",
        "{count} people are excused, which the file cannot say, so their rows stay: {people}",
    ),
    "export-excused-there": plural(
        "count",
        "{count} person is excused in the other system and not here, so the row stays: {people}",
        "{count} people are excused in the other system and not here, so their rows stay: {people}",
    ),
    "export-without-points": plural(
        "count",
        "{count} person has no points yet, so the row stays: {people}",
        "{count} people have no points yet, so their rows stay: {people}",
    ),
    "export-closed": plural(
        "count",
        "{count} row takes no grade in the other system, and stays: {people}",
        "{count} rows take no grades in the other system, and stay: {people}",
    ),
    "export-above-maximum": plural(
        "count",
        "{count} grade is above the maximum, which the other system does not take, so the row stays: {people}",
        "{count} grades are above the maximum, which the other system does not take, so the rows stay: {people}",
    ),
    "export-ambiguous": message(
        "Line {line} stays, because its ids are of different people: {people:and}. Correct the roster."
    ),
    "export-formulas-in-file": plural(
        "count",
        "{count} line of the file has a cell that a spreadsheet would calculate: {lines}. Upload it without opening it",
        "{count} lines of the file have cells that a spreadsheet would calculate: {lines}. "
        "Upload it without opening it",
    ),
    "export-moodle-minute": message(
        "Moodle skips without a word every grade that changed in Moodle more than 60 seconds after the time in the "
        "file. Upload the file before you grade anything by hand and before the feedback files, or allow in the form "
        "to update records that were modified more recently in Moodle."
    ),
    "export-moodle-dates": plural(
        "count",
        "{count} person already has a grade, and Moodle reads dates in English only: it skips that row unless you "
        "allow in the form to update records that were modified more recently in Moodle.",
        "{count} people already have grades, and Moodle reads dates in English only: it skips these rows unless you "
        "allow in the form to update records that were modified more recently in Moodle.",
    ),
    "export-unknown-headers": message(
        "These columns have headers that Grader does not know, and stay: {headers}. Name the column of grades with "
        "{option}, if it is one of them."
    ),
    "export-without-login": plural(
        "count",
        "{count} person with a grade has no GitHub login in the roster, and is left out: {people}",
        "{count} people with grades have no GitHub logins in the roster, and are left out: {people}",
    ),
    "export-rows": plural("count", "{count} row: {file}", "{count} rows: {file}"),
    "export-no-maximum": message(
        "The file of {system} has no maximum, so whether it is that of the lab is not checked."
    ),
    "export-column-without-id": message(
        "The column {column} has no number at its end, so Blackboard may make a new column of it."
    ),
    # Feedback files for Moodle
    "feedback-packed": plural(
        "count", "Feedback for {count} person: {file}", "Feedback for {count} people: {file}"
    ),
    "feedback-after-grades": message(
        "Upload the grading worksheet before this file: feedback files give people without a grade an empty one, which "
        "is newer than the worksheet, and Moodle then skips their grades."
    ),
    "feedback-unknown": plural(
        "count",
        "{count} folder is of somebody whom the course does not know, and is left out: {people}",
        "{count} folders are of people whom the course does not know, and are left out: {people}",
    ),
    "feedback-of-teams": plural(
        "count",
        "{count} folder is of a team, to which Moodle assigns no feedback files, and is left out: {teams}. "
        "Give the grading worksheet in place of the submissions; it has the members.",
        "{count} folders are of teams, to which Moodle assigns no feedback files, and are left out: {teams}. "
        "Give the grading worksheet in place of the submissions; it has the members.",
    ),
    "feedback-without-folder": plural(
        "count",
        "{count} person with a result has no folder there: {people}",
        "{count} people with results have no folders there: {people}",
    ),
    # Gradescope's container
    "gradescope-limited": message(
        "This submission is not graded: {attempts} in any {hours} hours are. The results are those of the submission "
        "before. Submit again after {moment}."
    ),
    "gradescope-kept": message(
        "The rate limit refused the submission; it keeps the results of the one before."
    ),
}
