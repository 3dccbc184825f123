"""Course systems that speak LTI: commands and pages."""

from grader.messages.message import Message, message, plural

PORTAL_LTI: dict[str, Message] = {
    # Commands
    "lti-registered": message("{issuer} is registered. Enter these addresses in the course system:"),
    "lti-none": message("No course system is registered. Register one with {command}."),
    "lti-not-connected": message(
        "No course is connected yet: the first one in which an instructor opens Grader will be."
    ),
    "lti-sent": message(
        "{sent} sent, {failed} failed and are tried again, {refused} refused, {waiting} waiting."
    ),
    "lti-keys-rotated": plural(
        "count",
        "{count} new key is published; it signs from tomorrow on.",
        "{count} new keys are published; they sign from tomorrow on.",
    ),
    "lti-same": message("Every column shows what was sent."),
    "lti-differs": message("{student}, {lab}: sent {sent}, the column shows {shown}"),
    "lti-empty": message("nothing"),
    "lti-roster-of": message("Roster of {title}"),
    # Columns
    "column-course-system": message("course system"),
    "column-client": message("client"),
    "column-deployments": message("deployments"),
    "column-courses": message("courses"),
    # Pages
    "lti-page": message("Course system"),
    "lti-why": message(
        "Students come from links in the course system, and grades that count go to its columns."
    ),
    "lti-no-course": message(
        "No course is connected. The operator registers the course system; then open Grader from its course."
    ),
    "lti-columns": message("Labs in the course system"),
    "lti-no-column": message("no column yet"),
    "lti-has-column": message("column"),
    "lti-send-now": message("Send grades now"),
    "lti-retry": message("Send refused grades too"),
    "lti-grades": message("Grades on their way"),
    "lti-state-waiting": message("waiting"),
    "lti-state-sending": message("is tried again"),
    "lti-state-sent": message("sent"),
    "lti-state-refused": message("refused"),
    "lti-all-sent": message("Every grade that counts is in the course system."),
    "lti-log": message("What happened"),
    "lti-event-wanted": message("to be sent"),
    "lti-event-sent": message("sent"),
    "lti-event-failed": message("failed"),
    "lti-event-refused": message("refused"),
    "lti-event-retried": message("tried again by staff"),
    "lti-roster": message("Roster"),
    "lti-roster-show": message("Show what the course system's roster changes"),
    "lti-roster-apply": message("Import the roster"),
    "lti-roster-same": message("The roster here has everybody already."),
    "lti-choose": message("Which lab should the link open?"),
    "lti-choose-why": message("The course gets the link, and a column for its grades."),
    "lti-place": message("Place {lab}"),
    "lti-opens": message("Grader opens in a window of its own"),
    "lti-opens-why": message("Inside a frame of another site, a browser forgets who you are."),
    "lti-ticket-gone": message("This button was used, or is too old. Open the link in the course again."),
    "lti-open": message("Open Grader"),
}
