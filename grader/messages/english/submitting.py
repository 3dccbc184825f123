"""What a student reads when work arrives over HTTP: why it is refused, and how far it is."""

from grader.messages.message import Message, message, plural

SUBMITTING: dict[str, Message] = {
    "upload-empty": message("Nothing was submitted. Choose a file, or paste the source code."),
    "upload-name": message("The file name {name} leads out of the submission. Rename the file."),
    "upload-refused": message("This cannot be submitted: {why}."),
    "upload-lab-unknown": message("The file names name no lab. Say which lab it is: {labs:or}."),
    "lab-unknown": message("The course has no lab {lab}."),
    "submit-key-invalid": message("An idempotency key has at most {limit} characters, all of which show."),
    "submit-key-used": message("This idempotency key is that of another submission. Use a new one."),
    "attempt-not-accepted": message("No attempt is accepted now: {rule}."),
    "nickname-empty": message("A name of visible characters is needed."),
    "nickname-long": message("The name has more than {limit} characters."),
    "nickname-taken": message("The name is that of another person, or too much like it. Choose another one."),
    "withdraw-too-late": message("The attempt no longer waits, so it cannot be withdrawn."),
    # How far an attempt is
    "live-next": message("Next in the queue"),
    "live-waiting": plural(
        "ahead", "In the queue, {ahead} attempt before it", "In the queue, {ahead} attempts before it"
    ),
    "live-expected": plural(
        "minutes",
        "the result is expected within a minute",
        "the result is expected in about {minutes} minutes",
    ),
    "live-no-worker": message("no worker runs now; grading starts as soon as one does"),
    "live-machine-failed": message("a machine failed, so grading starts again; this takes no attempt"),
    "live-running": message("Grading"),
    "live-compiling": message("Compiling"),
    "live-checking": message("Checking the results"),
    "live-timing": message("Timing"),
    "live-done": message("Graded"),
    "live-superseded": message("Not graded: a newer attempt took its place in the queue"),
    "live-withdrawn": message("Withdrawn"),
    "live-failed": message(
        "The grader failed; your code is not the cause. Staff see it, and it takes no attempt"
    ),
    "live-not-queued": message("Received; staff start the grading"),
    "live-refused": message("Not graded: {why}"),
}
