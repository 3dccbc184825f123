"""One worker's container: its limits, its exit code and its removal."""

import threading
import time
from typing import Any

import docker
from docker.errors import NotFound

from grader.sandbox.docker.engine import engine_operation
from grader.sandbox.docker.orphans import remove
from grader.sandbox.docker.relay import Relay
from grader.sandbox.port import LossCause

_SIGNALLED = 128
"""A container's first process reports a worker's death by a signal as this number plus the signal's."""

_KILLED = -9
_END_SECONDS = 5.0
"""Longest wait for the engine to record the exit of a container after its streams have closed."""

_POLL_SECONDS = 0.05


class Container:
    """A worker's container: its ``Child`` and its ``ResourceMonitor`` in one. The kernel enforces its limits."""

    def __init__(self, client: docker.DockerClient, name: str) -> None:
        """``name`` is its id in the engine."""
        self.name = name
        self._client = client
        self._lock = threading.Lock()
        self._relay: Relay | None = None
        self._state: dict[str, Any] | None = None
        self._removed = False

    def attach(self, relay: Relay) -> None:
        """Set the relay of the container's streams."""
        self._relay = relay

    @property
    def pid(self) -> int:
        """The pid of its first process on the engine's machine."""
        with engine_operation("inspect a container"):
            return int(self._client.api.inspect_container(self.name)["State"]["Pid"])

    def begin(self) -> None:
        """Do nothing: its limits apply from the start."""

    def breach(self) -> LossCause | None:
        """The limit that ended it. A running container is not inspected: the kernel enforces its limits."""
        if self._state is not None and self._state.get("OOMKilled"):
            return LossCause.OVER_MEMORY
        return None

    def kill(self) -> None:
        """End and remove the container, and keep its final state. Can be called again."""
        with self._lock:
            if self._removed:
                return
            if self._relay is not None and self._relay.ended:
                self._await_end()
            self._state = self._state or self._inspect()
            if self._relay is not None:
                self._relay.cut()
            remove(self._client, self.name)
            self._removed = True

    def wait(self) -> int:
        """See ``Child.wait``; a container that was still running counts as killed."""
        self.kill()
        state = self._state or {}
        if state.get("Running") or "ExitCode" not in state:
            return _KILLED
        code = int(state["ExitCode"])
        return _SIGNALLED - code if code > _SIGNALLED else code

    def _await_end(self) -> None:
        """Wait for the end of a worker that closed its streams; one that goes on is killed afterwards."""
        deadline = time.monotonic() + _END_SECONDS
        while self._inspect().get("Running") and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)

    def _inspect(self) -> dict[str, Any]:
        with engine_operation("inspect a container"):
            try:
                state: dict[str, Any] = self._client.api.inspect_container(self.name)["State"]
            except NotFound:
                return {}
        return state
