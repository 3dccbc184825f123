"""The life of one worker process."""

import os
from io import BufferedIOBase

from grader.errors import UserError
from grader.worker import wire
from grader.worker.limits import apply_limits
from grader.worker.messages import WorkerSettings
from grader.worker.roles import Loaded, load, warm_up
from grader.worker.serve import serve


def run_worker(settings: WorkerSettings, loaded: Loaded | None = None) -> None:
    """Take over the standard streams, load the role (unless ``loaded`` is given), set the limits and serve."""
    reader, writer = _take_streams()
    try:
        handlers, ready = loaded or load(settings)
        if loaded is None:
            warm_up(settings)
    except UserError as error:
        wire.send(writer, wire.frame(wire.Reply(nonce="", error=error.problem, hint=error.hint)))
        return
    apply_limits(settings.limits)
    wire.send(writer, wire.answer("", ready))
    serve(reader, writer, handlers)


def _take_streams() -> tuple[BufferedIOBase, BufferedIOBase]:
    """The request and reply pipes, moved to new descriptors; what code prints goes to standard error."""
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reader, writer
