"""How long our own clock and nvbench's say that a launch takes, one after the other on the same buffers."""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from cuda import bench

from benchmarks.agreement_subjects import TimedCase, prepared
from benchmarks.gpu_clock import GpuClock
from benchmarks.isolated_run import IsolatedRun
from grader.engines.cuda.measurement import batch_size

SAMPLES = 15
"""Of our own clock, of which the median counts."""

_LIMITS = ("--timeout", "0.3", "--min-samples", "10", "--min-time", "0.02")

_MEDIAN, _MEAN = "nv/cold/time/gpu/median", "nv/cold/time/gpu/mean"


def both_clocks(every: Sequence[TimedCase], folder: Path) -> dict[str, dict[str, Any]]:
    """What either says of each, by its key. nvbench's own report is in ``folder``."""
    clock = GpuClock()
    stream = clock.cupy.cuda.Stream()
    found: dict[str, dict[str, Any]] = {}
    with prepared(every) as ready:

        def one(state: Any) -> None:
            key = state.get_string("subject")
            subject = ready(key)
            with stream:
                found[key] = _own(clock, subject)

            def launch(state: Any) -> None:
                with clock.cupy.cuda.Stream.from_external(state.get_stream()):
                    subject.prepared.copies[0].start()

            # Several copies are for our clock only; nvbench launches the first.
            state.exec(launch, batched=False)

        benchmark = bench.register(one)
        benchmark.add_string_axis("subject", [subject.key for subject in every])
        report = folder / "nvbench.json"
        bench.run_all_benchmarks(["clock_agreement", "--json", str(report), *_LIMITS])
        theirs = {_axis(state): _told(state) for state in _states(report)}
    return {key: {**own, "nvbench": theirs.get(key)} for key, own in found.items()}


def _own(clock: GpuClock, subject: IsolatedRun) -> dict[str, Any]:
    """Seconds of one launch alone, of one in a batch where it is short, and which of them counts when grading."""
    alone = _median(clock, subject)
    job = subject.prepared.job
    size = sum(buffer.nbytes for buffer in (*job.plan.buffers, *job.plan.returned))
    together = batch_size(alone, size)
    while len(subject.prepared.copies) < together:
        subject.add(job.inputs)
    if together > 1:
        subject.prepared.capture()
    return {
        "kernels": len(job.plan.launches),
        "launches": together,
        "alone": alone,
        "ours": _median(clock, subject) / together if together > 1 else alone,
    }


def _median(clock: GpuClock, subject: IsolatedRun) -> float:
    return median(clock.sample(subject.prepared.queue) for _ in range(SAMPLES))


def _states(report: Path) -> list[dict[str, Any]]:
    document = json.loads(report.read_text(encoding="utf-8"))
    return [state for each in document["benchmarks"] for state in each["states"]]


def _axis(state: dict[str, Any]) -> str:
    return next(str(value["value"]) for value in state["axis_values"] if value["name"] == "subject")


def _told(state: dict[str, Any]) -> float | None:
    """Seconds at the median, or the mean where this version tells no median; ``None`` where it was skipped."""
    values = {
        summary["tag"]: float(summary["data"][0]["value"])
        for summary in state["summaries"] or ()
        if summary["tag"] in {_MEDIAN, _MEAN}
    }
    return values.get(_MEDIAN, values.get(_MEAN))
