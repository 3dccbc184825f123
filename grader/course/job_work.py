"""What a worker's host does with a ticket: grade one submission on its device; the facts go back as bytes.

The host needs this package, the labs at the server's version, and a ``grader.toml`` with the same limits. What differs
is refused by name.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from grader.course.environment import open_environment
from grader.course.live_workspace import LiveWorkspace
from grader.course.versions import LabVersions, toolchain_version
from grader.course.workspace import Workspace, open_workspace
from grader.errors import GraderError, InfrastructureError, UserError
from grader.execution.port import Work
from grader.execution.progress import LISTENERS
from grader.execution.ticket import Reply, Ticket
from grader.grading.rungs import RungModules
from grader.grading.submission import collect_facts
from grader.model.facts import encode_facts
from grader.model.needs import ComputeDevice

REFERENCE = f"{__name__}:open_work"
"""Where executors find ``open_work``."""


@contextmanager
def open_work(device: ComputeDevice) -> Iterator[Work]:
    """Open this host's configuration and labs, to grade on ``device``. Raises: ``UserError``."""
    with ExitStack() as undo:
        yield JobWork(open_workspace(), device, undo)


class JobWork:
    """``Work`` for a course. Each kind of trust has an environment of its own, opened for its first ticket."""

    def __init__(self, workspace: Workspace, device: ComputeDevice, undo: ExitStack) -> None:
        self._live = LiveWorkspace(workspace)
        self._device = device
        self._undo = undo
        self._labs: LabVersions | None = None
        self._rungs: dict[bool, RungModules] = {}
        self._opening = threading.Lock()

    def __call__(self, data: bytes) -> bytes:
        """Grade the encoded ticket."""
        started, host = time.monotonic(), socket.gethostname()
        ticket = Ticket.decode(data)
        facts, problem = b"", ""
        try:
            facts = self._facts(ticket)
        except GraderError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - a mistake in Grader or a lab costs one job an attempt, not the worker
            problem = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - started
        return Reply(
            job=ticket.job, attempt=ticket.attempt, host=host, seconds=seconds, facts=facts, problem=problem
        ).encode()

    def _facts(self, ticket: Ticket) -> bytes:
        workspace = self._live.current()
        self._require_same_versions(workspace, ticket)
        lab = workspace.registry.get(ticket.lab)
        return encode_facts(
            collect_facts(
                lab,
                ticket.submission,
                self._opened(trusted=ticket.trusted),
                ticket.seed,
                entered=partial(LISTENERS.entered, ticket.job, ticket.attempt),
            )
        )

    def _require_same_versions(self, workspace: Workspace, ticket: Ticket) -> None:
        """Raises: ``InfrastructureError`` if the facts would not be those of the server's versions."""
        host = socket.gethostname()
        if toolchain_version(workspace) != ticket.toolchain:
            msg = f"{host} has another release of Grader or its compilers, or other [limits], than the server"
            raise InfrastructureError(msg)
        try:
            code = self._versions(workspace).code(ticket.lab).digest
        except UserError as error:
            msg = f"{host}: {error}"
            raise InfrastructureError(msg) from error
        if code != ticket.lab_code:
            msg = f"{host} has another version of the lab {ticket.lab} than the server"
            raise InfrastructureError(msg)

    def _versions(self, workspace: Workspace) -> LabVersions:
        with self._opening:
            if self._labs is None or self._labs.workspace is not workspace:
                self._labs = LabVersions(workspace)
            return self._labs

    def _opened(self, *, trusted: bool) -> RungModules:
        with self._opening:
            if trusted not in self._rungs:
                environment = self._undo.enter_context(
                    open_environment(self._live.current(), self._device.engine, trusted=trusted)
                )
                self._rungs[trusted] = RungModules(environment)
            return self._rungs[trusted]
