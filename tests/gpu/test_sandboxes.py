"""A real GPU inside the sandboxes: kernels run, are timed, and a hostile one takes nothing and nobody with it."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings, SandboxChoice
from grader.grading.bench import Bench
from grader.judge.outputs import output_checks
from grader.model.module import DeviceModule
from grader.model.run import EngineKind, Work
from grader.model.submission import Language
from grader.model.verdict import Verdict
from tests.attacks.sandboxes import opened
from tests.gpu.ladder import module, prepared, work_on
from tests.gpu.test_attacks import ENDLESS, KERNEL, LAB, POISONOUS, SMALL, built, corpus, right

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module", params=[SandboxChoice.BUBBLEWRAP, SandboxChoice.DOCKER])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with opened(request.param) as sandbox:
        limits = LimitSettings(run_seconds=5.0)
        yield Bench.open(sandbox, EngineKind.CUDA, "Tesla T4", limits, modelled_counts=False)


def on(of: DeviceModule) -> Work:
    return work_on(LAB, of, KERNEL, prepared(LAB, SMALL))


def honest(bench: Bench) -> Work:
    return on(module(LAB, "whole_grid", Language.CUDA_C, bench.device.arch))


def test_kernels_run_and_are_timed(bench: Bench) -> None:
    work = honest(bench)
    checks = output_checks(work.plan, work.plan, prepared(LAB, SMALL).expected, LAB.manifest.tolerance.factor)
    with bench.session() as session:
        assert right(session.run(work), work, SMALL)
        comparison = session.compare(work, work, checks)
    assert comparison.fault is None
    assert not comparison.modelled
    assert len(comparison.pairs) >= 15


@pytest.mark.parametrize(
    ("source", "verdict"),
    [(ENDLESS, Verdict.TIMED_OUT), (POISONOUS, Verdict.CRASHED)],
    ids=["endless", "poisonous"],
)
def test_the_next_submission_runs_after_one_that_took_the_gpu_with_it(
    bench: Bench, source: str, verdict: Verdict
) -> None:
    with bench.session() as session:
        lost = session.run(on(built("lethal.cu", source.encode(), bench.device.arch)))
    assert lost.fault is not None
    assert lost.fault.verdict is verdict
    work = honest(bench)
    with bench.session() as session:
        assert right(session.run(work), work, SMALL)


@pytest.mark.parametrize(
    "path", ["C/30-freed-memory.cu", "C/31-an-earlier-students-memory.cu", "D/42-copied-answers.cu"]
)
def test_nothing_of_an_earlier_submission_is_found(bench: Bench, path: str) -> None:
    work = honest(bench)
    with bench.session() as session:
        assert right(session.run(work), work, SMALL)
    hostile = on(corpus(path, bench.device.arch))
    with bench.session() as session:
        assert not right(session.run(hostile), hostile, SMALL)
