"""Findings at their source lines, and source with per-line figures, in a terminal."""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.report import KernelReport
from grader.model.submission import SourceFile
from grader.report import palette, quantities
from grader.report.annotate import AnnotatedFile, Finding, Line, annotate
from grader.report.profile import Column, LineFigures, figures, shown_columns
from grader.report.terminal.prose import Prose
from grader.report.text import MESSAGE_LIMIT, output_lines, safe_text

_CONTEXT = 2
"""Source lines shown above and below a finding."""

_PROFILE_CONTEXT = 3
"""Source lines shown above and below a line that a kernel executed."""

_SHADED_FROM = 3
"""Figures of this shade or darker are coloured; a terminal has one colour where a page has five."""

_PRINTED_LINES = 20


def findings_at_lines(
    found: Sequence[Finding], sources: Sequence[SourceFile], speech: Speech = ENGLISH
) -> Iterator[RenderableType]:
    """Each finding with its message, its source lines where ``sources`` has them, and its advice.

    Consecutive findings at the same lines show the source once.
    """
    previous = None
    for finding in found:
        diagnostic = finding.diagnostic
        yield Padding(_heading(finding, speech), (1, 0, 0, 0))
        yield Padding(Prose(safe_text(speech(diagnostic.message), MESSAGE_LIMIT)), (0, 0, 0, 2))
        locations = (finding.location, finding.related)
        if locations != previous:
            for file in sources:
                yield from _excerpts(annotate(file, [finding], _CONTEXT), speech)
        if diagnostic.advice:
            advice = f"{speech.says('finding-try')} {speech(diagnostic.advice)}"
            yield Padding(Prose(safe_text(advice, MESSAGE_LIMIT)), (0, 0, 0, 2))
        previous = locations


def profiled_source(
    kernel: KernelReport, sources: Sequence[SourceFile], speech: Speech = ENGLISH
) -> Iterator[RenderableType]:
    """Every line that ``kernel`` executed, with context and figures; nothing where it was not profiled."""
    profiled = figures(kernel)
    columns = shown_columns(profiled.values())
    found = [Finding(diagnostic, kernel.name) for diagnostic in kernel.diagnostics]
    for file in sources:
        annotated = annotate(file, found, _PROFILE_CONTEXT, profiled)
        if any(line.figures for line in annotated.lines):
            yield Padding(Group(*_table(annotated, columns, speech)), (1, 0, 0, 0))


def legend(kernels: Iterable[KernelReport], speech: Speech = ENGLISH) -> RenderableType:
    """The meaning of the columns of ``profiled_source``, or a sentence that there are none."""
    columns = shown_columns(line for kernel in kernels for line in figures(kernel).values())
    if not columns:
        return Padding(
            Text(speech.says("no-figures")),
            (1, 0, 0, 0),
        )
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_row(Text(speech(column.heading)), Text(speech(column.meaning), style=palette.GREY))
    return Padding(table, (1, 0, 0, 0))


def printed(text: str, speech: Speech = ENGLISH) -> RenderableType:
    """The first lines of a kernel's output."""
    lines, left_out = output_lines(text, _PRINTED_LINES)
    more = (
        [Text(f"  {speech.says('feedback-more-lines', count=left_out)}", style=palette.GREY)]
        if left_out
        else []
    )
    shown = [Text.assemble(("  │ ", palette.GREY), line) for line in lines]
    return Padding(
        Group(Text(f"{speech.says('feedback-output')}:", style="bold"), *shown, *more), (1, 0, 0, 0)
    )


def _heading(finding: Finding, speech: Speech) -> Text:
    diagnostic = finding.diagnostic
    location = [] if diagnostic.file is None else [safe_text(diagnostic.file, 200)]
    if diagnostic.line is not None:
        location.append(str(diagnostic.line))
    tally = quantities.tally(diagnostic, speech.language)
    kind = f"{speech.word(diagnostic.severity)}{speech.colon}{speech.word(diagnostic.kind)}"
    return Text.assemble(
        (kind, f"bold {palette.SEVERITY[diagnostic.severity]}"),
        (f"  {':'.join(location)}" if location else "", "bold"),
        (f"  {tally}" if tally else "", palette.GREY),
        (f"  {safe_text(finding.kernels, 200)}" if finding.also else "", palette.GREY),
    )


def _excerpts(file: AnnotatedFile, speech: Speech) -> Iterator[Text]:
    width = len(str(max((line.number for line in file.lines), default=0)))
    for index, excerpt in enumerate(file.excerpts):
        if index:
            yield Text(f"    {'⋮':>{width}}", style=palette.GREY)
        for line in excerpt.lines:
            yield from _tagged(line, width, speech)


def _tagged(line: Line, width: int, speech: Speech) -> Iterator[Text]:
    severity = line.severity or (line.tags[0].severity if line.tags else None)
    style = palette.GREY if severity is None else f"bold {palette.SEVERITY[severity]}"
    pointer = " " if severity is None else "▸"
    yield one_line(Text.assemble((f"  {pointer} {line.number:>{width}} │ ", style), _code(line)))
    for tag in line.tags:
        text = (f"{line.indent}^ {speech(tag.said)}", palette.SEVERITY[tag.severity])
        yield one_line(Text.assemble((f"    {'':>{width}} │ ", style), text))


def _table(file: AnnotatedFile, columns: Sequence[Column], speech: Speech) -> Iterator[Text]:
    """Rows cut off at the right edge of a narrow terminal: source text is cut, figures stay whole."""
    headings = [speech(column.heading) for column in columns]
    widths = [
        max(cell_len(heading), *(cell_len(_cell(column, line.figures, speech).plain) for line in file.lines))
        for column, heading in zip(columns, headings, strict=True)
    ]
    heads = "".join(
        f"  {' ' * (width - cell_len(heading))}{heading}"
        for heading, width in zip(headings, widths, strict=True)
    )
    first = speech.says("source-line")
    yield one_line(
        Text(f"{' ' * (6 - cell_len(first))}{first}{heads} │ {safe_text(file.name, 200)}", style=palette.GREY)
    )
    for excerpt in file.excerpts:
        if excerpt.skipped:
            yield Text(f"{'⋮':>6}", style=palette.GREY)
        for line in excerpt.lines:
            style = palette.GREY if line.severity is None else f"bold {palette.SEVERITY[line.severity]}"
            row = Text.assemble((f"{' ' if line.severity is None else '▸'}{line.number:>5}", style))
            for column, width in zip(columns, widths, strict=True):
                cell = _cell(column, line.figures, speech)
                row.append(" " * (2 + width - cell_len(cell.plain))).append_text(cell)
            yield one_line(Text.assemble(row, (" │ ", palette.GREY), _code(line)))


def _cell(column: Column, line: LineFigures | None, speech: Speech) -> Text:
    text = None if line is None else column.text(line)
    if line is None or text is None:
        return Text()
    shaded = column.shade(line) >= _SHADED_FROM
    return Text(speech.figure(text), style=f"bold {palette.TONE[column.tone]}" if shaded else "")


def _code(line: Line) -> Text:
    return Text.assemble(
        *((piece.text, palette.TINT[piece.tint] if piece.tint else "") for piece in line.pieces)
    )


def one_line(text: Text) -> Text:
    """``text``, cut off at the terminal's edge instead of wrapped."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
