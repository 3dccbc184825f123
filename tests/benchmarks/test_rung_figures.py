"""The records of both engines are those of today's rungs, ladders rise in them, and the pages show them."""

from itertools import product
from pathlib import Path

import pytest

from benchmarks.measured_tables import PAGE, PAGE_SECTION, handouts, page
from benchmarks.rung_figures import Figures, checked, figures_of, shown_case
from grader.grading.rungs import rung_sources
from grader.judge.plausibility import input_bytes, minimum_read_seconds
from grader.labs.lab import Lab
from grader.labs.ladder import RungKernel, ladders, steps
from grader.labs.plans import plan_of
from grader.labs.steps import SubmittedKernels
from grader.model.devices import H200
from grader.model.run import EngineKind
from grader.model.submission import Language
from tools.labs import recorded_labs
from tools.pages import HANDOUT_SECTION, section

NOISE = 1.03
"""Two times that differ by less may change places in another run."""

NAMES = [lab.name for lab in recorded_labs()]


@pytest.fixture
def lab(request: pytest.FixtureRequest) -> Lab:
    (found,) = (lab for lab in recorded_labs() if lab.name == request.param)
    return found


def recorded(lab: Lab, language: Language) -> dict[RungKernel, Figures]:
    return {
        RungKernel(rung=each.rung, kernel=each.kernel): each
        for each in figures_of(lab)
        if each.language is language
    }


@pytest.mark.parametrize("lab", NAMES, indirect=True)
def test_every_rung_was_right_in_every_case_of_the_emulator(lab: Lab) -> None:
    for rung, language in product(lab.manifest.rungs, Language):
        if language in rung_sources(lab, rung):
            for kernel in rung.kernels:
                figures = recorded(lab, language)[RungKernel(rung=rung.name, kernel=kernel)]
                assert figures.right[EngineKind.EMULATOR] == tuple(checked(lab, EngineKind.EMULATOR))
                assert figures.modelled is not None


@pytest.mark.parametrize("lab", NAMES, indirect=True)
def test_every_rung_was_right_in_every_case_of_a_gpu(lab: Lab) -> None:
    asked = set(checked(lab, EngineKind.CUDA))
    for figures in figures_of(lab):
        assert set(figures.right[EngineKind.CUDA]) == asked, figures.rung


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("lab", NAMES, indirect=True)
def test_the_ladder_rises_on_the_gpu(lab: Lab, language: Language) -> None:
    seconds = {at: each.seconds for at, each in recorded(lab, language).items() if each.seconds is not None}
    for ladder in ladders(lab.manifest, language):
        for lower, higher in steps([entry for entry in ladder if entry in seconds]):
            assert seconds[higher] <= NOISE * seconds[lower], f"{higher} is slower than {lower}"


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("lab", NAMES, indirect=True)
def test_the_best_rungs_reach_every_threshold_on_the_gpu(lab: Lab, language: Language) -> None:
    times = [
        (each.rung, each.kernel, each.seconds)
        for each in figures_of(lab)
        if each.language is language and each.seconds is not None
    ]
    best = {kernel: seconds for _, kernel, seconds in times}
    for rule in lab.manifest.rubric.speed:
        against = {kernel: seconds for rung, kernel, seconds in times if rung == rule.over}
        if rule.kernel in best and against:
            over = against.get(rule.kernel, next(iter(against.values())))
            assert over / best[rule.kernel] >= rule.targets[-1], rule


def test_no_measured_rung_is_flagged_as_implausibly_fast() -> None:
    nearest = 0.0
    for lab in recorded_labs():
        case = shown_case(lab)
        names = case.sizes | lab.manifest.macros
        for each in figures_of(lab):
            if each.seconds is not None and lab.manifest.reads_all_inputs:
                kernels = SubmittedKernels(lab.manifest.geometries)
                plan = plan_of(lab, lab.manifest.spec(each.kernel), case, kernels, names)
                share = minimum_read_seconds(input_bytes(plan), H200) / each.seconds
                assert share < 1, each
                nearest = max(nearest, share)
    # The best of them come near it: a floor that nothing comes near would catch nothing.
    assert nearest > 0.5


def test_most_rungs_have_been_timed_on_a_gpu() -> None:
    timed = [each.seconds is not None for lab in recorded_labs() for each in figures_of(lab)]
    assert sum(timed) >= 100


@pytest.mark.parametrize("lab", NAMES, indirect=True)
def test_the_handouts_show_the_records(lab: Lab) -> None:
    for path, text in handouts(lab).items():
        assert section(Path(path).read_text(encoding="utf-8"), HANDOUT_SECTION) == text


def test_the_page_of_all_labs_shows_the_records() -> None:
    assert section(PAGE.read_text(encoding="utf-8"), PAGE_SECTION) == page()
