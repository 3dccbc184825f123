"""``grader labs validate`` is green for a sound lab and red for a weakened one."""

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.config.settings import LimitSettings
from grader.grading.bench import Bench
from grader.grading.validate import read_mutant, validate
from grader.labs import Arrays, Case, Expected, Lab
from grader.labs.manifest import Manifest
from grader.labs.registry import discover
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with ProcessSandbox() as sandbox:
        yield Bench.open(sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True)


def failures(lab: Lab, bench: Bench) -> dict[str, str]:
    return {finding.check: finding.detail for finding in validate(lab, bench) if not finding.passed}


@pytest.mark.parametrize("name", ["matmul", "transpose", "row-sum"])
def test_every_built_in_lab_holds(name: str, bench: Bench) -> None:
    findings = list(validate(discover().get(name), bench))
    assert [finding for finding in findings if not finding.passed] == []
    checks = {finding.check.split(" ")[0] for finding in findings}
    assert checks == {"handout", "tolerance", "rung", "full", "ladder", "starter", "mutants", "mutant"}


def weakened(lab: Lab, manifest: Manifest) -> Lab:
    return type(lab)(manifest, lab.folder, lab.reference)


class TransposeThatExcusesAnything(Lab):
    """The lab ``transpose`` with an oracle whose error scale nothing exceeds."""

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


def test_a_tolerance_that_excuses_anything_lets_mutants_live(bench: Bench) -> None:
    survivors = failures(TransposeThatExcusesAnything(discover().get("transpose")), bench)
    assert any(check.startswith("mutant ") for check in survivors)


def test_without_the_ragged_cases_some_mutants_live(bench: Bench) -> None:
    lab = discover().get("transpose")
    even = tuple(case for case in lab.manifest.cases if all(size % 32 == 0 for size in case.sizes.values()))
    assert even
    survivors = failures(weakened(lab, dataclasses.replace(lab.manifest, cases=even)), bench)
    assert any("whole_tiles_only" in check for check in survivors)


def test_a_ladder_upside_down_is_red(bench: Bench) -> None:
    lab = discover().get("transpose")
    survivors = failures(
        weakened(lab, dataclasses.replace(lab.manifest, rungs=tuple(reversed(lab.manifest.rungs)))), bench
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


@pytest.mark.parametrize("first", ["", "// a kernel", "// mutant: x", "// mutant: x | verdict: fine"])
def test_a_mutant_without_a_promise_is_refused(tmp_path: Path, first: str) -> None:
    path = tmp_path / "mutant.cu"
    path.write_text(first + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"mutant|is not a valid Verdict"):
        read_mutant(path)
