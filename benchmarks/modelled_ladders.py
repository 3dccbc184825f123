"""The ladder of every lab as the cost model sees it on every device that can be imitated.

``python -m benchmarks.modelled_ladders`` writes its table into the documentation.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.contenders import Contender, rungs
from benchmarks.pages import table, write
from benchmarks.problems import Modeller
from benchmarks.sizes import Sizes
from grader.labs.lab import Lab
from grader.labs.ladder import tasks
from grader.labs.manifest import Use
from grader.model.devices import DEVICES, TESLA_T4
from grader.model.run import EngineKind
from grader.model.submission import Language
from tests.gpu.ladder import labs


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A rung on a device: its speedup over the baseline, and over the rung below it (1 for the lowest)."""

    rung: Contender
    device: str
    speedup: float
    over_the_last: float


def largest(lab: Lab) -> Sizes:
    """The lab's largest timing case for a GPU."""
    cases = [case for case in lab.manifest.cases if EngineKind.CUDA in case.engines and Use.TIME in case.use]
    return tuple(cases[-1].sizes.items())


def steps() -> list[Step]:
    """Every rung on every device, at its lab's largest timing case."""
    every = [rung for lab in labs() for rung in rungs(lab)]
    modeller = Modeller.of(every, TESLA_T4, TESLA_T4.arch)
    return [
        step for lab in labs() for language in Language for step in _of_one_ladder(lab, language, modeller)
    ]


def _of_one_ladder(lab: Lab, language: Language, modeller: Modeller) -> Iterator[Step]:
    every = [rung for rung in rungs(lab) if rung.language is language]
    for kernels in tasks(lab.manifest):
        ladder = [rung for rung in every if rung.kernel in kernels]
        for name, device in DEVICES.items():
            seconds = [modeller.seconds(rung, largest(lab), device) for rung in ladder]
            for rung, own, last in zip(ladder, seconds, [*seconds[:1], *seconds], strict=False):
                yield Step(rung=rung, device=name, speedup=seconds[0] / own, over_the_last=last / own)


def ladder_table(found: list[Step]) -> str:
    """One row per rung, one column per device; a rung that is no faster than the one below it is in italics."""
    by_rung: dict[str, list[Step]] = {}
    for step in found:
        by_rung.setdefault(step.rung.key, []).append(step)
    rows = [
        [row[0].rung.lab.name, str(row[0].rung.language), f"`{row[0].rung.label}`", *map(_cell, row)]
        for row in by_rung.values()
    ]
    return table(["lab", "language", "rung", *(f"`{name}`" for name in DEVICES)], rows, numbers_from=3)


def idle(found: list[Step]) -> set[tuple[str, str, str]]:
    """Lab, rung and device of the steps that do not pay, in either language."""
    return {(step.rung.lab.name, step.rung.label, step.device) for step in found if step.over_the_last < 1}


def _cell(step: Step) -> str:
    return f"*{step.speedup:.2f}*" if step.over_the_last < 1 else f"{step.speedup:.2f}"


if __name__ == "__main__":
    write({"ladders": ladder_table(steps())})
