"""The engine port: anything that can carry out a launch plan and compare two of them."""

from collections.abc import Sequence
from typing import Protocol

from grader.model.device import Device
from grader.model.run import Comparison, EngineKind, LaunchJob, OutputCheck, RunOptions, RunResult


class Engine(Protocol):
    """Runs device code. Everything but the clock behaves the same on every implementation.

    A student's mistake is a ``Fault`` in the result. Raises: ``InfrastructureError`` when the engine itself fails,
    ``UserError`` when this machine lacks what the engine needs.
    """

    @property
    def kind(self) -> EngineKind:
        """Which engine this is."""

    @property
    def device(self) -> Device:
        """The device it is, or imitates."""

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """Carry out ``work.plan`` once. OUTPUT and SCRATCH buffers start poisoned, guards are checked."""

    def compare(
        self,
        baseline: LaunchJob,
        submission: LaunchJob,
        options: RunOptions,
        checks: Sequence[OutputCheck] = (),
    ) -> Comparison:
        """Time two pieces of work against each other, once or until ``options.targets`` are told apart from it.

        What the submission writes while it is timed must pass every one of ``checks``, or it is a fault.
        """

    def close(self) -> None:
        """Give back what the engine holds (device memory, threads)."""
