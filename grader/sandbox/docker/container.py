"""One worker's container: whether it broke a limit, how it ended, and its end."""

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
"""What a container's first process adds to the number of the signal that ended a worker."""

_KILLED = -9
_END_SECONDS = 5.0
"""Longest wait for the engine to write down how a container ended whose streams are closed."""

_LOOK_SECONDS = 0.05


class Container:
    """A worker's container: its ``Child`` and its ``ResourceMonitor`` in one. The kernel enforces its limits."""

    def __init__(self, client: docker.DockerClient, name: str) -> None:
        """``name`` is the engine's for it."""
        self.name = name
        self._client = client
        self._lock = threading.Lock()
        self._relay: Relay | None = None
        self._state: dict[str, Any] | None = None
        self._removed = False

    def heard_by(self, relay: Relay) -> None:
        """What the container says is carried by ``relay``."""
        self._relay = relay

    @property
    def pid(self) -> int:
        """The number of its first process on the engine's machine."""
        with engine_operation("tell of a container"):
            return int(self._client.api.inspect_container(self.name)["State"]["Pid"])

    def begin(self) -> None:
        """Nothing: its limits are there from the start."""

    def breach(self) -> LossCause | None:
        """Which limit ended it. While it lives it is not asked: the kernel holds it to its limits."""
        if self._state is not None and self._state.get("OOMKilled"):
            return LossCause.OVER_MEMORY
        return None

    def kill(self) -> None:
        """End the container with everything in it, and remove it. How it ended is kept. May be asked again."""
        with self._lock:
            if self._removed:
                return
            if self._relay is not None and self._relay.ended:
                self._await_end()
            self._state = self._state or self._look()
            if self._relay is not None:
                self._relay.cut()
            remove(self._client, self.name)
            self._removed = True

    def wait(self) -> int:
        """See ``Child.wait``; a container that had to be ended counts as killed."""
        self.kill()
        state = self._state or {}
        if state.get("Running") or "ExitCode" not in state:
            return _KILLED
        code = int(state["ExitCode"])
        return _SIGNALLED - code if code > _SIGNALLED else code

    def _await_end(self) -> None:
        """A worker that closed its streams is mostly ending; one that is not is killed all the same."""
        deadline = time.monotonic() + _END_SECONDS
        while self._look().get("Running") and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)

    def _look(self) -> dict[str, Any]:
        with engine_operation("tell of a container"):
            try:
                state: dict[str, Any] = self._client.api.inspect_container(self.name)["State"]
            except NotFound:
                return {}
        return state
