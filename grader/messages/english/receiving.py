"""What an import says: the students with submissions, what is known of them, and who is unknown."""

from grader.messages.message import Message, message, plural

RECEIVING: dict[str, Message] = {
    "archive-recognised": message("{system}: {why}"),
    "of-all-attempts": message("all: {remark}"),
    "entry-ignored": message("left aside: {entry}"),
    "more-entries-ignored": plural(
        "count",
        "left aside: {count} more entry; {option} lists it",
        "left aside: {count} more entries; {option} lists them",
    ),
    # Columns
    "column-name": message("name"),
    "column-attempt": message("attempt"),
    "column-files": message("files"),
    "column-state": message("state"),
    "column-remarks": message("remarks"),
    # States of an attempt
    "attempt-new": message("new"),
    "attempt-known": message("known"),
    "attempt-refused": message("{state}, without work that can be graded: {why}"),
    # Remarks on its time
    "time-zone-assumed": message("the time has no zone; that of the course is assumed"),
    "time-of-commit": message("the time is that of the commit, by the clock of its author"),
    "time-of-file": message(
        "the system names no time; that of the newest file stands for it, which may be that of the download"
    ),
    "time-when-due": message("not marked late; it counts as submitted when it was due"),
    "late-by-file-time": plural(
        "count",
        "{count} submission is late only by the time of its file, which may be that of the download; name the sheet "
        "with the times with {option}",
        "{count} submissions are late only by the times of their files, which may be that of the download; name the "
        "sheet with the times with {option}",
    ),
    "time-of-import": message("no time is known; that of the import stands for it"),
    "marked-late": message("marked late"),
    # People
    "person-unknown": message(
        "nobody in the roster has the id {id} (name: {name}; e-mail: {email}); write it into the column {column} "
        "of the person's line, add the line if it is missing, and import again"
    ),
    "person-known-by-name": message(
        "nobody in the roster has the id {id}; of the name {name} there is {people:and}, but a name proves nothing; "
        "write the id into the column {column} of the right line, and import again"
    ),
    "person-ambiguous": message(
        "{id} (name: {name}) may be {people:or}; write the id into the right line of the roster, and import again"
    ),
    "person-without-id": message("the archive names nobody for {path}"),
    "group-unknown": message(
        "nobody in the roster is in the group {group}; write it into the lines of its members, or name the "
        "worksheet with --sheet, and import again"
    ),
    "more-people-unknown": plural(
        "count",
        "{count} more person is not in the roster; {option} lists them",
        "{count} more people are not in the roster; {option} lists them",
    ),
    "sheet-has-addresses": message(
        "Moodle's numbers are those of one assignment; name its grading worksheet with {option}, which has addresses"
    ),
    # Summary
    "new-attempts": plural("count", "{count} new attempt", "{count} new attempts"),
    "entries-left-aside": plural("count", "{count} entry left aside", "{count} entries left aside"),
    "imported": message("imported: {new}; {known} known before, {unknown} of unknown people, {ignored}"),
    "would-be-imported": message(
        "would be imported: {new}; {known} known before, {unknown} of unknown people, {ignored}"
    ),
    "imported-next": message("{command} grades them"),
    "attempts-of-no-lab": message("the store has attempts for {lab}, and there is no lab of this name"),
}
