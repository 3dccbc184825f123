"""The engine port: runs launch plans and compares two of them."""

from collections.abc import Sequence
from typing import Protocol

from grader.model.device import Device
from grader.model.run import Comparison, EngineKind, LaunchJob, OutputCheck, RunOptions, RunResult


class Engine(Protocol):
    """Runs device code. All implementations behave the same, except for times.

    A student's mistake is a ``Fault`` in the result. Raises: ``InfrastructureError`` when the engine itself fails,
    ``UserError`` when this machine lacks what the engine needs.
    """

    @property
    def kind(self) -> EngineKind:
        """Which engine this is."""

    @property
    def device(self) -> Device:
        """The real or emulated device."""

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """Carry out ``work.plan`` once. OUTPUT and SCRATCH buffers start poisoned, guards are checked."""

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        options: RunOptions,
        checks: Sequence[OutputCheck] = (),
    ) -> Comparison:
        """Time two jobs against each other, once or until the speedup is distinguished from ``options.targets``.

        The submission's timed output must pass all ``checks``; otherwise the result is a fault.
        """

    def close(self) -> None:
        """Free the engine's resources (device memory, threads)."""
