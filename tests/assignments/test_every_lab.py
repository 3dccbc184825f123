"""Every exercise of the source documents and of the course pack is a lab, and every lab is complete."""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field

import pytest

from grader.grading.rungs import rung_sources
from grader.grading.validate import MINIMUM_MUTANTS, handout_name
from grader.languages import by_suffix, languages_of
from grader.model.submission import Language
from tools.labs import COURSE_PACK, built_in_labs, kernel_labs
from tools.pages import HANDOUT_SECTION, section
from tools.paths import CHECKOUT
from tools.problem_sizes import SizesOfLab

LABS = kernel_labs()

PROGRAMS = {"reduction-pipeline", "saxpy-streams", "vector-add-program"}
"""The labs that ask for whole programs."""

_THREE = ("global", "shared", "shared_padded", "expert")


@dataclass(frozen=True)
class Asked:
    """The requirements of the sources for a lab: its rungs, the languages of its handout, the variables it sweeps."""

    rungs: tuple[str, ...]
    handouts: set[str]
    sweeps: set[str] = field(default_factory=set)


ASKED = {
    "coalescing": Asked(("global", "expert"), {"en", "zh"}),
    "copy-stride": Asked(("global", "expert"), {"en", "zh"}, {"offset", "stride"}),
    "dot-product": Asked(_THREE, {"en", "ru"}),
    "function-table": Asked(("global", "expert"), {"en", "ru", "zh"}),
    "matmul": Asked(
        ("global", "register_tile", "shared", "prefetch", "unrolled", "blocked", "expert"),
        {"en", "ru", "zh"},
        {"TILE"},
    ),
    "matmul-int32": Asked(
        ("global", "register_tile", "shared", "blocked", "expert"), {"en", "zh"}, {"TILE", "BLOCK"}
    ),
    "matmul-transposed": Asked(("global", "shared_conflict", "shared_padded", "expert"), {"en", "ru"}),
    "matvec": Asked(("global", "expert"), {"en", "zh"}),
    "reduction": Asked(
        ("global", "global_coalesced", *(f"reduce{step}" for step in range(1, 6)), "expert"), {"en", "ru"}
    ),
    "row-max": Asked(_THREE, {"en", "ru"}),
    "row-mean": Asked(_THREE, {"en", "ru"}),
    "row-min": Asked(_THREE, {"en", "ru"}),
    "row-sum": Asked(_THREE, {"en", "ru"}),
    "row-sum-squares": Asked(_THREE, {"en", "ru"}),
    "spmv": Asked(("global", "expert"), {"en", "zh"}),
    "texture-shift": Asked(("global", "expert"), {"en", "zh"}),
    "transpose": Asked(("global", "shared_conflict", "shared_padded", "expert"), {"en", "ru", "zh"}),
    "vector-add": Asked(("global", "expert"), {"en", "zh"}),
}
"""Sections A to E of the exercises, by lab."""

HEADINGS = {"en": "## Source", "ru": "## Источник", "zh": "## 资料来源"}
"""The section of a handout that states the source of the exercise."""


@pytest.fixture(params=sorted(ASKED))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_built_in_labs_are_those_of_the_sources_and_the_pack() -> None:
    assert sorted(LABS) == sorted(ASKED.keys() | COURSE_PACK)
    assert set(built_in_labs().labs) == ASKED.keys() | COURSE_PACK | PROGRAMS


def test_a_lab_has_the_rungs_that_the_sources_name(name: str) -> None:
    rungs = [rung.name for rung in LABS[name].manifest.rungs]
    assert set(rungs) >= set(ASKED[name].rungs)
    assert (rungs[0], rungs[-1]) == ("global", "expert")


def test_every_rung_exists_in_every_possible_language(name: str) -> None:
    manifest = LABS[name].manifest
    for rung in manifest.rungs:
        possible = set(Language)
        for kernel in rung.kernels:
            for part in manifest.parts(kernel):
                possible &= languages_of(manifest.kernel(part).spec)
        assert set(rung_sources(LABS[name], rung)) == possible, rung.name


