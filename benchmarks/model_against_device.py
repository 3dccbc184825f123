"""The cost model's ranking of kernels against the clocks of an H200 and an H100.

``python -m benchmarks.model_against_device`` models every candidate at every size in ``results/h200-times.json``, and
every rung in the calibrations of both GPUs, and writes its tables into the documentation.
"""

import json
import math
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import mean, median, quantiles

from benchmarks.candidates import Candidate, baseline_of, candidates, rungs
from benchmarks.kendall import tau_b
from benchmarks.problems import Modeller
from grader.labs.ladder import tasks
from grader.model.device import Device
from grader.model.devices import H200
from tools.pages import RESULTS, table, write
from tools.problem_sizes import Sizes
from tools.rung_kernels import labs

TIMES = RESULTS / "h200-times.json"

H100 = replace(H200, name="H100", dram_bandwidth=3.35e12)
"""SXM, 80 GB: the same chip with other memory; its bandwidth by NVIDIA's data sheet."""

CALIBRATIONS = {"h200": H200, "h100": H100}
"""The devices of ``results/calibration-*.json``, with 30 rounds of every rung at its lab's largest timing case."""

APART = 1.03
"""Two kernels with times closer than this factor count as equally fast: their order changes between runs."""

LEAST_TAU = 0.9
"""The rank correlation that every lab must reach on both devices, at every other size than those below."""

LEAST_TAU_ELSEWHERE: dict[tuple[str, tuple[int, ...]], float] = {
    ("matmul", (512, 512, 512)): 0.87,
    ("row-sum", (1000, 1000)): 0.87,
}
"""Where the model is known to do worse, and what it must reach there; the page says why."""

LEAST_TAU_OF_RUNGS: dict[tuple[str, str], float] = {
    ("h200", "texture-shift"): 0.8,
    ("h100", "texture-shift"): 0.6,
}
"""The same for the rungs in the calibrations."""

LEAST_RUNGS = 4
"""Measured rungs that a lab needs for a ranking."""

MISSES = 4
"""Kernels listed per lab, those with the largest error of the speedup."""


Group = tuple[str, Sizes]
"""A lab and a size of its problem."""

Measurements = dict[Group, dict[str, float]]
"""Seconds by the key of the candidate."""


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
    def task(self) -> str:
        """The names of all kernels of the lab with the same task, among which times are compared."""
        groups = tasks(self.candidate.lab.manifest)
        return " ".join(next(names for names in groups if self.candidate.kernel in names))

    @property
    def held_out(self) -> bool:
        """Whether the constants of the model were chosen without this kernel: half of them were, whatever they are."""
        return zlib.crc32(self.candidate.key.encode()) % 2 == 1


def measured() -> Measurements:
    """What was measured, in the order of measurement. Each lab is in one run only."""
    found: Measurements = {}
    for row in (row for run in json.loads(TIMES.read_text())["runs"] for row in run["times"]):
        key = f"{row['lab']} / {row['language']} / {row['name']}"
        found.setdefault((row["lab"], tuple(row["sizes"].items())), {})[key] = row["seconds"]
    return found


def spreads() -> dict[Group, float]:
    """The factor between the slowest and the fastest tenth of the rounds of a kernel: the median of all kernels."""
    factors: dict[Group, list[float]] = {}
    for row in (row for run in json.loads(TIMES.read_text())["runs"] for row in run["times"]):
        tenths = quantiles(row["rounds"], n=10)
        factors.setdefault((row["lab"], tuple(row["sizes"].items())), []).append(tenths[-1] / tenths[0])
    return {group: median(of_kernels) for group, of_kernels in factors.items()}


def calibrated(gpu: str) -> Measurements:
    """The median seconds of every rung in the calibration of ``gpu``, for labs with enough rungs to rank."""
    ladders = json.loads((RESULTS / f"calibration-{gpu}.json").read_text())["ladders"]
    keys = {
        (lab.name, rung.label.split(", ")[0], rung.kernel, str(rung.language)): rung.key
        for lab in labs()
        for rung in rungs(lab)
    }
    found: Measurements = {}
    for row, lab in ((row, ladder["lab"]) for ladder in ladders for row in ladder["rows"]):
        key = keys.get((lab, row["rung"], row["kernel"], row["language"]))
        if key and row["seconds"]:
            group = found.setdefault((lab, tuple(row["sizes"].items())), {})
            group[key] = median(row["seconds"])
    return {group: seconds for group, seconds in found.items() if len(seconds) >= LEAST_RUNGS}


