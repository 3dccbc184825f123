"""The cost model's ranking of kernels against the clock of an H200.

``python -m benchmarks.model_against_device`` models every candidate at every size in ``results/h200-times.json`` and
writes its tables into the documentation.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean

from benchmarks.candidates import Candidate, Origin, baseline_of, candidates
from benchmarks.kendall import tau_b
from benchmarks.problems import Modeller
from grader.model.devices import H200
from grader.model.submission import Language
from tools.pages import RESULTS, table, write
from tools.problem_sizes import Sizes
from tools.rung_kernels import labs

TIMES = RESULTS / "h200-times.json"

APART = 1.03
"""Two kernels with times closer than this factor count as equally fast: their order changes between runs."""

LEAST_TAU = 0.85
"""The rank correlation that every lab must reach, at every other size than those below."""

LEAST_TAU_ELSEWHERE: dict[tuple[str, Sizes], float] = {("matmul", (("m", 512), ("n", 512), ("k", 512))): 0.7}
"""Where the model is known to do worse, and what it must reach there.

So small a product has few blocks, and those of kernels with many sums per thread are modelled up to 2.6 times slower
than they are, as if each instruction waited for the last.
"""

MISSES = 4
"""Kernels listed per lab, those with the largest error of the speedup."""


Measurements = dict[tuple[str, Sizes], dict[str, float]]
"""By lab and size: seconds by the key of the candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One kernel at one size: seconds by the clock and by the model, and the same of what its speedup is over."""

    candidate: Candidate
    sizes: Sizes
    seconds: float
    modelled: float
    baseline_seconds: float
    baseline_modelled: float

    @property
    def speedup(self) -> float:
        """Over the baseline rung in its own language, by the clock."""
        return self.baseline_seconds / self.seconds

    @property
    def modelled_speedup(self) -> float:
        """The same by the model."""
        return self.baseline_modelled / self.modelled

    @property
    def fitted_on(self) -> bool:
        """Whether the constants of the model were chosen with this kernel in view."""
        return self.candidate.language is Language.CUDA_C and self.candidate.origin is not Origin.SAMPLE


def measured() -> Measurements:
    """What was measured, in the order of measurement. Each lab is in one run only."""
    found: Measurements = {}
    for row in (row for run in json.loads(TIMES.read_text())["runs"] for row in run["times"]):
        key = f"{row['lab']} / {row['language']} / {row['name']}"
        found.setdefault((row["lab"], tuple(row["sizes"].items())), {})[key] = row["seconds"]
    return found


def compared(measurements: Measurements) -> dict[tuple[str, Sizes], list[Timed]]:
    """Each of ``measurements`` with its modelled time, by lab and size."""
    wanted = {key for seconds in measurements.values() for key in seconds}
    chosen = {name for name, _ in measurements}
    every = {
        candidate.key: candidate
        for lab in labs()
        if lab.name in chosen
        for candidate in candidates(lab)
        if candidate.key in wanted
    }
    modeller = Modeller.of(every.values(), H200, H200.arch)
    groups = {}
    for (lab, sizes), seconds in measurements.items():
        modelled = {key: modeller.seconds(every[key], sizes, H200) for key in seconds}
        groups[lab, sizes] = [
            Timed(
                candidate=every[key],
                sizes=sizes,
                seconds=seconds[key],
                modelled=modelled[key],
                baseline_seconds=seconds[baseline_of(every[key])],
                baseline_modelled=modelled[baseline_of(every[key])],
            )
            for key in seconds
        ]
    return groups


def tau(kernels: list[Timed], *, apart: float = APART) -> float:
    """The rank correlation of modelled and measured speedups."""
    return tau_b([each.modelled_speedup for each in kernels], [each.speedup for each in kernels], apart=apart)


def agreement_table(groups: dict[tuple[str, Sizes], list[Timed]]) -> str:
    """One row per lab and size."""
    header = ["lab", "size", "kernels", "τ", "τ, fitted on", "τ, only tested", "τ-b, ties too", "time off by"]
    rows = [
        [
            lab,
            "×".join(str(size) for _, size in sizes),
            str(len(kernels)),
            f"**{tau(kernels):.2f}**",
            f"{_tau_where(kernels, lambda each: each.fitted_on):.2f}",
            f"{_tau_where(kernels, lambda each: not each.fitted_on):.2f}",
            f"{tau(kernels, apart=1.0):.2f}",
            f"{math.exp(mean(abs(math.log(each.modelled / each.seconds)) for each in kernels)):.2f} ×",
        ]
        for (lab, sizes), kernels in groups.items()
    ]
    return table(header, rows, numbers_from=2)


def miss_table(groups: dict[tuple[str, Sizes], list[Timed]]) -> str:
    """Of each lab's last size, which is its largest timing case, the kernels that the model misjudges most."""
    last = {lab: kernels for (lab, _), kernels in groups.items()}
    rows = [
        [
            each.candidate.lab.name,
            str(each.candidate.language),
            each.candidate.name,
            f"{each.speedup:.2f}",
            f"{each.modelled_speedup:.2f}",
        ]
        for kernels in last.values()
        for each in sorted(kernels, key=_off, reverse=True)[:MISSES]
    ]
    return table(["lab", "language", "kernel", "measured", "modelled"], rows, numbers_from=3)


def sections() -> dict[str, str]:
    """What this program writes into the page, by section."""
    groups = compared(measured())
    return {"agreement": agreement_table(groups), "misses": miss_table(groups)}


def _tau_where(kernels: list[Timed], wanted: Callable[[Timed], bool]) -> float:
    return tau([each for each in kernels if wanted(each)])


def _off(kernel: Timed) -> float:
    return abs(math.log(kernel.modelled_speedup / kernel.speedup))


if __name__ == "__main__":
    write(sections())
