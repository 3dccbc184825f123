"""Every rung of every lab and every access pattern, its launches once each: the program that a profiler watches.

``python -m benchmarks.profiled_launches MANIFEST`` writes to ``MANIFEST``, in the order of the launches, what each was,
and what could not be launched and why. Only the launches themselves lie between the profiler's start and stop.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from cuda.bindings import driver

from benchmarks.candidates import Candidate, as_bytes, built, emulator_case, inputs_of, problem_of, rungs
from benchmarks.patterns import PATTERNS, module_of_patterns, pattern_work
from grader.engines.cuda.arena import Arena
from grader.engines.cuda.device import describe, load_cupy
from grader.engines.cuda.kernels import LoadedKernels
from grader.engines.cuda.memory import DeviceMemory
from grader.model.build import BuildOutcome
from grader.model.device import Device
from grader.model.run import LaunchJob
from tools.gpu_provenance import provenance
from tools.pages import keep
from tools.rung_kernels import labs

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class ProfiledLaunch:
    """Something to launch: ``make`` gives the work, or raises ``ValueError`` with why there is none."""

    name: str
    make: Callable[[], LaunchJob]


def main() -> None:
    """Launch everything, and write the manifest even where some of it fails."""
    cupy = load_cupy()
    device = describe(cupy, 0)
    launched: list[dict[str, str]] = []
    failed: dict[str, str] = {}
    for subject in _launches(device.arch):
        try:
            symbols = _launch(cupy, device, subject.make())
        except Exception as error:  # noqa: BLE001 - one kernel's failure is recorded, the others are profiled
            failed[subject.name] = f"{type(error).__name__}: {error}"
        else:
            launched += [{"name": subject.name, "symbol": symbol} for symbol in symbols]
    document = {
        "provenance": provenance(device, ROOT),
        "sizes": {lab.name: emulator_case(lab).sizes for lab in labs()},
        "launched": launched,
        "failed": failed,
    }
    keep(document, Path(sys.argv[1]))


def _launches(arch: str) -> Iterator[ProfiledLaunch]:
    every = [rung for lab in labs() for rung in rungs(lab)]
    outcomes = built(every, arch)
    for rung in every:
        yield ProfiledLaunch(rung.key, partial(_on_its_case, rung, outcomes[rung.key]))
    module = module_of_patterns(arch)
    for index, pattern in enumerate(PATTERNS):
        yield ProfiledLaunch(pattern.name, partial(pattern_work, module, index))


def _on_its_case(rung: Candidate, outcome: BuildOutcome) -> LaunchJob:
    if outcome.module is None:
        raise ValueError(problem_of(outcome))
    case = emulator_case(rung.lab)
    return rung.job(outcome.module, case, as_bytes(inputs_of(rung.lab, case)))


def _launch(cupy: Any, device: Device, job: LaunchJob) -> list[str]:
    """Launch ``job`` under the profiler and return its kernels' symbols, one for each launch."""
    arena = Arena(cupy, [job.plan])
    try:
        arena.guard()
        memory = DeviceMemory(cupy, job.plan, arena)
        memory.fill(job.inputs)
        ready = LoadedKernels(cupy, device, job.module, job.plan).ready(memory)
        cupy.cuda.runtime.deviceSynchronize()
        driver.cuProfilerStart()
        for launch in ready:
            launch.start()
        cupy.cuda.runtime.deviceSynchronize()
        driver.cuProfilerStop()
    finally:
        arena.close()
    return [job.module.kernel(launch.kernel).symbol for launch in job.plan.launches]


if __name__ == "__main__":
    main()
