"""Stored facts give the report that grading gave, and a new rubric gives a new report without a run."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.batch import Batch, Graded
from grader.grading.environment import GradingEnvironment
from grader.grading.session import RunSession
from grader.intake.collect import collect
from grader.judge.score import score
from grader.labs.lab import Lab
from grader.labs.manifest import Manifest, SpeedRule, Tier, Tiers
from grader.model.facts import decode_facts, encode_facts
from grader.model.report import Report, Visibility
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.report.redact import redact
from grader.sandbox.process import ProcessSandbox
from tests.grading.fake_gpu import fake_gpu_environment
from tools.labs import built_in_labs
from tools.paths import CHECKOUT

LABS = ("vector-add", "transpose")
ENGINES = tuple(EngineKind)


@contextmanager
def opened(engine: EngineKind) -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        if engine is EngineKind.CUDA:
            yield fake_gpu_environment(sandbox)
        else:
            yield GradingEnvironment.open(sandbox, engine, "Tesla T4", LimitSettings(), modelled_counts=True)


def for_both_engines(name: str) -> Lab:
    """The lab with the cases of the emulator, which a fake GPU supports, too."""
    lab = built_in_labs().get(name)
    cases = (case for case in lab.manifest.cases if EngineKind.EMULATOR in case.engines)
    both = tuple(replace(case, engines=frozenset(EngineKind)) for case in cases)
    return type(lab)(replace(lab.manifest, cases=both), lab.folder, lab.reference)


def grade_samples(lab: Lab, engine: EngineKind) -> list[Graded]:
    """Every sample submission to ``lab``, graded."""
    labs = {lab.name: lab}
    found = collect(CHECKOUT / "submissions", labs=labs, lab=lab.name, limits=LimitSettings())
    with opened(engine) as environment:
        batch = Batch(labs, environment, 1, threading.Event())
        return batch.run(found.submissions, keep=lambda _: None, progress=lambda _: None)


def rescored(graded: Graded, manifest: Manifest) -> Report:
    """The score of ``graded``'s facts as they come out of storage."""
    assert graded.facts is not None
    facts = decode_facts(encode_facts(graded.facts))
    return score(facts, manifest, graded.submission.identity, modelled_counts=True)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", LABS)
def test_stored_facts_give_the_report_of_grading(name: str, engine: EngineKind) -> None:
    lab = for_both_engines(name)
    graded = grade_samples(lab, engine)
    assert len(graded) > 1
    assert {each.report.verdict for each in graded} > {Verdict.ACCEPTED}
    for each in graded:
        assert rescored(each, lab.manifest) == each.report


@pytest.fixture(scope="module")
def accepted() -> Graded:
    """An accepted submission to transpose with all its points."""
    graded = grade_samples(for_both_engines("transpose"), EngineKind.EMULATOR)
    return next(each for each in graded if each.report.score == each.report.max_score)


@pytest.fixture
def manifest(monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """The lab's manifest, in a test that can run nothing."""

    def touched(*_: object, **__: object) -> None:
        pytest.fail("a score runs nothing")

    for owner, name in ((RunSession, "run"), (RunSession, "compare"), (GradingEnvironment, "build")):
        monkeypatch.setattr(owner, name, touched)
    return for_both_engines("transpose").manifest


def test_new_points_change_the_score(accepted: Graded, manifest: Manifest) -> None:
    rubric = replace(manifest.rubric, correctness=2 * manifest.rubric.correctness)
    report = rescored(accepted, replace(manifest, rubric=rubric))
    assert report.score - accepted.report.score == manifest.rubric.correctness
    assert report.kernels == accepted.report.kernels


def test_a_new_threshold_changes_the_points_for_speed(accepted: Graded, manifest: Manifest) -> None:
    unreachable = Tiers(steps=(Tier(at_least=1e6, points=9),))
    rule = SpeedRule(kernel="transpose", scorer=unreachable, over=manifest.baseline)
    report = rescored(accepted, replace(manifest, rubric=replace(manifest.rubric, speed=(rule,))))
    assert (report.parts[-1].score, report.parts[-1].max_score) == (0, 9)
    assert report.verdict is Verdict.ACCEPTED


def test_a_hidden_case_is_hidden_after_rescoring(accepted: Graded, manifest: Manifest) -> None:
    name = next(case.name for case in manifest.cases if case.visibility is Visibility.PUBLIC)
    cases = tuple(
        replace(case, visibility=Visibility.HIDDEN) if case.name == name else case for case in manifest.cases
    )
    report = rescored(accepted, replace(manifest, cases=cases))
    assert name in report.hidden_cases
    assert name in {case.name for case in report.kernels[0].cases}
    assert name not in {case.name for case in redact(report).kernels[0].cases}
    assert report.score == accepted.report.score


def test_a_new_version_is_stated(accepted: Graded, manifest: Manifest) -> None:
    assert rescored(accepted, replace(manifest, version="99")).lab_version == "99"


def test_facts_of_another_lab_are_refused(accepted: Graded) -> None:
    with pytest.raises(KeyError):
        rescored(accepted, built_in_labs().get("vector-add").manifest)
