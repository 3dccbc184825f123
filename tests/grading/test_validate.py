"""``grader labs validate`` passes a sound lab and fails a weakened one."""

import dataclasses
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.mutants import mutant_files, read_mutant
from grader.grading.validate import Finding, validate, validate_all
from grader.labs import Arrays, Case, Expected, Lab
from grader.labs.manifest import Manifest, Tier, Tiers
from grader.labs.registry import discover
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )


def failures(lab: Lab, environment: GradingEnvironment) -> dict[str, str]:
    return {finding.check: finding.detail for finding in validate(lab, environment) if not finding.passed}


QUICK_LAB = "vector-add"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == QUICK_LAB else pytest.mark.labs)
        for name in sorted(discover().labs)
    ],
)
def test_every_built_in_lab_is_valid(name: str, environment: GradingEnvironment) -> None:
    findings = list(validate(discover().get(name), environment))
    assert [finding for finding in findings if not finding.passed] == []
    checks = {finding.check.split(" ")[0] for finding in findings}
    assert checks == {"handout", "tolerance", "rung", "full", "ladder", "starter", "mutants", "mutant"}


def weakened(lab: Lab, manifest: Manifest) -> Lab:
    return type(lab)(manifest, lab.folder, lab.reference)


class TransposeThatExcusesAnything(Lab):
    """The lab ``transpose`` with an error scale so large that no error exceeds it."""

    def __init__(self, lab: Lab) -> None:
        tolerance = dataclasses.replace(lab.manifest.tolerance, factor=1e300)
        super().__init__(dataclasses.replace(lab.manifest, tolerance=tolerance), lab.folder, lab.reference)
        self._lab = lab

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return self._lab.inputs(case, rng)

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        return {
            name: Expected(answer.value, scale=1.0) for name, answer in self._lab.oracle(case, inputs).items()
        }


