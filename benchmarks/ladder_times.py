"""How long every candidate takes on a GPU: rungs, accepted submissions and variants, at several sizes.

``python -m benchmarks.ladder_times FOLDER [LAB...]`` writes ``times.json`` into ``FOLDER``, of all labs by default. All
candidates of a lab are timed in turn, in a new random order every round, with a cold L2, by events around all launches
of a plan, which queue up while the device is held. A candidate's figure is the median of its rounds.
"""

import random
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.candidates import (
    Candidate,
    as_bytes,
    built,
    candidates,
    emulator_case,
    in_common,
    inputs_of,
    problem_of,
    sized,
)
from benchmarks.gpu_clock import GpuClock
from grader.engines.cuda.arena import Arena
from grader.engines.cuda.kernels import LoadedKernels, ReadyLaunch
from grader.engines.cuda.memory import DeviceMemory
from grader.judge.wrong_output import mismatch
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.messages import render
from grader.model.build import BuildOutcome
from grader.model.device import Device
from grader.model.run import EngineKind, LaunchJob
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.problem_sizes import SizesOfLab
from tools.rung_kernels import labs

SCHEMA_VERSION = 2

ROUNDS = 21

FEWEST_ROUNDS = 7

PATIENCE = 1.5
"""Seconds on one candidate at one size after which it sits out, once it has had the fewest rounds."""


@dataclass(slots=True)
class Entry:
    """A candidate on the device, and what was measured."""

    candidate: Candidate
    launches: list[ReadyLaunch]
    seconds: list[float] = field(default_factory=list)

    @property
    def tired(self) -> bool:
        """Whether it has taken its share of time."""
        return len(self.seconds) >= FEWEST_ROUNDS and sum(self.seconds) > PATIENCE


@dataclass(frozen=True, slots=True)
class TimingSession:
    """A GPU, and every candidate built for it."""

    cupy: Any
    device: Device
    outcomes: Mapping[str, BuildOutcome]

    def jobs(self, lab: Lab, case: Case) -> dict[Candidate, LaunchJob]:
        """The launch on ``case`` of every candidate of ``lab`` that was built."""
        inputs = as_bytes(inputs_of(lab, case))
        return {
            candidate: candidate.job(module, case, inputs)
            for candidate in candidates(lab)
            if (module := self.outcomes[candidate.key].module) is not None
        }

    @contextmanager
    def on_device(self, jobs: Mapping[Candidate, LaunchJob]) -> Iterator[tuple[DeviceMemory, list[Entry]]]:
        """The same works ready to launch, on one set of buffers that hold their inputs; each has run once."""
        plan = in_common([job.plan for job in jobs.values()])
        arena = Arena(self.cupy, [plan])
        arena.guard()
        memory = DeviceMemory(self.cupy, plan, arena)
        memory.fill(next(iter(jobs.values())).inputs)
        entries = []
        for candidate, job in jobs.items():
            launches = LoadedKernels(self.cupy, self.device, job.module, job.plan).ready(memory)
            start_all(launches)
            entries.append(Entry(candidate, launches))
        self.cupy.cuda.runtime.deviceSynchronize()
        yield memory, entries
        arena.close()


def main() -> None:
    """Time everything, and write what there is even where some of it fails."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    clock = GpuClock()
    cupy, device = clock.cupy, clock.device
    chosen = [lab for lab in labs() if not sys.argv[2:] or lab.name in sys.argv[2:]]
    every = [candidate for lab in chosen for candidate in candidates(lab)]
    session = TimingSession(cupy, device, built(every, device.arch))
    failed = {key: problem for key, outcome in session.outcomes.items() if (problem := problem_of(outcome))}
    times: list[dict[str, object]] = []
    for lab in chosen:
        failed |= _wrong(session, lab)
        for number, case in enumerate(cases(lab)):
            began = time.monotonic()
            with session.on_device(session.jobs(lab, case)) as (_, entries):
                _time_in_turns(clock, entries, random.Random(number))
            times += [_record(entry, case) for entry in entries]
            sys.stdout.write(f"{lab.name} {case.name}: {time.monotonic() - began:.1f} s\n")
            sys.stdout.flush()
    run = {"provenance": provenance(device, CHECKOUT), "failed": failed, "times": times}
    document = {"schema_version": SCHEMA_VERSION, "runs": [run]}
    pages.keep(document, folder / "times.json")


def cases(lab: Lab) -> list[Case]:
    """What is timed: the sizes above, then the lab's own timing cases for a GPU."""
    own = [
        case.sizes for case in lab.manifest.cases if EngineKind.CUDA in case.engines and Use.TIME in case.use
    ]
    return [sized(lab, sizes) for sizes in [*SizesOfLab.of(lab.name).more, *own]]


def start_all(launches: list[ReadyLaunch]) -> None:
    """Queue them in their order."""
    for launch in launches:
        launch.start()


def _wrong(session: TimingSession, lab: Lab) -> dict[str, str]:
    """What is wrong with the answers of ``lab``'s candidates to its largest case for the emulator, by key."""
    case = emulator_case(lab)
    expected = lab.oracle(case, inputs_of(lab, case))
    jobs = session.jobs(lab, case)
    problems = {}
    with session.on_device(jobs) as (memory, entries):
        for entry in entries:
            # One kernel's work in place is not the next one's input.
            memory.fill(jobs[entry.candidate].inputs)
            start_all(entry.launches)
            plan = jobs[entry.candidate].plan
            problem = mismatch(memory.outputs(), plan, expected, lab.manifest.tolerance.factor)
            if problem is not None:
                problems[entry.candidate.key] = render(problem)
    return problems


def _time_in_turns(clock: GpuClock, entries: list[Entry], rng: random.Random) -> None:
    for _ in range(ROUNDS):
        for entry in _shuffled(entries, rng):
            if not entry.tired:
                entry.seconds.append(clock.sample(partial(start_all, entry.launches)))


def _shuffled(entries: list[Entry], rng: random.Random) -> Iterator[Entry]:
    yield from rng.sample(entries, len(entries))


def _record(entry: Entry, case: Case) -> dict[str, object]:
    return {
        "lab": entry.candidate.lab.name,
        "language": str(entry.candidate.language),
        "name": entry.candidate.name,
        "sizes": case.sizes,
        "seconds": median(entry.seconds),
        "rounds": [round(seconds, 9) for seconds in entry.seconds],
    }


if __name__ == "__main__":
    main()
