"""``python -m grader.worker SETTINGS``: the process inside a sandbox.

Frames come on standard input and go to what was standard output; anything printed by the code it handles goes to
standard error instead, where the grader keeps a bounded amount.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from grader.errors import UserError
from grader.model.build import BuildRequest
from grader.worker import wire
from grader.worker.limits import apply_limits, die_with_parent
from grader.worker.messages import (
    CompareRequest,
    Ready,
    RequestKind,
    RunRequest,
    WorkerRole,
    WorkerSettings,
)
from grader.worker.serve import Handler, serve


def main() -> None:
    """Set the limits, load what the role needs, say so, and serve."""
    settings = msgspec.json.decode(sys.argv[1], type=WorkerSettings)
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    die_with_parent(settings.parent)
    try:
        handlers, ready = _ROLES[settings.role](settings)
    except UserError as error:
        wire.write_frame(writer, wire.encode(wire.Reply(nonce="", error=error.problem, mend=error.mend)))
        return
    apply_limits(settings.limits)
    wire.write_frame(writer, wire.encode(wire.Reply(nonce="", body=msgspec.Raw(wire.encode(ready)))))
    serve(reader, writer, handlers)


def _build_role(_: WorkerSettings) -> tuple[dict[str, Handler], Ready]:
    from grader.build import build  # noqa: PLC0415 - compilers are loaded by the role that needs them

    return {RequestKind.BUILD: (BuildRequest, build)}, Ready()


def _run_role(settings: WorkerSettings) -> tuple[dict[str, Handler], Ready]:
    from grader.engines.choice import open_engine  # noqa: PLC0415 - as above

    if settings.engine is None:
        msg = "a run worker needs an engine"
        raise ValueError(msg)
    engine = open_engine(settings.engine, settings.device)

    def run(request: RunRequest) -> Any:
        return engine.run(request.work, request.options)

    def compare(request: CompareRequest) -> Any:
        return engine.compare(request.baseline, request.submission, request.options)

    handlers: dict[str, Handler] = {
        RequestKind.RUN: (RunRequest, run),
        RequestKind.COMPARE: (CompareRequest, compare),
    }
    return handlers, Ready(device=engine.device)


_ROLES: dict[WorkerRole, Callable[[WorkerSettings], tuple[dict[str, Handler], Ready]]] = {
    WorkerRole.BUILD: _build_role,
    WorkerRole.RUN: _run_role,
}

if __name__ == "__main__":
    main()
