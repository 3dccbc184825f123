"""The emulator's counters beside Nsight Compute's.

``python -m benchmarks.profiler_comparison`` runs the launches that ``results/h200-profile.json`` holds on the emulator
and writes its tables into the documentation. ``profiler_differences.toml`` explains every difference.
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.candidates import rungs
from benchmarks.emulated import counted, counters_of
from benchmarks.patterns import PATTERNS, Access, Pattern, module_of_patterns, pattern_work
from grader.engines.emulator.engine import EmulatorEngine
from grader.model.devices import H200
from grader.model.run import Counters
from tools.pages import RESULTS, table, write
from tools.rung_kernels import labs

PROFILE = RESULTS / "h200-profile.json"

_DIFFERENCES = Path(__file__).with_name("profiler_differences.toml")

METRICS = {
    "global_load_requests": ("global", False, "requests"),
    "global_load_sectors": ("global", False, "transactions"),
    "global_store_requests": ("global", True, "requests"),
    "global_store_sectors": ("global", True, "transactions"),
    "shared_load_requests": ("shared", False, "requests"),
    "shared_load_wavefronts": ("shared", False, "transactions"),
    "shared_store_requests": ("shared", True, "requests"),
    "shared_store_wavefronts": ("shared", True, "transactions"),
}
"""What is compared of a rung's memory traffic: our name, and which sites' which field it sums."""

_OF_PATTERN = {
    Access.LOAD: "load",
    Access.STORE: "store",
    Access.ATOMIC: "reduction",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One metric of one kernel, by the emulator and by the profiler."""

    kernel: str
    metric: str
    emulated: int
    profiled: float

    @property
    def exact(self) -> bool:
        """Whether both counted the same."""
        return self.emulated == self.profiled


@dataclass(frozen=True, slots=True)
class Profile:
    """What was profiled: the profiler's counters by kernel and metric, and the rungs' problem sizes by lab."""

    kernels: dict[str, dict[str, float]]
    sizes: dict[str, dict[str, int]]


def profile() -> Profile:
    """The recorded profile."""
    document = json.loads(PROFILE.read_text())
    return Profile(document["kernels"], document["sizes"])


def patterns_compared() -> dict[Pattern, list[Compared]]:
    """Requests and sectors, or wavefronts, of every access pattern."""
    module, engine, profiled = module_of_patterns(H200.arch), EmulatorEngine(H200), profile().kernels
    return {
        pattern: list(_pattern(pattern, counted(engine, pattern_work(module, index)), profiled[pattern.name]))
        for index, pattern in enumerate(PATTERNS)
    }


def rungs_compared() -> list[Compared]:
    """Every metric of every rung that was profiled, and its instructions."""
    profiled = profile()
    every = [rung for lab in labs() for rung in rungs(lab) if rung.key in profiled.kernels]
    return [
        each
        for key, counters in counters_of(every, H200, H200.arch, profiled.sizes).items()
        for each in _rung(key, counters, profiled.kernels[key])
    ]


def differences() -> dict[str, str]:
    """Why a metric may differ, by its name."""
    return {row["metric"]: row["why"] for row in tomllib.loads(_DIFFERENCES.read_text())["difference"]}


def pattern_table(found: dict[Pattern, list[Compared]]) -> str:
    """One row per space, access and width: how many patterns there are, and how many agree exactly."""
    groups: dict[tuple[str, str, int], list[bool]] = {}
    for pattern, metrics in found.items():
        key = pattern.space, str(pattern.access), pattern.width
        groups.setdefault(key, []).append(all(each.exact for each in metrics))
    rows = [
        [space, access, str(width), str(len(exact)), str(sum(exact))]
        for (space, access, width), exact in sorted(groups.items())
    ]
    total = [exact for group in groups.values() for exact in group]
    rows.append(["all", "", "", str(len(total)), str(sum(total))])
    return table(["memory", "access", "bytes per lane", "patterns", "exact"], rows, numbers_from=2)


def rung_table(found: list[Compared]) -> str:
    """One row per rung: traffic that agrees as one number, anything else as the emulator's and the profiler's."""
    by_kernel: dict[str, dict[str, Compared]] = {}
    for each in found:
        by_kernel.setdefault(each.kernel, {})[each.metric] = each
    columns = [
        "global_load_sectors",
        "global_store_sectors",
        "shared_load_wavefronts",
        "shared_store_wavefronts",
    ]
    header = ["kernel", "load sectors", "store sectors", "shared load wavefronts", "shared store wavefronts"]
    rows = [
        [kernel, *(_cell(metrics[column]) for column in columns), _ratio(metrics["warp_instructions"])]
        for kernel, metrics in by_kernel.items()
    ]
    return table([*header, "PTX per machine instruction"], rows, numbers_from=1)


def difference_list(found: list[Compared]) -> str:
    """The metrics that differ somewhere, how often, and why. Raises: ``KeyError`` for one without an explanation."""
    reasons = differences()
    differing = [each for each in found if not each.exact]
    return "\n".join(
        f"- `{metric}`: {sum(each.metric == metric for each in differing)} of "
        f"{sum(each.metric == metric for each in found)} rungs. {reasons[metric]}"
        for metric in sorted({each.metric for each in differing})
    )


def sections() -> dict[str, str]:
    """What this program writes into the page, by section."""
    found = rungs_compared()
    return {
        "patterns": pattern_table(patterns_compared()),
        "rungs": rung_table(found),
        "differences": difference_list(found),
    }


def _pattern(pattern: Pattern, counters: Counters, profiled: dict[str, float]) -> Iterator[Compared]:
    store = pattern.access is not Access.LOAD
    requests = _sum(counters, pattern.space, store=store, field="requests")
    transactions = _sum(counters, pattern.space, store=store, field="transactions")
    if pattern.space == "global":
        name = f"global_{_OF_PATTERN[pattern.access]}"
        pairs = {f"{name}_requests": requests, f"{name}_sectors": transactions}
    else:
        # The profiler counts no requests of atomics on shared memory, only their wavefronts.
        name = f"shared_{pattern.access}"
        pairs = {f"{name}_wavefronts": transactions}
        if pattern.access is not Access.ATOMIC:
            pairs[f"{name}_requests"] = requests
    for metric, emulated in pairs.items():
        yield Compared(kernel=pattern.name, metric=metric, emulated=emulated, profiled=profiled[metric])


def _rung(key: str, counters: Counters, profiled: dict[str, float]) -> Iterator[Compared]:
    for metric, (space, store, field) in METRICS.items():
        # By instruction where the profiler has it: the other counter includes what warps in the pipe do to each other.
        theirs = profiled.get(f"{metric}_by_instruction", profiled[metric])
        emulated = _sum(counters, space, store=store, field=field)
        yield Compared(kernel=key, metric=metric, emulated=emulated, profiled=theirs)
    yield Compared(
        kernel=key,
        metric="warp_instructions",
        emulated=counters.warp_instructions,
        profiled=profiled["warp_instructions"],
    )
    yield Compared(
        kernel=key, metric="registers", emulated=counters.registers, profiled=profiled["registers"]
    )


def _sum(counters: Counters, space: str, *, store: bool, field: str) -> int:
    return sum(
        int(getattr(site, field)) for site in counters.sites if site.space == space and site.store == store
    )


def _cell(metric: Compared) -> str:
    return f"{metric.emulated:,}" if metric.exact else f"**{metric.emulated:,}**, not {metric.profiled:,.0f}"


def _ratio(metric: Compared) -> str:
    return f"{metric.emulated / metric.profiled:.2f}"


if __name__ == "__main__":
    write(sections())
