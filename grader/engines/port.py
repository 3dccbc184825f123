"""The engine port: runs launch plans and compares two of them."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from grader.model.block_sample import SampledJob, SampledRun
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


@runtime_checkable
class BlockSampler(Protocol):
    """What an engine that counts accesses may offer besides: a few blocks of a launch at its full size."""

    def run_blocks(self, sampled: SampledJob, options: RunOptions) -> SampledRun:
        """Run the drawn blocks of each launch of ``sampled.plan``, one after the other.

        Outputs stay empty. A block that waits for another block, or needs too much, is a ``Fault``.
        """
