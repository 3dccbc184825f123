"""Each lab is complete: handouts match the manifest, and every required file exists."""

import math
import re
import tomllib
from pathlib import Path

import pytest

from grader.grading.rungs import rung_sources
from grader.grading.validate import handout_name
from grader.labs import Lab
from grader.labs.geometry import evaluate
from grader.labs.manifest import SpeedRule, Tiers, Use
from grader.languages import by_suffix, languages_of, support
from grader.model.diagnostic import DiagnosticKind
from grader.model.kernel import KernelSpec
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from tools.labs import built_in_labs, kernel_labs
from tools.problem_sizes import SizesOfLab

REGISTRY = built_in_labs()
LABS = REGISTRY.labs
NAMES = sorted(LABS)
HANDOUTS = sorted(path for name in NAMES for path in LABS[name].folder.glob("README*.md"))
OF_KERNELS = sorted(kernel_labs())
HANDOUTS_OF_KERNELS = [path for path in HANDOUTS if path.parent.name in OF_KERNELS]
SUBMISSIONS = Path(__file__).parents[2] / "submissions"


def rubric_rows(handout: Path) -> list[tuple[str, float]]:
    """Return the rows of the handout's points table: text and points, without the header and the total."""
    rows = re.findall(r"^\| (.+?) \| (\d+(?:\.\d+)?) \|$", handout.read_text(encoding="utf-8"), re.MULTILINE)
    return [(text, float(points)) for text, points in rows]


def speed_mentions(rule: SpeedRule) -> list[str]:
    """Return every threshold, its points if there are several, and the reference of the ratio."""
    ratios = [f"{target:g}" for target in rule.targets]
    if isinstance(rule.scorer, Tiers) and len(ratios) > 1:
        ratios = [f"{tier.at_least:g} ({tier.points:g} " for tier in rule.scorer.steps]
    return [*([f"`{rule.over}`"] if rule.over else []), *ratios]


def manifest_rows(lab: Lab) -> list[tuple[list[str], float]]:
    """Return what each row of that table must mention, and its points, in the manifest's order."""
    rubric = lab.manifest.rubric
    several = len(lab.manifest.kernels) > 1
    rows: list[tuple[list[str], float]] = [([], rubric.correctness)]
    if rubric.agreement:
        rows.append(([], rubric.agreement))
    rows += [([f"`{rule.kernel}`"] * several + [f"`{rule.check}`"], rule.points) for rule in rubric.technique]
    rows += [([f"`{rule.check}`"], rule.points) for rule in rubric.structure]
    rows += [([f"`{rule.kernel}`"] * several + speed_mentions(rule), rule.points) for rule in rubric.speed]
    return rows


def written_in(lab: Lab) -> frozenset[Language]:
    """The languages in which something of the lab can be written: those of its kernels, or of its programs."""
    if lab.manifest.program is not None:
        return frozenset(rung_sources(lab, lab.manifest.rungs[0]))
    return frozenset[Language]().union(*(taken(lab, kernel.spec) for kernel in lab.manifest.kernels))


def taken(lab: Lab, kernel: KernelSpec) -> frozenset[Language]:
    """The languages in which the kernel can be written and the lab takes it."""
    return frozenset(filter(lab.manifest.takes, languages_of(kernel)))


def test_every_lab_loads() -> None:
    assert REGISTRY.broken == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_gives_100_points(name: str) -> None:
    assert LABS[name].manifest.rubric.max_score == 100


