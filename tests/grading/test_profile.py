"""A report shows line profiles of the largest public case and the kernel's printed text, in both languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.registry import discover
from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.model.report import KernelReport, Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.messages import params

CHECKOUT = Path(__file__).parents[2]
FILES = {Language.CUDA_C: "global.cu", Language.NUMBA: "global.py"}
ROWS = COLS = 1000
"""The size of ``task-size``, the largest public case of row-sum."""
WARPS = -(-ROWS // 32)

ADDS = {Language.CUDA_C: "sum += a[(size_t)row * cols + col];", Language.NUMBA: "total += a[row, col]"}
STORES = {Language.CUDA_C: "out[row] = sum;", Language.NUMBA: "out[row] = total"}
PRINTS = {
    Language.CUDA_C: '\n    if (row == 0) printf("row %d\\n", row);',
    Language.NUMBA: "\n        if row == 0:\n            print('row', row)",
}
PAST_THE_END = {
    Language.CUDA_C: ("col < cols", "col < cols + 999"),
    Language.NUMBA: ("range(cols)", "range(cols + 999)"),
}


PUBLIC = [
    case
    for case in discover().get("row-sum").manifest.cases
    if case.visibility is Visibility.PUBLIC and EngineKind.EMULATOR in case.engines
]


def reads_past_the_end(rows: int, cols: int) -> list[int]:
    """Reads past the end of the array, for each row that has any, if every row reads 999 elements."""
    return [past for row in range(rows) if (past := 999 - (rows - 1 - row) * cols) > 0]


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


def source_of(language: Language) -> str:
    return (CHECKOUT / "reference" / "row-sum" / FILES[language]).read_text(encoding="utf-8")


def row_sum(rungs: RungModules, language: Language, source: str) -> KernelReport:
    """The report of ``row_sum_global`` of a submission that holds only this kernel."""
    name = FILES[language]
    files = (SourceFile(name=name, data=source.encode()),)
    submission = Submission(student="s", lab="row-sum", language=language, files=files, path=name)
    report = grade(discover().get("row-sum"), submission, rungs, seed=7, choice=PUBLIC_CASES)
    return next(kernel for kernel in report.kernels if kernel.name == "row_sum_global")


def line_of(source: str, mark: str) -> int:
    (line,) = [number for number, text in enumerate(source.splitlines(), 1) if mark in text]
    return line


@pytest.mark.parametrize("language", Language)
def test_lines_and_sites_are_those_of_the_largest_public_case(rungs: RungModules, language: Language) -> None:
    source = source_of(language)
    kernel = row_sum(rungs, language, source)
    assert kernel.verdict is Verdict.ACCEPTED, kernel.reason
    adds, stores = line_of(source, ADDS[language]), line_of(source, STORES[language])
    sites = {(site.line, site.store): site for site in kernel.sites if site.space == "global"}
    assert set(sites) == {(adds, False), (stores, True)}
    load, store = sites[adds, False], sites[stores, True]
    assert (load.requests, load.transactions) == (WARPS * COLS, ROWS * COLS)
    assert (store.requests, store.transactions) == (WARPS, ROWS * 4 // 32)
    by_line = {line.line: line for line in kernel.lines}
    assert by_line[adds].thread_instructions % (ROWS * COLS) < ROWS * 32
    assert by_line[adds].thread_instructions >= ROWS * COLS
    assert kernel.printed == ""


@pytest.mark.parametrize("language", Language)
def test_the_strided_loads_of_the_report_are_counted_as_by_hand(
    rungs: RungModules, language: Language
) -> None:
    kernel = row_sum(rungs, language, source_of(language))
    (found,) = [d for d in kernel.diagnostics if d.kind is DiagnosticKind.UNCOALESCED]
    assert found.count == WARPS * COLS
    said = params(found.message, "sectors-by-stride")
    assert said["sectors"] == pytest.approx(ROWS / WARPS)
    assert said["stride"] == reason("elements", count=1000, bytes=reason("bytes", count=4000))


@pytest.mark.parametrize("language", Language)
def test_what_a_kernel_prints_is_in_its_report(rungs: RungModules, language: Language) -> None:
    source = source_of(language).replace(STORES[language], STORES[language] + PRINTS[language])
    kernel = row_sum(rungs, language, source)
    assert kernel.verdict is Verdict.ACCEPTED, kernel.reason
    assert kernel.printed == "row 0\n"
    assert kernel.lines
    assert kernel.sites


@pytest.mark.parametrize("language", Language)
def test_a_kernel_that_never_came_to_its_end_there_has_no_lines(
    rungs: RungModules, language: Language
) -> None:
    kernel = row_sum(rungs, language, source_of(language).replace(*PAST_THE_END[language]))
    assert kernel.verdict is Verdict.CRASHED
    assert (kernel.lines, kernel.sites) == ((), ())
    (found,) = [d for d in kernel.diagnostics if d.kind is DiagnosticKind.OUT_OF_BOUNDS]
    past = [reads_past_the_end(**case.sizes) for case in PUBLIC]
    assert found.threads == max(len(reads) for reads in past)
    assert found.count == sum(sum(reads) for reads in past)
