"""The queue: jobs, their places, and the workers that run them."""

from grader.messages.message import Message, message, plural

QUEUE: dict[str, Message] = {
    # Columns
    "column-job": message("job"),
    "column-lane": message("lane"),
    "column-needs": message("needs"),
    "column-attempts": message("attempts"),
    "column-worker": message("worker"),
    "column-host": message("host"),
    "column-device": message("device"),
    "column-since": message("since"),
    "column-event": message("event"),
    # States
    "job-waiting": message("waiting"),
    "job-running": message("running"),
    "job-done": message("done"),
    "job-failed": message("failed: staff must look"),
    "job-cancelled": message("cancelled"),
    "job-superseded": message("superseded by a newer submission"),
    # Submitting and changing
    "jobs-queued": plural(
        "count", "{count} submission is in the queue.", "{count} submissions are in the queue."
    ),
    "jobs-unchanged": plural(
        "count",
        "{count} submission has a result already; --fresh grades it again.",
        "{count} submissions have a result already; --fresh grades them again.",
    ),
    "jobs-cancelled": plural("count", "{count} job is cancelled.", "{count} jobs are cancelled."),
    "jobs-retried": plural("count", "{count} job waits again.", "{count} jobs wait again."),
    "job-had-ended": message("Job {job} has ended, so nothing changed."),
    "job-not-ended": message("Job {job} has neither failed nor been cancelled, so nothing changed."),
    "queue-empty": message("No job waits, runs or has failed."),
    # Places
    "job-place": plural(
        "ahead", "Job {job} waits; {ahead} job is before it.", "Job {job} waits; {ahead} jobs are before it."
    ),
    "job-estimate": message("It is done in about {seconds:,.0f} s, as far as recent jobs say."),
    "no-estimate": message("No worker is there, or nothing was graded yet, so there is no estimate."),
    "job-is": message("Job {job} of {student} for {lab}: {state}."),
    "job-why": message("Last problem: {why}"),
    # Workers
    "no-workers": message("No worker is there. Start some with {command}."),
    "workers-serve": plural(
        "count",
        "Serving the queue with {count} device of this host; end with Ctrl-C or {command}.",
        "Serving the queue with {count} devices of this host; end with Ctrl-C or {command}.",
    ),
    "workers-elsewhere": message("Serving the queue with workers elsewhere; end with Ctrl-C or {command}."),
    "job-recorded": message("job {job}: {student} for {lab}: {verdict:word}"),
    "job-discarded": message("job {job}: {student} for {lab}: no result; see `grader queue show {job}`"),
    "job-without-result": message(
        "job {job}: {student} for {lab}: no result; see `grader queue show {job}`, and `grader queue retry {job}`"
    ),
    "jobs-to-grade": plural(
        "count",
        "{count} job for the executor {executor}; {unchanged} with a result already.",
        "{count} jobs for the executor {executor}; {unchanged} with a result already.",
    ),
    "queue-served-elsewhere": message("Another dispatcher serves the queue; waiting for its results."),
    "jobs-served": message("{recorded} recorded, {failed} without a result."),
    "jobs-left": plural(
        "count", "{count} job still waits: see {command}.", "{count} jobs still wait: see {command}."
    ),
    "workers-stopping": message("The dispatcher ends when its running jobs are done."),
    "no-dispatcher": message("No dispatcher serves this store."),
    "key-written": message("Copy {folder} to {host}, readable by its owner only, and run there: {command}"),
    "worker-idle": message("idle"),
    "worker-set-aside": message("set aside: {why}"),
}
