"""What the clocks are held against each other on: every rung of a lab, on its shortest and its longest timing case."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.candidates import Candidate, as_bytes, built, inputs_of, rungs
from benchmarks.isolated_run import IsolatedRun
from grader.engines.cuda.device import describe, load_cupy
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.module import DeviceModule
from tools.rung_kernels import gpu_cases


@dataclass(frozen=True, slots=True)
class TimedCase:
    """One rung on one case, and its device code."""

    candidate: Candidate
    case: Case
    module: DeviceModule

    @property
    def key(self) -> str:
        """Its name among all."""
        return f"{self.candidate.key} / {self.case.name}"


def cases(lab: Lab) -> list[Case]:
    """The first and the last of its timing cases for a GPU, which may be one."""
    timed = gpu_cases(lab, Use.TIME)
    return [timed[0], timed[-1]] if len(timed) > 1 else timed


def subjects(chosen: Sequence[Lab], arch: str) -> list[TimedCase]:
    """Every rung that was built, those of one case together."""
    outcomes = built([rung for lab in chosen for rung in rungs(lab)], arch)
    return [
        TimedCase(rung, case, module)
        for lab in chosen
        for case in cases(lab)
        for rung in rungs(lab)
        if (module := outcomes[rung.key].module) is not None
    ]


@contextmanager
def prepared(every: Sequence[TimedCase]) -> Iterator[Callable[[str], IsolatedRun]]:
    """Within it, what is called ``key`` ready to be launched, on its inputs; one at a time."""
    cupy = load_cupy()
    device = describe(cupy, 0)
    by_key = {subject.key: subject for subject in every}
    inputs: dict[tuple[str, str], dict[str, bytes]] = {}
    there: list[IsolatedRun] = []

    def ready(key: str) -> IsolatedRun:
        subject = by_key[key]
        lab, case = subject.candidate.lab, subject.case
        if (lab.name, case.name) not in inputs:
            inputs.clear()
            inputs[lab.name, case.name] = as_bytes(inputs_of(lab, case))
        job = subject.candidate.job(subject.module, case, inputs[lab.name, case.name])
        while there:
            there.pop().close()
        there.append(IsolatedRun(cupy, device, job))
        there[0].add(job.inputs)
        return there[0]

    yield ready
    while there:
        there.pop().close()
