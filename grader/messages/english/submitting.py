"""What a student reads when work arrives over HTTP: why an attempt or a request is refused."""

from grader.messages.message import Message, message

SUBMITTING: dict[str, Message] = {
    "upload-empty": message("Nothing was submitted. Choose a file, or paste the source code."),
    "upload-name": message("The file name {name} leads out of the submission. Rename the file."),
    "upload-refused": message("This cannot be submitted: {why}."),
    "upload-lab-unknown": message("The file names name no lab. Say which lab it is: {labs:or}."),
    "lab-unknown": message("The course has no lab {lab}."),
    "submit-key-invalid": message("An idempotency key has at most {limit} characters, all of which show."),
    "submit-key-used": message("This idempotency key is that of another submission. Use a new one."),
    "attempt-not-accepted": message("No attempt is accepted now: {rule}."),
}