@pytest.mark.parametrize("handout", HANDOUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_handout_states_the_rubric_of_the_manifest(handout: Path) -> None:
    lab = LABS[handout.parent.name]
    rows = rubric_rows(handout)
    wanted = manifest_rows(lab)
    assert [points for _, points in rows[: len(wanted)]] == [points for _, points in wanted]
    for (text, _), (mentions, _) in zip(rows, wanted, strict=False):
        assert all(mention in text for mention in mentions), f"{text!r} must mention {mentions}"
    assert "| **100** |" in handout.read_text(encoding="utf-8")


DEADBANDS = {
    "README.md": "A speedup that timing on a GPU cannot distinguish from a threshold counts as reaching it.",
    "README.ru.md": "Если замер на GPU не позволяет отличить ускорение от порога, порог считается достигнутым.",
    "README.zh.md": "在 GPU 上，若计时无法把加速比与门槛区分开，就算达到门槛。",
}


@pytest.mark.parametrize("handout", HANDOUTS_OF_KERNELS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_handout_with_points_for_speed_states_the_deadband(handout: Path) -> None:
    assert LABS[handout.parent.name].manifest.rubric.speed
    text = " ".join(handout.read_text(encoding="utf-8").split())
    assert DEADBANDS[handout.name] in text
    assert "1 %" in text


@pytest.mark.parametrize("handout", HANDOUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_handout_states_signatures_and_tolerance(handout: Path) -> None:
    lab = LABS[handout.parent.name]
    text = handout.read_text(encoding="utf-8")
    for kernel in lab.manifest.kernels:
        assert kernel.spec.c_signature in text
        assert (kernel.spec.numba_signature in text) == (Language.NUMBA in taken(lab, kernel.spec))
    if lab.manifest.program is not None:
        assert lab.manifest.program.signature in text
        assert lab.manifest.program.device in text
    factor = lab.manifest.tolerance.factor
    assert (f"`{factor:g} · u" in text) == (factor > 0)


@pytest.mark.parametrize("handout", HANDOUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_handout_links_only_to_files_that_are_there(handout: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", handout.read_text(encoding="utf-8")):
        assert (handout.parent / target).is_file(), target


@pytest.mark.parametrize("name", OF_KERNELS)
def test_a_lab_has_its_rungs_and_starters_in_its_languages(name: str) -> None:
    lab = LABS[name]
    wanted = set()
    for suffix, language in ((suffix, each.key) for suffix, each in by_suffix().items()):
        expressible = {k.spec.name for k in lab.manifest.kernels if language in taken(lab, k.spec)}
        if expressible:
            assert (lab.folder / "starter" / f"{name.replace('-', '_')}{suffix}").is_file()
        for rung in lab.manifest.rungs:
            parts = {part for name in rung.kernels for part in lab.manifest.parts(name)}
            wanted |= {f"{rung.name}{suffix}"} if expressible >= parts else set()
    assert {path.name for path in lab.reference.iterdir() if path.is_file()} == wanted


@pytest.mark.parametrize("name", sorted(LABS.keys() - OF_KERNELS))
def test_a_program_lab_has_a_starter_in_each_language_of_its_rungs(name: str) -> None:
    lab = LABS[name]
    for language in written_in(lab):
        assert (lab.folder / "starter" / f"{lab.manifest.graded[0]}{support(language).suffix}").is_file()
    assert all(written_in(lab) == frozenset(rung_sources(lab, rung)) for rung in lab.manifest.rungs)


@pytest.mark.parametrize("name", NAMES)
def test_a_ladder_goes_from_the_baseline_to_the_expert_rung(name: str) -> None:
    manifest = LABS[name].manifest
    assert manifest.rungs[0].name == manifest.baseline
    assert manifest.rungs[-1].name == "expert"


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_has_the_handouts_it_states(name: str) -> None:
    lab = LABS[name]
    there = {path.name for path in lab.folder.glob("README*.md")}
    assert there == {handout_name(language) for language in lab.manifest.handouts}


@pytest.mark.parametrize("name", NAMES)
def test_the_rungs_of_a_lab_implement_all_its_kernels(name: str) -> None:
    manifest = LABS[name].manifest
    assert {kernel for rung in manifest.rungs for kernel in rung.kernels} == set(manifest.graded)


@pytest.mark.parametrize("engine", EngineKind)
@pytest.mark.parametrize("name", NAMES)
def test_each_engine_has_public_hidden_and_timed_cases(name: str, engine: EngineKind) -> None:
    cases = [case for case in LABS[name].manifest.cases if engine in case.engines]
    assert {case.visibility for case in cases if Use.CHECK in case.use} == set(Visibility)
    assert any(Use.TIME in case.use for case in cases)


@pytest.mark.parametrize("name", OF_KERNELS)
def test_emulator_cases_are_small_enough_to_run_quickly(name: str) -> None:
    work = SizesOfLab.of(name).work
    for case in LABS[name].manifest.cases:
        if EngineKind.EMULATOR in case.engines:
            assert evaluate(work, case.sizes) <= 160**3, case.name


@pytest.mark.parametrize("name", NAMES)
def test_cases_have_odd_sizes_and_several_value_distributions(name: str) -> None:
    every = LABS[name].manifest.cases
    units = {size: math.gcd(*(case.sizes[size] for case in every)) for size in every[0].sizes}
    cases = [case for case in every if EngineKind.EMULATOR in case.engines]
    counts = [[number // units[size] for size, number in case.sizes.items()] for case in cases]
    assert any(all(count <= 2 for count in each) for each in counts)
    assert sum(all(count % 32 for count in each) for each in counts) >= 3
    assert len({case.inputs for case in cases}) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_every_mutant_names_its_mistake_and_its_verdict(name: str) -> None:
    mutants = sorted((LABS[name].folder / "mutants").iterdir())
    assert len(mutants) >= 6
    languages = written_in(LABS[name])
    assert {by_suffix()[path.suffix].key for path in mutants} == languages
    for path in mutants:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        match = re.fullmatch(r"(?://|#) mutant: ([^|]+?)((?: \| \w+: [^|]+?)+)", first)
        assert match, f"{path.name}: {first}"
        fields = dict(re.findall(r"\| (\w+): ([^|]+?)(?= \||$)", match[2]))
        assert fields.keys() <= {"verdict", "diagnostic", "part", "beside", "loses"}
        caught = Verdict(fields["verdict"]) is not Verdict.ACCEPTED
        assert caught or fields.get("part") in {"technique", "speed", "agreement", "structure"}, (
            f"{path.name} is not caught by anything"
        )
        if "diagnostic" in fields:
            assert fields["diagnostic"] in set(DiagnosticKind)


def handed_in() -> set[tuple[str, str]]:
    return {
        (lab.name, path.stem)
        for lab in SUBMISSIONS.iterdir()
        if lab.is_dir()
        for path in lab.iterdir()
        if path.is_dir() or path.suffix in by_suffix()
    }


def test_the_sample_class_table_has_every_submission_once() -> None:
    table = tomllib.loads((SUBMISSIONS / "expected.toml").read_text(encoding="utf-8"))
    rows = [(row["lab"], row["student"]) for row in table["expected"]]
    assert len(rows) == len(set(rows))
    assert set(rows) == handed_in()
    assert len({student for _, student in rows}) >= 14
    assert {row["verdict"] for row in table["expected"]} == {
        Verdict.ACCEPTED,
        Verdict.WRONG,
        Verdict.CRASHED,
        Verdict.TIMED_OUT,
        Verdict.FAILED_TO_BUILD,
    }
