"""A mutant's findings must be at the lines it marks."""

from pathlib import Path

import pytest

from grader.grading.mutant_expectations import marked_lines, misplaced
from grader.grading.mutants import read_mutant
from grader.labs.registry import discover
from grader.languages import by_suffix
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written
from tools.labs import built_in_labs

RACE = Diagnostic(
    kind=DiagnosticKind.SHARED_RACE, severity=Severity.ERROR, message=as_written("race"), line=7
)
SLOW = Diagnostic(
    kind=DiagnosticKind.UNCOALESCED, severity=Severity.WARNING, message=as_written("slow"), line=3
)


def test_marks_are_trailing_comments_of_either_language(tmp_path: Path) -> None:
    path = tmp_path / "mutant.cu"
    path.write_text("// <- here is no mark\nx = 1;  // <- here\ny = 2  # <- here\n", encoding="utf-8")
    assert marked_lines(path) == {2, 3}


def test_the_promised_kind_must_be_at_a_marked_line() -> None:
    assert misplaced([RACE], frozenset({7}), DiagnosticKind.SHARED_RACE) is None
    assert misplaced([RACE], frozenset({8}), DiagnosticKind.SHARED_RACE) is not None


def test_an_alarm_at_an_unmarked_line_is_misplaced() -> None:
    pair = Diagnostic(
        kind=DiagnosticKind.LANE_HAZARD,
        severity=Severity.WARNING,
        message=as_written("pair"),
        line=9,
        related=(SourceLocation(file="a.cu", line=7),),
    )
    alone = Diagnostic(kind=DiagnosticKind.TRAP, severity=Severity.ERROR, message=as_written("trap"), line=9)
    assert misplaced([RACE, pair], frozenset({7}), DiagnosticKind.SHARED_RACE) is None
    assert misplaced([RACE, alone], frozenset({7}), DiagnosticKind.SHARED_RACE) is not None


def test_a_mutant_without_a_hazard_raises_no_alarm() -> None:
    assert misplaced([SLOW], frozenset(), None) is None
    assert misplaced([RACE], frozenset(), None) is not None


@pytest.mark.parametrize("name", sorted(built_in_labs().labs))
def test_every_built_in_mutant_with_a_diagnostic_marks_its_line(name: str) -> None:
    paths = [p for p in (discover().get(name).folder / "mutants").iterdir() if p.suffix in by_suffix()]
    promising = [path for path in paths if read_mutant(path).diagnostic is not None]
    assert promising
    assert [path.name for path in promising if not marked_lines(path)] == []
