"""The ladder of every lab as the cost model sees it on every device that can be imitated.

``python -m benchmarks.modelled_ladders`` writes its table into the documentation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.candidates import Candidate, rungs
from benchmarks.problems import Modeller
from grader.labs.lab import Lab
from grader.labs.ladder import RungKernel, ladders, tasks
from grader.labs.ladder import steps as climbs
from grader.labs.manifest import Use
from grader.model.devices import DEVICES, TESLA_T4
from grader.model.run import EngineKind
from grader.model.submission import Language
from tools.labs import recorded_labs
from tools.pages import table, write
from tools.problem_sizes import Sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A rung on a device: its speedup over the baseline, and over the rung below it on the ladder.

    The latter is 1 where there is nothing to compare: for the lowest rung, for a rung that states no gain, and for a
    kernel that follows another one of the same rung.
    """

    rung: Candidate
    device: str
    speedup: float
    over_the_last: float


def largest(lab: Lab) -> Sizes:
    """The lab's largest timing case for a GPU."""
    cases = [case for case in lab.manifest.cases if EngineKind.CUDA in case.engines and Use.TIME in case.use]
    return tuple(cases[-1].sizes.items())


def steps(chosen: Sequence[Lab]) -> list[Step]:
    """Every rung of the ``chosen`` labs on every device, at its lab's largest timing case."""
    every = [rung for lab in chosen for rung in rungs(lab)]
    modeller = Modeller.of(every, TESLA_T4, TESLA_T4.arch)
    return [step for lab in chosen for language in Language for step in _of_one_lab(lab, language, modeller)]


def _of_one_lab(lab: Lab, language: Language, modeller: Modeller) -> Iterator[Step]:
    by_kernel = {_rung_kernel(rung): rung for rung in rungs(lab) if rung.language is language}
    rising = [[entry for entry in ladder if entry in by_kernel] for ladder in ladders(lab.manifest, language)]
    below = {higher: lower for ladder in rising for lower, higher in climbs(ladder)}
    for kernels in tasks(lab.manifest):
        task = [each for each in by_kernel if each.kernel in kernels]
        for name, device in DEVICES.items():
            seconds = {each: modeller.seconds(by_kernel[each], largest(lab), device) for each in task}
            for each, own in seconds.items():
                yield Step(
                    rung=by_kernel[each],
                    device=name,
                    speedup=seconds[task[0]] / own,
                    over_the_last=seconds[below.get(each, each)] / own,
                )


def _rung_kernel(rung: Candidate) -> RungKernel:
    return RungKernel(rung=rung.label.split(", ")[0], kernel=rung.kernel)


def ladder_table(found: list[Step]) -> str:
    """One row per rung, one column per device; a rung that is slower than the one below it is in italics."""
    by_rung: dict[str, list[Step]] = {}
    for step in found:
        by_rung.setdefault(step.rung.key, []).append(step)
    rows = [
        [row[0].rung.lab.name, str(row[0].rung.language), f"`{row[0].rung.label}`", *map(_cell, row)]
        for row in by_rung.values()
    ]
    return table(["lab", "language", "rung", *(f"`{name}`" for name in DEVICES)], rows, numbers_from=3)


def idle(found: list[Step]) -> set[tuple[str, str, str, str]]:
    """Lab, language, rung and device of the steps that do not pay."""
    slow = [step for step in found if step.over_the_last < 1]
    return {(step.rung.lab.name, str(step.rung.language), step.rung.label, step.device) for step in slow}


def _cell(step: Step) -> str:
    return f"*{step.speedup:.2f}*" if step.over_the_last < 1 else f"{step.speedup:.2f}"


if __name__ == "__main__":
    write({"ladders": ladder_table(steps(recorded_labs()))})
