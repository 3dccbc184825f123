"""Structured logs: one line for each event, with the ids of the run and the submission that it belongs to.

A line has an event name and fields, never prose. Text from outside, such as a student's name, enters only as a field:
escaped and cut, so that it stays in its line. Workers do not log; the grader logs what happens to them.
"""

import contextlib
import contextvars
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import Any

Field = str | int | float | bool | None
"""A value in a line; a ``StrEnum`` counts as its text."""

_FIELD_LIMIT = 300
"""Characters of a field that a line shows."""

_DIGEST_LIMIT = 12
"""Digits of a submission's digest in a line."""


class Level(StrEnum):
    """How much an event matters; the least first."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """``text``: ``name='value'`` pairs. ``json``: one JSON object a line."""

    TEXT = "text"
    JSON = "json"


class Event(Enum):
    """Everything that is logged: the level, what happened, and the names of the fields.

    What the command itself shows its user is at most ``info``. The lines of one submission also have the
    fields in ``SUBMISSION_IDS``, and all lines of one command the same ``run``.
    """

    COMMAND_STARTED = (Level.INFO, "a command starts", ("command", "version"))
    COMMAND_FINISHED = (Level.INFO, "a command ends with an exit code", ("code",))
    COMMAND_FAILED = (Level.INFO, "an infrastructure fault ends the command", ("error",))

    GRADING_RETRIED = (
        Level.WARNING,
        "an infrastructure fault stopped the grading of a submission, which is tried again after a pause",
        ("attempt", "pause_seconds", "error"),
    )
    SUBMISSION_GRADED = (Level.INFO, "a submission has a report", ("verdict", "score", "seconds"))
    SUBMISSION_NOT_GRADABLE = (Level.ERROR, "all attempts to grade a submission failed", ("error",))
    REQUEST_RETRIED = (
        Level.WARNING,
        "a worker was lost, perhaps by a fault of the machine; a known-good kernel is tried, then the request again",
        ("attempt", "cause"),
    )
    LANGUAGE_UNAVAILABLE = (
        Level.INFO,
        "the compiler of a language does not work, so nothing in it is gradable in this run",
        ("language", "error"),
    )
    LOSS_CHARGED = (
        Level.INFO,
        "the submission is at fault for the loss of its worker and gets a verdict",
        ("request", "cause", "verdict"),
    )

    WORKER_LOST = (
        Level.INFO,
        "a worker died or was killed: out of time, over a limit, or an unreadable reply",
        ("cause", "error", "stderr"),
    )
    MACHINE_OUT_OF_MEMORY = (
        Level.WARNING,
        "the kernel killed a worker that was within its limit, because the machine has no memory left",
        (),
    )
    WORKER_DISCARDED = (
        Level.INFO,
        "a worker that was started ahead ended before its first request",
        ("role",),
    )
    WORKER_START_FAILED = (
        Level.WARNING,
        "a worker could not be started ahead; it is started again when it is needed",
        ("role", "error"),
    )
    FORKSERVER_LOST = (
        Level.WARNING,
        "a process that forks workers ended or hangs; it is replaced",
        ("error", "stderr"),
    )
    LEFTOVERS_REMOVED = (
        Level.INFO,
        "what killed graders left behind was removed: scratch folders or containers",
        ("what", "count"),
    )
    STREAM_GARBLED = (Level.WARNING, "the Docker engine sent bytes of an unknown stream", ("stream",))

    SANDBOX_SKIPPED = (
        Level.INFO,
        "a stronger sandbox cannot be used here, so the next one is tried",
        ("sandbox", "error"),
    )
    ENGINE_FALLBACK = (Level.INFO, "the GPU cannot be used, so the emulator grades", ("error",))
    GPU_WAIT_LONG = (
        Level.WARNING,
        "another worker or grader holds the lock of the GPU for long; the wait goes on",
        ("gpu", "seconds"),
    )

    DEVICE_SET_ASIDE = (
        Level.WARNING,
        "a device lost several attempts in a row and gets no jobs for some minutes",
        ("device", "model", "error"),
    )
    JOB_LOST = (
        Level.WARNING,
        "an attempt at a job was lost; the job waits again, or has failed and waits for a person",
        ("job", "attempt", "state", "error"),
    )
    JOBS_TAKEN_OVER = (
        Level.WARNING,
        "a dispatcher that ended left running jobs, which wait again",
        ("count",),
    )

    WORKERS_ENDED = (
        Level.WARNING,
        "the workers beside the portal ended, and are started again after a pause",
        ("code", "pause_seconds"),
    )
    PAGE_ANSWERED = (
        Level.INFO,
        "the portal answered a request; `page` is a row of its table, never an address, which may hold a secret",
        ("method", "page", "status", "milliseconds"),
    )
    PAGE_FAILED = (
        Level.ERROR,
        "a page of the portal failed, and its visitor got status 500",
        ("page", "error", "where"),
    )
    SETTINGS_REFUSED = (
        Level.WARNING,
        "a server or worker goes on with the labs as they were: the changed settings have a mistake",
        ("file", "error"),
    )
    GRADES_NOT_SENT = (
        Level.WARNING,
        "a course system took no grade, or has no column for a lab; a later round tries again unless it refused",
        ("lab", "error"),
    )

    STORE_UPGRADED = (
        Level.INFO,
        "a store of an older schema was upgraded",
        ("store", "schema"),
    )
    DECISION_STORED = (
        Level.INFO,
        "staff decided about a flagged submission",
        ("decision", "reviewer", "reason"),
    )

    def __init__(self, level: Level, meaning: str, fields: tuple[str, ...]) -> None:
        self.level = level
        self.meaning = meaning
        self.fields = fields

    @property
    def label(self) -> str:
        """The name in a line."""
        return self.name.lower()


SUBMISSION_IDS = {
    "run": "the command that wrote the line; it differs between two runs",
    "job": "the number of the submission in this run",
    "student": "the student",
    "lab": "the lab",
    "submission": "the first digits of the digest of the submitted files",
}
"""The ids in the lines of one submission."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Output:
    level: Level
    format: LogFormat
    write: Callable[[str], None]