def compared(measurements: Measurements, device: Device = H200) -> dict[Group, list[Timed]]:
    """Each of ``measurements`` with its modelled time on ``device``, by lab and size."""
    wanted = {key for seconds in measurements.values() for key in seconds}
    chosen = {name for name, _ in measurements}
    every = {
        candidate.key: candidate
        for lab in labs()
        if lab.name in chosen
        for candidate in candidates(lab)
        if candidate.key in wanted
    }
    modeller = Modeller.of(every.values(), device, device.arch)
    groups = {}
    for (lab, sizes), seconds in measurements.items():
        modelled = {key: modeller.seconds(every[key], sizes, device) for key in seconds}
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
    """The rank correlation of modelled and measured times of kernels with the same task."""
    return tau_b(
        [each.modelled for each in kernels],
        [each.seconds for each in kernels],
        apart=apart,
        kinds=[each.task for each in kernels],
    )


def least_tau(group: Group) -> float:
    """What the model must reach for ``group``."""
    lab, sizes = group
    return LEAST_TAU_ELSEWHERE.get((lab, tuple(size for _, size in sizes)), LEAST_TAU)


def least_tau_of_rungs(gpu: str, group: Group) -> float:
    """What the model must reach for the rungs of ``group`` on ``gpu``."""
    return LEAST_TAU_OF_RUNGS.get((gpu, group[0]), LEAST_TAU)


def agreement_table(groups: dict[Group, list[Timed]]) -> str:
    """One row per lab and size."""
    header = [
        "lab",
        "size",
        "kernels",
        "τ",
        "τ, fitted",
        "τ, held out",
        "τ-b, ties too",
        "time off by",
        "spread",
    ]
    spread = spreads()
    rows = [
        [
            lab,
            "×".join(str(size) for _, size in sizes),
            str(len(kernels)),
            f"**{tau(kernels):.2f}**",
            f"{_tau_where(kernels, lambda each: not each.held_out):.2f}",
            f"{_tau_where(kernels, lambda each: each.held_out):.2f}",
            f"{tau(kernels, apart=1.0):.2f}",
            f"{_error(kernels):.2f} ×",
            f"{spread[lab, sizes]:.3f} ×",
        ]
        for (lab, sizes), kernels in groups.items()
    ]
    return table(header, rows, numbers_from=2)


def rung_table(by_gpu: dict[str, dict[Group, list[Timed]]]) -> str:
    """One row per lab of the calibrations, with the rank correlation and the error of the times on each GPU."""
    header = [
        "lab",
        "size",
        "kernels",
        *(f"{what}, {gpu.upper()}" for what in ("τ", "off by") for gpu in by_gpu),
    ]
    every: dict[Group, None] = {group: None for groups in by_gpu.values() for group in groups}
    rows = []
    for lab, sizes in every:
        kernels = {gpu: groups.get((lab, sizes), []) for gpu, groups in by_gpu.items()}
        rows.append(
            [
                lab,
                "×".join(str(size) for _, size in sizes),
                str(max(map(len, kernels.values()))),
                *(f"**{tau(timed):.2f}**" if timed else "–" for timed in kernels.values()),
                *(f"{_error(timed):.2f} ×" if timed else "–" for timed in kernels.values()),
            ]
        )
    return table(header, rows, numbers_from=2)


def _error(kernels: Iterable[Timed]) -> float:
    """The geometric mean of the factor between modelled and measured times."""
    return math.exp(mean(abs(math.log(each.modelled / each.seconds)) for each in kernels))


def miss_table(groups: dict[Group, list[Timed]]) -> str:
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
    by_gpu = {gpu: compared(calibrated(gpu), device) for gpu, device in CALIBRATIONS.items()}
    return {
        "agreement": agreement_table(groups),
        "rung-ranking": rung_table(by_gpu),
        "misses": miss_table(groups),
    }


def _tau_where(kernels: list[Timed], wanted: Callable[[Timed], bool]) -> float:
    return tau([each for each in kernels if wanted(each)])


def _off(kernel: Timed) -> float:
    return abs(math.log(kernel.modelled_speedup / kernel.speedup))


if __name__ == "__main__":
    write(sections())
