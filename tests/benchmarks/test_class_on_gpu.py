"""The record of a class on a GPU: what its figures count, and what a comparison with a former record finds."""

from typing import Any

import pytest

from benchmarks.gpu_class_record import compared, missed, percentiles, timed_kernel_seconds
from benchmarks.request_spans import GPU_WAIT, ON_EMULATOR, ON_GPU, START, WatchedSandbox
from grader.engines.builtin import CUDA, EMULATOR
from grader.model.facts import KernelFacts
from grader.model.run import EngineKind, TimedComparison, TimedPair
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings
from tests.sandbox.fakes import FakeSandbox, FakeWorker
from tools.worker_requests import BUILD, LIMITS


def _run(seconds: float, **scores: float) -> dict[str, Any]:
    rows = [
        {"student": student, "verdict": "accepted", "score": score, "speedups": {"sum": [2.0, 2.1, 2.2]}}
        for student, score in scores.items()
    ]
    of_lab = {"lab": "row-sum", "sandbox": "process", "count": 2, "complete": True}
    return of_lab | {"seconds": seconds, "share_by_nvml": 0.5, "submissions": rows}


def _record(*runs: dict[str, Any]) -> dict[str, Any]:
    return {"engine": str(EngineKind.CUDA), "runs": list(runs), "singles": []}


def test_launches_of_both_sides_count_and_modelled_ones_do_not() -> None:
    pair = TimedPair(baseline=2.0, submission=1.0)
    measured = TimedComparison(pairs=(pair, pair), modelled=False, launches=3)
    modelled = TimedComparison(pairs=(pair,), modelled=True)
    kernels = [
        KernelFacts(name="one", comparisons={"naive": measured}),
        KernelFacts(name="two", comparisons={"naive": modelled}),
    ]
    assert timed_kernel_seconds(kernels) == 3 * 2 * (1.0 + 1.5 * 2.0)


def test_spans_tell_the_gpu_from_the_emulator() -> None:
    watched = WatchedSandbox(FakeSandbox())
    for engine in (CUDA, EMULATOR):
        with watched.worker(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=engine)) as worker:
            with worker.exclusive_gpu():
                worker.ask(RequestKind.RUN, None, FakeWorker, seconds=1, reply_bytes=1)
            worker.ask(RequestKind.PUT_INPUTS, None, FakeWorker, seconds=1, reply_bytes=1)
    watched.worker(BUILD)
    spent = watched.spans.spent()
    assert spent[GPU_WAIT].count == spent[f"{ON_GPU}run"].count == spent[f"{ON_EMULATOR}run"].count == 1
    assert spent[f"{START}build"].count == 1
    assert watched.spans.on_gpu() == spent[f"{ON_GPU}run"].seconds


def test_percentiles_lie_between_single_seconds() -> None:
    found = percentiles([float(second) for second in range(1, 22)])
    assert found == {"p50": 11.0, "p95": pytest.approx(20.0)}
    assert percentiles([3.0]) == {"p50": 3.0, "p95": 3.0}


def test_a_comparison_names_those_that_were_graded_otherwise() -> None:
    (found,) = compared(_record(_run(20.0, ann=10, bob=7)), _record(_run(10.0, ann=10, bob=8)))
    assert found["ratio"] == 2.0
    assert found["width_ratio"] == 1.0
    assert found["different"] == {"bob": [["accepted", 7], ["accepted", 8]]}


def test_runs_that_were_cut_off_are_not_compared() -> None:
    cut_off = _run(5.0, ann=10) | {"complete": False}
    assert compared(_record(_run(20.0, ann=10)), _record(cut_off)) == []


def test_a_gpu_that_idles_misses_a_goal() -> None:
    busy = _run(10.0) | {"share_by_nvml": 0.9}
    assert len(missed(_record(_run(10.0), busy))) == 1
