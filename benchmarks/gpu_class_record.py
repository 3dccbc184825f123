"""A class that is graded on a GPU: its record, goals, and comparison with a former record."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median, quantiles
from typing import Any

from benchmarks.gpu_share import GpuShare
from benchmarks.request_spans import SpanTimes
from grader.grading.batch import Graded
from grader.model.facts import KernelFacts
from grader.model.run import EngineKind

GOAL_SECONDS, GOAL_BUSY = 300.0, 0.7
GOAL_SINGLE_P50, GOAL_SINGLE_P95 = 4.0, 8.0
_BASELINE_LAUNCHES = 1.5
"""Launches of the baseline per pair: one that is timed, or checks an output, and another where the order differs."""


@dataclass
class ClassRun:
    """One lab's class in one sandbox: what was found so far."""

    lab: str
    sandbox: str
    count: int
    jobs: int
    spans: SpanTimes
    started: float = field(default_factory=time.monotonic)
    rows: list[dict[str, Any]] = field(default_factory=list)
    kernel_seconds: float = 0.0
    nvml: GpuShare | None = None

    def add(self, graded: Graded) -> None:
        """Note one more submission."""
        self.rows.append(_row(graded))
        if graded.facts is not None:
            self.kernel_seconds += timed_kernel_seconds(graded.facts.kernels)

    def document(self) -> dict[str, Any]:
        """The run for the record. Seconds by stage are sums over submissions that are graded side by side."""
        seconds = time.monotonic() - self.started
        stages = self.spans.spent()
        within = sum(row["seconds"] for row in self.rows)
        rest = within - sum(spent.seconds for spent in stages.values())
        return {
            "lab": self.lab,
            "sandbox": self.sandbox,
            "count": self.count,
            "jobs": self.jobs,
            "graded": len(self.rows),
            "seconds": seconds,
            "complete": len(self.rows) == self.count,
            "share_of_requests": self.spans.on_gpu() / seconds,
            "share_of_timed_launches": self.kernel_seconds / seconds,
            "share_by_nvml": None if self.nvml is None else self.nvml.mean,
            "verdicts": Counter(row["verdict"] for row in self.rows),
            "stages": {name: asdict(spent) for name, spent in stages.items()},
            "rest_seconds": rest,
            "submissions": sorted(self.rows, key=lambda row: str(row["student"])),
        }


def timed_kernel_seconds(kernels: Iterable[KernelFacts]) -> float:
    """Seconds of the launches in the timed pairs of ``kernels``: without warm-up, inputs, flushes and comparisons."""
    return sum(
        comparison.launches
        * sum(pair.submission + _BASELINE_LAUNCHES * pair.baseline for pair in comparison.pairs)
        for kernel in kernels
        for comparison in kernel.comparisons.values()
        if not comparison.modelled
    )


def _row(graded: Graded) -> dict[str, Any]:
    report = graded.report
    speedups = {each.name: each.speedup for each in report.kernels if each.speedup is not None}
    return {
        "student": report.student,
        "language": str(report.language),
        "verdict": str(report.verdict),
        "score": report.score,
        "seconds": graded.seconds,
        "speedups": {name: [each.low, each.value, each.high] for name, each in speedups.items()},
        "pairs": {
            kernel.name: sum(len(comparison.pairs) for comparison in kernel.comparisons.values())
            for kernel in (graded.facts.kernels if graded.facts else ())
        },
    }


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """The median, and the 95th percentile, of ``seconds``."""
    top = quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return {"p50": median(seconds), "p95": top}


def compared(former: dict[str, Any], present: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs of both records of the same lab, sandbox and count: ratios, and submissions graded otherwise.

    ``width_ratio``: the median over kernels of the present interval's width over the former one's, on a log scale.
    """
    known = {(run["lab"], run["sandbox"], run["count"]): run for run in former["runs"]}
    found = []
    for run in present["runs"]:
        before = known.get((run["lab"], run["sandbox"], run["count"]))
        if before is None or not (before["complete"] and run["complete"]):
            continue
        rows = {row["student"]: row for row in before["submissions"]}
        pairs = [(rows[row["student"]], row) for row in run["submissions"]]
        widths = [
            _width(now["speedups"][kernel]) / _width(then["speedups"][kernel])
            for then, now in pairs
            for kernel in now["speedups"]
            if kernel in then["speedups"]
        ]
        found.append(
            {
                "lab": run["lab"],
                "sandbox": run["sandbox"],
                "former_seconds": before["seconds"],
                "seconds": run["seconds"],
                "ratio": before["seconds"] / run["seconds"],
                "width_ratio": median(widths) if widths else None,
                "different": {
                    now["student"]: [[then["verdict"], then["score"]], [now["verdict"], now["score"]]]
                    for then, now in pairs
                    if (then["verdict"], then["score"]) != (now["verdict"], now["score"])
                },
            }
        )
    return found


def _width(bounds: Sequence[float]) -> float:
    low, _, high = bounds
    return max(high / low - 1, 1e-9)


def as_document(run: ClassRun | dict[str, Any]) -> dict[str, Any]:
    """``run`` for the record: one that still runs as far as it is."""
    return run.document() if isinstance(run, ClassRun) else run


def summary(run: dict[str, Any]) -> str:
    """What was found of a class, in lines for a person."""
    graded = run["graded"]
    nvml = "unknown" if run["share_by_nvml"] is None else f"{run['share_by_nvml']:.0%}"
    time_and_verdicts = (
        f"{run['sandbox']} {run['lab']}: {graded} submissions in {run['seconds']:.1f} s (goal {GOAL_SECONDS:.0f} s for"
        f" 300), verdicts {dict(run['verdicts'])}"
    )
    busy = (
        f"  GPU busy (goal {GOAL_BUSY:.0%}): requests {run['share_of_requests']:.0%}, timed launches alone"
        f" {run['share_of_timed_launches']:.0%}, NVML {nvml}"
    )
    lines = [
        time_and_verdicts,
        busy,
        *(
            f"  {spent['seconds'] / graded:8.3f} s a submission, {spent['count']} times: {name}"
            for name, spent in run["stages"].items()
        ),
        f"  {run['rest_seconds'] / graded:8.3f} s a submission: inputs, right answers, judging",
    ]
    return "\n".join(lines)


def missed(record: dict[str, Any]) -> list[str]:
    """The goals that the record misses; those of a class count for runs of 300 on a GPU."""
    late = [
        f"{run['sandbox']} {run['lab']}: {run['seconds']:.0f} s, NVML {run['share_by_nvml']}"
        for run in record["runs"]
        if record["engine"] == str(EngineKind.CUDA)
        and (run["seconds"] > GOAL_SECONDS or (run["share_by_nvml"] or 0) < GOAL_BUSY)
    ]
    slow = [
        f"{single['sandbox']} {single['lab']} single: {single['p50']:.2f} s, {single['p95']:.2f} s"
        for single in record["singles"]
        if single["p50"] > GOAL_SINGLE_P50 or single["p95"] > GOAL_SINGLE_P95
    ]
    return late + slow