def test_a_lab_explains_itself_in_the_languages_of_its_sources(name: str) -> None:
    lab = LABS[name]
    assert set(lab.manifest.handouts) == ASKED[name].handouts
    for code in lab.manifest.handouts:
        text = (lab.folder / handout_name(code)).read_text(encoding="utf-8")
        assert HEADINGS[code] in text
        assert section(text, HANDOUT_SECTION)
        for other in set(lab.manifest.handouts) - {code}:
            assert f"]({handout_name(other)})" in text
        if Language.NUMBA not in frozenset[Language].intersection(
            *(languages_of(kernel.spec) for kernel in lab.manifest.kernels)
        ):
            assert "Numba" in text


def test_every_handout_shows_the_figures_of_its_source(name: str) -> None:
    lab = LABS[name]
    for code in lab.manifest.handouts:
        text = (lab.folder / handout_name(code)).read_text(encoding="utf-8")
        others = text.replace(section(text, HANDOUT_SECTION), "")
        assert len(re.findall(r"^\|[ :-]*-[ :|-]*\|$", others, re.MULTILINE)) >= 2, "rubric and source"


def test_a_lab_says_how_far_a_right_answer_may_stray_and_why(name: str) -> None:
    tolerance = LABS[name].manifest.tolerance
    assert len(tolerance.derivation.split()) >= 15


def test_a_lab_sweeps_what_its_source_swept(name: str) -> None:
    assert {sweep.over for sweep in LABS[name].manifest.sweeps} >= ASKED[name].sweeps


def test_a_lab_has_a_rubric_of_correctness_technique_and_speed(name: str) -> None:
    rubric = LABS[name].manifest.rubric
    assert rubric.correctness >= 50
    assert rubric.technique
    assert rubric.speed


def test_a_lab_has_mutants_enough(name: str) -> None:
    assert len(list((LABS[name].folder / "mutants").iterdir())) >= MINIMUM_MUTANTS


def test_a_lab_has_sizes_to_be_timed_and_modelled_at(name: str) -> None:
    sizes = SizesOfLab.of(name)
    assert len(sizes.more) >= 2
    assert all(set(more) == set(LABS[name].manifest.cases[0].sizes) for more in sizes.more)


def test_the_sample_class_has_submissions_for_every_source() -> None:
    table = tomllib.loads((CHECKOUT / "submissions" / "expected.toml").read_text(encoding="utf-8"))[
        "expected"
    ]
    count = Counter(row["lab"] for row in table)
    assert set(count) == set(ASKED)
    assert min(count.values()) >= 2
    assert len(table) >= 60
    assert {row["lab"] for row in table if row["verdict"] == "accepted"} == set(ASKED)
    assert {row["lab"] for row in table if row["verdict"] != "accepted"} == set(ASKED)


def test_every_suffix_has_submissions() -> None:
    there = {path.suffix for path in (CHECKOUT / "submissions").rglob("*")}
    assert set(by_suffix()) <= there


def test_the_page_of_the_course_pack_lists_its_labs() -> None:
    text = (CHECKOUT / "docs" / "lab-author" / "course-pack.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == COURSE_PACK


@pytest.mark.parametrize("name", sorted(COURSE_PACK))
def test_a_lab_of_the_course_pack_has_rungs_mutants_and_speed(name: str) -> None:
    lab = LABS[name]
    assert lab.manifest.rungs[-1].name == "expert"
    assert lab.manifest.rubric.correctness >= 50
    assert lab.manifest.rubric.speed
    assert len(list((lab.folder / "mutants").iterdir())) >= MINIMUM_MUTANTS
    assert len(lab.manifest.tolerance.derivation.split()) >= 15
    assert HEADINGS["en"] in (lab.folder / "README.md").read_text(encoding="utf-8")