def _to_stderr(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


_output = _Output(level=Level.WARNING, format=LogFormat.TEXT, write=_to_stderr)
_ids: contextvars.ContextVar[Mapping[str, Field]] = contextvars.ContextVar("grader_log_ids", default={})  # noqa: B039 - nothing changes the default


def configure(
    *,
    level: Level = Level.WARNING,
    format: LogFormat = LogFormat.TEXT,  # noqa: A002 - the option's name
    write: Callable[[str], None] = _to_stderr,
) -> None:
    """Log events of ``level`` and above in this process; ``write`` receives each line without its end."""
    global _output  # noqa: PLW0603 - a process has one log
    _output = _Output(level=level, format=format, write=write)


def configure_by(environ: Mapping[str, str]) -> None:
    """As ``configure``, in a process that the command line started: ``environ`` has its options as variables."""
    level, format_name = environ.get("GRADER_LOG_LEVEL", ""), environ.get("GRADER_LOG_FORMAT", "")
    configure(
        level=Level(level) if level in set(Level) else Level.WARNING,
        format=LogFormat(format_name) if format_name in set(LogFormat) else LogFormat.TEXT,
    )


def log(event: Event, **fields: Field) -> None:
    """Write one line about ``event``, unless the level leaves it out."""
    output = _output
    ranks = list(Level)
    if ranks.index(event.level) < ranks.index(output.level):
        return
    output.write(_lines(output.format).msg(event.label, level=event.level, **_ids.get(), **fields))


@contextlib.contextmanager
def bound(**ids: Field) -> Iterator[None]:
    """Context manager: add ``ids`` to each line that this thread, or a context copied from it, writes."""
    token = _ids.set({**_ids.get(), **ids})
    try:
        yield
    finally:
        _ids.reset(token)


def bound_submission(
    student: str, lab: str, digest: str, **ids: Field
) -> contextlib.AbstractContextManager[None]:
    """Context manager: the lines are about the submission with ``digest``."""
    return bound(**ids, student=student, lab=lab, submission=digest[:_DIGEST_LIMIT])


@cache
def _lines(format: LogFormat) -> Any:  # noqa: A002 - the option's name
    """A logger that returns its lines."""
    import structlog  # noqa: PLC0415 - takes 60 ms, which a command without a line to write does not need

    renderers: dict[LogFormat, structlog.typing.Processor] = {
        # `repr` escapes what is not printable; JSON escapes all but ASCII.
        LogFormat.TEXT: structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        LogFormat.JSON: structlog.processors.JSONRenderer(),
    }
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    return structlog.wrap_logger(
        structlog.ReturnLogger(),
        processors=[_plain, stamp, renderers[format]],
        wrapper_class=structlog.BoundLogger,
    )


def _plain(_logger: object, _method: str, entry: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """``entry`` with each text cut, and as plain text where it is of a subclass."""
    return {name: _cut(str(value)) if isinstance(value, str) else value for name, value in entry.items()}


def _cut(text: str) -> str:
    return text if len(text) <= _FIELD_LIMIT else f"{text[:_FIELD_LIMIT]}… (+{len(text) - _FIELD_LIMIT})"
