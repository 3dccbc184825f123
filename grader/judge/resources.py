"""The resources of a kernel, and the occupancy that they allow."""

from grader.compile.occupancy import occupancy, occupancy_advice
from grader.model.device import Device
from grader.model.facts import BuiltFacts, Work
from grader.model.report import Resources


def resources(built: BuiltFacts, launch: Work | None, device: Device) -> Resources:
    """Resources of ``built`` on ``device``, for the block size of ``launch`` or else the largest one possible."""
    registers = built.resources.registers
    threads = built.resources.max_threads if launch is None else launch.threads_per_block
    shared = shared_bytes(built, launch)
    fit = occupancy(device, threads, registers, shared)
    return Resources(
        registers=registers,
        spill_bytes=built.resources.spill_bytes,
        shared_bytes=shared,
        occupancy=fit.fraction,
        limiter=fit.limiter,
        active_blocks=fit.active_blocks,
        active_warps=fit.active_warps,
        advice=occupancy_advice(device, threads, registers, shared),
    )


def shared_bytes(built: BuiltFacts, launch: Work | None) -> int:
    """Shared memory per block in bytes: the larger of the declared and the launched size."""
    return max(built.resources.shared_bytes, 0 if launch is None else launch.shared_bytes)
