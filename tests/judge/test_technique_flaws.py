"""Technique is judged on the observed case and on drawn blocks, but for a share of its own on the former only."""

from dataclasses import replace

import pytest

from grader.judge.technique_flaws import counts_in_drawn_blocks, technique_flaws
from grader.labs.loader import load_manifest
from grader.labs.manifest import Manifest, TechniqueCheck, TechniqueRule
from grader.model.devices import TESLA_T4
from grader.model.facts import BuiltFacts, CaseOutcome, DrawnBlocks, Facts, KernelFacts
from grader.model.location import SourceLocation
from grader.model.module import KernelResources
from grader.model.reason import as_written
from grader.model.report import Isolation
from grader.model.run import Counters, EngineKind, SharedUse
from grader.model.submission import Language
from grader.model.verdict import Verdict
from tools.paths import CHECKOUT

STAGED = SharedUse(
    staged=200, direct=800, exchanged=100, read=900, loaders=9, receivers=1, fetched=8, gathered=90
)
PAST = SharedUse(staged=0, direct=1000, exchanged=0, read=0, loaders=0, receivers=0, fetched=0, gathered=0)


def counters(use: SharedUse) -> Counters:
    return Counters(
        kernel="spmv",
        launches=1,
        blocks=1,
        threads_per_block=128,
        shared_bytes=64,
        registers=32,
        thread_instructions=1,
        warp_instructions=1,
        fp32_instructions=1,
        fp64_instructions=0,
        global_requests=1,
        global_sectors=1,
        shared_requests=1,
        shared_wavefronts=1,
        atomics=0,
        barriers=1,
        footprint_bytes=1000,
        shared_use=use,
    )


def facts(lab: Manifest, observed: SharedUse, drawn: SharedUse) -> Facts:
    resources = KernelResources(registers=32, spill_bytes=0, local_bytes=0, shared_bytes=64, max_threads=1024)
    kernel = KernelFacts(
        name="spmv",
        built=BuiltFacts(resources=resources, location=SourceLocation()),
        cases=(CaseOutcome(name="medium", verdict=Verdict.ACCEPTED, reason=as_written("")),),
        observed=(counters(observed),),
        drawn=DrawnBlocks(case="large", counters=(counters(drawn),)),
    )
    return Facts(
        lab=lab.name,
        language=Language.CUDA_C,
        engine=EngineKind.CUDA,
        device=TESLA_T4,
        isolation=Isolation(sandbox="none", trusted=True),
        seed=1,
        kernels=(kernel,),
        observed_case="medium",
    )


def lab(at_least: float | None) -> Manifest:
    manifest = load_manifest(CHECKOUT / "assignments" / "spmv" / "lab.toml")
    rule = TechniqueRule(kernel="spmv", check=TechniqueCheck.USES_SHARED, points=5, at_least=at_least)
    return replace(manifest, rubric=replace(manifest.rubric, technique=(rule,)))


def codes(manifest: Manifest, observed: SharedUse, drawn: SharedUse) -> list[str | None]:
    found = technique_flaws(facts(manifest, observed, drawn), manifest).values()
    return [flaw.code if flaw else None for flaw in found]


def test_a_share_of_its_own_is_judged_on_the_whole_observed_case() -> None:
    assert codes(lab(at_least=0.1), STAGED, PAST) == [None]
    assert codes(lab(at_least=0.1), PAST, STAGED) == ["loads-past-shared-memory"]


def test_drawn_blocks_show_a_flaw_that_the_observed_case_does_not() -> None:
    whole = replace(STAGED, direct=0)
    assert codes(lab(at_least=None), whole, whole) == [None]
    assert codes(lab(at_least=None), whole, PAST) == ["flaw-in-timed-case"]


@pytest.mark.parametrize(
    ("at_least", "line", "counts"), [(None, None, True), (0.1, None, False), (0.1, 7, True)]
)
def test_a_share_of_its_own_counts_in_other_code(
    at_least: float | None, line: int | None, *, counts: bool
) -> None:
    (rule,) = lab(at_least).rubric.technique
    other = None if line is None else SourceLocation(file="spmv.cu", line=line)
    assert counts_in_drawn_blocks(rule, DrawnBlocks(case="large", other_code=other)) is counts
