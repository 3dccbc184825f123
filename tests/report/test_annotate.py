"""A student's source with its findings at their lines."""

from dataclasses import replace

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written, reason
from grader.model.submission import SourceFile
from grader.report.annotate import AnnotatedFile, Finding, annotate, findings, without_line
from grader.report.profile import LineFigures
from tests.report.examples import SOURCES, WRONG_ROW_SUM, kernel, report

FILE = SourceFile(name="a.cu", data="".join(f"line {n}\n" for n in range(1, 21)).encode())


def _finding(line: int | None, severity: Severity = Severity.NOTE, file: str | None = "a.cu") -> Finding:
    diagnostic = Diagnostic(
        kind=DiagnosticKind.COMPILER, severity=severity, message=as_written("m"), file=file, line=line
    )
    return Finding(diagnostic, "k")


def _numbers(file: AnnotatedFile) -> list[list[int]]:
    return [[line.number for line in excerpt.lines] for excerpt in file.excerpts]


def test_findings_are_shown_with_their_neighbours() -> None:
    assert _numbers(annotate(FILE, [_finding(5), _finding(15)], 1)) == [[4, 5, 6], [14, 15, 16]]


def test_excerpts_that_touch_are_one() -> None:
    assert _numbers(annotate(FILE, [_finding(5), _finding(8)], 1)) == [[4, 5, 6, 7, 8, 9]]


def test_excerpts_end_with_the_file() -> None:
    assert _numbers(annotate(FILE, [_finding(1), _finding(20)], 2)) == [[1, 2, 3], [18, 19, 20]]


def test_a_whole_file_is_one_excerpt() -> None:
    assert _numbers(annotate(FILE, [_finding(5)], None)) == [list(range(1, 21))]
    assert annotate(FILE, [], None).length == 20


def test_a_file_without_findings_has_no_excerpt() -> None:
    assert annotate(FILE, [_finding(5, file="b.cu")], 1).excerpts == ()
    assert annotate(SourceFile(name="a.cu", data=b""), [_finding(1)], None).excerpts == ()


def test_a_line_takes_the_worst_severity() -> None:
    found = [_finding(5, Severity.NOTE), _finding(5, Severity.ERROR), _finding(5, Severity.WARNING)]
    (excerpt,) = annotate(FILE, found, 0).excerpts
    assert excerpt.lines[0].severity is Severity.ERROR
    assert len(excerpt.lines[0].findings) == 3


def test_what_has_no_line_in_the_files_is_kept_apart() -> None:
    placed, lost = (
        _finding(20),
        [_finding(None), _finding(21), _finding(0), _finding(3, file="b.cu"), _finding(3, file=None)],
    )
    assert without_line([placed, *lost], [FILE]) == tuple(lost)
    assert without_line([placed], []) == (placed,)


def test_no_finding_of_a_report_is_lost() -> None:
    found = findings(WRONG_ROW_SUM)
    (file,) = SOURCES["student-03", "row-sum"]
    shown = [f for e in annotate(file, found, 3).excerpts for line in e.lines for f in line.findings]
    assert sorted(map(repr, [*shown, *without_line(found, [file])])) == sorted(map(repr, found))


def test_build_messages_precede_a_kernels_worst_finding() -> None:
    note = Diagnostic(kind=DiagnosticKind.BANK_CONFLICT, severity=Severity.NOTE, message=as_written("n"))
    error = Diagnostic(kind=DiagnosticKind.SHARED_RACE, severity=Severity.ERROR, message=as_written("e"))
    build = Diagnostic(kind=DiagnosticKind.COMPILER, severity=Severity.WARNING, message=as_written("b"))
    graded = report("a", "lab", kernel("k", diagnostics=(note, error)), diagnostics=(build,))
    assert findings(graded) == (Finding(build, None), Finding(error, "k"), Finding(note, "k"))


def test_a_mistake_in_a_function_of_two_kernels_is_one_finding() -> None:
    hazard = Diagnostic(
        kind=DiagnosticKind.LANE_HAZARD,
        severity=Severity.WARNING,
        message=reason("add-warp-barriers", barrier="__syncwarp()"),
        file="a.cu",
        line=3,
        count=2,
    )
    other = replace(hazard, line=4)
    kernels = [kernel(name, diagnostics=(replace(hazard, kernel=name),)) for name in ("k", "l")]
    graded = report("a", "lab", *kernels, kernel("m", diagnostics=(replace(other, kernel="m"),)))
    first, second = findings(graded)
    assert (first.kernel, first.also, first.diagnostic.count) == ("k", ("l",), 4)
    assert (second.kernel, second.also) == ("m", ())


def _race(line: int, *others: int) -> Finding:
    diagnostic = Diagnostic(
        kind=DiagnosticKind.SHARED_RACE,
        severity=Severity.ERROR,
        message=as_written("m"),
        file="a.cu",
        line=line,
        related=tuple(SourceLocation(file="a.cu", line=other) for other in others),
    )
    return Finding(diagnostic, "k")


def test_related_lines_are_shown_and_marked() -> None:
    shown = annotate(FILE, [_race(5, 15)], 1)
    assert _numbers(shown) == [[4, 5, 6], [14, 15, 16]]
    marks = {line.number: [mark.said.code for mark in line.tags] for line in shown.lines if line.tags}
    assert marks == {5: ["tag-race-here"], 15: ["tag-race-there"]}
    assert [line.number for line in shown.lines if line.findings] == [5]


def test_a_line_that_races_with_itself_needs_no_mark() -> None:
    assert [line.tags for line in annotate(FILE, [_race(5, 5)], 0).lines] == [()]


def test_two_findings_with_the_same_words_mark_a_line_once() -> None:
    shown = annotate(FILE, [_race(5, 15), _race(6, 15)], 0)
    assert [len(line.tags) for line in shown.lines if line.number == 15] == [1]


def test_lines_with_figures_are_shown_too() -> None:
    did = {
        SourceLocation(file="a.cu", line=9): LineFigures(executed=3),
        SourceLocation(file="b.cu", line=1): LineFigures(),
    }
    shown = annotate(FILE, [_finding(5)], 0, did)
    assert _numbers(shown) == [[5], [9]]
    assert [line.figures and line.figures.executed for line in shown.lines] == [None, 3]


def test_an_excerpt_counts_the_lines_before_it() -> None:
    assert [e.skipped for e in annotate(FILE, [_finding(5), _finding(15)], 1).excerpts] == [3, 7]
