"""One job on a GPU, in its own memory."""

from collections.abc import Mapping
from typing import Any

from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.prepared import Prepared
from grader.model.device import Device
from grader.model.run import LaunchJob


class IsolatedRun:
    """``prepared``, with an arena of its own for each copy."""

    def __init__(self, cupy: Any, device: Device, job: LaunchJob) -> None:
        """Nothing is on the device yet."""
        self.prepared = Prepared(cupy, device, job)
        self._arenas = Arenas(cupy, [job.plan])

    def add(self, inputs: Mapping[str, bytes] | None = None) -> None:
        """One more copy, see ``Prepared.add``."""
        self.prepared.add(self._arenas.add(), inputs)

    def close(self) -> None:
        """Wipe the memory and give it back."""
        self._arenas.close()