def test_labs_are_validated_side_by_side(
    environment: GradingEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both labs are validated at the same time, and each lab's findings are returned."""
    both = threading.Barrier(2)

    def meet(lab: Lab, *_: object, **__: object) -> list[Finding]:
        both.wait()
        return [Finding(lab=lab.name, check="met", passed=True, detail="")]

    monkeypatch.setattr("grader.grading.validate.validate", meet)
    labs = [discover().get(name) for name in ("vector-add", "transpose")]
    found = list(validate_all(labs, environment, 2, threading.Event()))
    assert {findings[0].lab for findings in found} == {"vector-add", "transpose"}


@pytest.mark.labs
def test_a_tolerance_that_excuses_anything_lets_mutants_live(environment: GradingEnvironment) -> None:
    survivors = failures(TransposeThatExcusesAnything(discover().get("transpose")), environment)
    assert any(check.startswith("mutant ") for check in survivors)


@pytest.mark.labs
def test_without_the_ragged_cases_some_mutants_live(environment: GradingEnvironment) -> None:
    lab = discover().get("transpose")
    even = tuple(case for case in lab.manifest.cases if all(size % 32 == 0 for size in case.sizes.values()))
    assert even
    survivors = failures(weakened(lab, dataclasses.replace(lab.manifest, cases=even)), environment)
    assert any("whole_tiles_only" in check for check in survivors)


@pytest.mark.labs
def test_a_ladder_upside_down_is_red(environment: GradingEnvironment) -> None:
    lab = discover().get("transpose")
    survivors = failures(
        weakened(lab, dataclasses.replace(lab.manifest, rungs=tuple(reversed(lab.manifest.rungs)))),
        environment,
    )
    assert "ladder (cuda-c)" in survivors


@pytest.mark.parametrize(
    ("first", "verdict", "diagnostic", "part"),
    [
        (
            "// mutant: no barrier | verdict: wrong | diagnostic: shared-memory race",
            "wrong",
            "shared-memory race",
            None,
        ),
        ("# mutant: slow, but right | verdict: accepted | part: technique", "accepted", None, "technique"),
    ],
)
def test_a_mutants_first_line_is_its_promise(
    tmp_path: Path, first: str, verdict: str, diagnostic: str | None, part: str | None
) -> None:
    path = tmp_path / "mutant.cu"
    path.write_text(first + "\nvoid f();\n", encoding="utf-8")
    mutant = read_mutant(path)
    assert mutant.verdict is Verdict(verdict)
    assert mutant.diagnostic == (DiagnosticKind(diagnostic) if diagnostic else None)
    assert mutant.part == part


def test_a_mutant_may_say_how_many_points_it_loses(tmp_path: Path, environment: GradingEnvironment) -> None:
    lab = discover().get("vector-add")
    honest = (lab.folder / "mutants" / "two_words_at_a_time.cu").read_text(encoding="utf-8")
    folder = tmp_path / "mutants"
    folder.mkdir()
    (folder / "right.cu").write_text(honest, encoding="utf-8")
    (folder / "short.cu").write_text(honest.replace("loses: 10", "loses: 5"), encoding="utf-8")
    found = {
        finding.check: finding
        for finding in validate(type(lab)(lab.manifest, tmp_path, lab.reference), environment)
        if finding.check.startswith("mutant ")
    }
    assert found["mutant right.cu"].passed
    assert not found["mutant short.cu"].passed
    assert "loses 10 points for technique, and not 5" in found["mutant short.cu"].detail


def test_a_mutant_may_leave_kernels_to_rungs(tmp_path: Path) -> None:
    path = tmp_path / "race.cu"
    path.write_text("// mutant: a race | verdict: wrong | beside: shared, shared_padded\n", encoding="utf-8")
    lab = discover().get("row-sum")
    files = [file.name for file in mutant_files(lab, read_mutant(path))]
    assert files[0] == "race.cu"
    assert {"shared.cu", "shared_padded.cu"} <= set(files)
    assert len(files) == len(set(files))


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("", "its first line must read"),
        ("// a kernel", "its first line must read"),
        ("// mutant: x", "its first line must read"),
        ("// mutant: x | verdict: fine", "the words are accepted, wrong, "),
        ("// mutant: x | verdict: wrongg", "did you mean wrong"),
        ("// mutant: x | verdict: wrong | diagnostic: barrier", "the words are .*shared-memory race"),
        ("// mutant: x | verdict: wrong | lines: 3", "the keys are mutant, verdict, diagnostic"),
        ("// mutant: x | verdict: accepted | part: speed | loses: some", "a number of points"),
    ],
)
def test_a_mutant_without_a_promise_is_refused_with_the_words(tmp_path: Path, first: str, said: str) -> None:
    path = tmp_path / "mutant.cu"
    path.write_text(first + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_mutant(path)


def test_what_a_mutant_promised_stands_beside_what_it_gave(
    tmp_path: Path, environment: GradingEnvironment
) -> None:
    lab = discover().get("vector-add")
    folder = tmp_path / "mutants"
    folder.mkdir()
    source = (lab.folder / "mutants" / "two_words_at_a_time.cu").read_text(encoding="utf-8")
    promise = "// mutant: none | verdict: crashed | diagnostic: global-memory race"
    (folder / "other.cu").write_text(promise + source[source.index("\n") :], encoding="utf-8")
    found = failures(type(lab)(lab.manifest, tmp_path, lab.reference), environment)["mutant other.cu"]
    assert "expected verdict: crashed | diagnostic: global-memory race; found accepted" in found


@pytest.mark.labs
def test_a_tier_that_no_rung_reaches_is_found(environment: GradingEnvironment) -> None:
    lab = discover().get("vector-add")
    (rule, *others) = lab.manifest.rubric.speed
    steps = (Tier(at_least=1.1, points=4), Tier(at_least=1e6, points=10))
    rubric = dataclasses.replace(
        lab.manifest.rubric, speed=(dataclasses.replace(rule, scorer=Tiers(steps=steps)), *others)
    )
    found = failures(weakened(lab, dataclasses.replace(lab.manifest, rubric=rubric)), environment)
    assert found.keys() == {"full solution (cuda-c)", "full solution (numba)"}
    assert all("1000000.00× needed for 6 more points" in detail for detail in found.values())
