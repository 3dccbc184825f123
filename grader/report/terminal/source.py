"""Findings beside the student's source in a terminal, and that source with what each of its lines did."""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.model.report import KernelReport
from grader.model.submission import SourceFile
from grader.report import palette, quantities
from grader.report.annotate import AnnotatedFile, Finding, Line, annotate
from grader.report.profile import Column, LineFigures, figures, shown_columns
from grader.report.text import MESSAGE_LIMIT, output_lines, safe_text

_CONTEXT = 2
"""Source lines shown above and below a finding."""

_CONTEXT_OF_FIGURES = 3
"""The same around a line that a kernel executed."""

_SHADED_FROM = 3
"""The shade from which on a figure stands out in a terminal, which has one colour where a page has five."""

_PRINTED_LINES = 20


def findings_at_lines(found: Sequence[Finding], sources: Sequence[SourceFile]) -> Iterator[RenderableType]:
    """Each finding, its source lines where ``sources`` has them, and what to do about it.

    Of findings that follow each other at one place, the first one shows it.
    """
    previous = None
    for finding in found:
        diagnostic = finding.diagnostic
        yield Padding(_heading(finding), (1, 0, 0, 0))
        yield Padding(Text(safe_text(diagnostic.message, MESSAGE_LIMIT)), (0, 0, 0, 2))
        places = (finding.place, finding.related)
        if places != previous:
            for file in sources:
                yield from _excerpts(annotate(file, [finding], _CONTEXT))
        if diagnostic.advice:
            advice = Text.assemble(("try: ", "bold"), safe_text(diagnostic.advice, MESSAGE_LIMIT))
            yield Padding(advice, (0, 0, 0, 2))
        previous = places


def profiled_source(kernel: KernelReport, sources: Sequence[SourceFile]) -> Iterator[RenderableType]:
    """Every line that ``kernel`` executed, and those around it, each with its figures; nothing if none are known."""
    did = figures(kernel)
    columns = shown_columns(did.values())
    found = [Finding(diagnostic, kernel.name) for diagnostic in kernel.diagnostics]
    for file in sources:
        annotated = annotate(file, found, _CONTEXT_OF_FIGURES, did)
        if any(line.figures for line in annotated.lines):
            yield Padding(Group(*_table(annotated, columns)), (1, 0, 0, 0))


def legend(kernels: Iterable[KernelReport]) -> RenderableType:
    """What the columns of ``profiled_source`` mean, or that there are none."""
    columns = shown_columns(line for kernel in kernels for line in figures(kernel).values())
    if not columns:
        return Padding(
            Text("No kernel came to its end on the emulator, so there are no figures of its lines."),
            (1, 0, 0, 0),
        )
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_row(Text(column.heading), Text(column.meaning, style=palette.GREY))
    return Padding(table, (1, 0, 0, 0))


def printed(text: str) -> RenderableType:
    """What a kernel printed, its first lines."""
    lines, left_out = output_lines(text, _PRINTED_LINES)
    more = [Text(f"  … {left_out:,} more lines", style=palette.GREY)] if left_out else []
    shown = [Text.assemble(("  │ ", palette.GREY), line) for line in lines]
    return Padding(Group(Text("printed:", style="bold"), *shown, *more), (1, 0, 0, 0))


def _heading(finding: Finding) -> Text:
    diagnostic = finding.diagnostic
    where = [] if diagnostic.file is None else [safe_text(diagnostic.file, 200)]
    if diagnostic.line is not None:
        where.append(str(diagnostic.line))
    tally = quantities.tally(diagnostic)
    return Text.assemble(
        (f"{diagnostic.severity}: {diagnostic.kind}", f"bold {palette.SEVERITY[diagnostic.severity]}"),
        (f"  {':'.join(where)}" if where else "", "bold"),
        (f"  {tally}" if tally else "", palette.GREY),
    )


def _excerpts(file: AnnotatedFile) -> Iterator[Text]:
    width = len(str(max((line.number for line in file.lines), default=0)))
    for index, excerpt in enumerate(file.excerpts):
        if index:
            yield Text(f"    {'⋮':>{width}}", style=palette.GREY)
        for line in excerpt.lines:
            yield from _marked(line, width)


def _marked(line: Line, width: int) -> Iterator[Text]:
    severity = line.severity or (line.marks[0].severity if line.marks else None)
    style = palette.GREY if severity is None else f"bold {palette.SEVERITY[severity]}"
    pointer = " " if severity is None else "▸"
    yield one_line(Text.assemble((f"  {pointer} {line.number:>{width}} │ ", style), _code(line)))
    for mark in line.marks:
        words = (f"{line.indent}^ {mark.text}", palette.SEVERITY[mark.severity])
        yield one_line(Text.assemble((f"    {'':>{width}} │ ", style), words))


def _table(file: AnnotatedFile, columns: Sequence[Column]) -> Iterator[Text]:
    """Rows that a narrow terminal cuts off at the right: the figures stay whole, the source gives way."""
    widths = [
        max(len(column.heading), *(cell_len(_cell(column, line.figures).plain) for line in file.lines))
        for column in columns
    ]
    heads = "".join(f"  {column.heading:>{width}}" for column, width in zip(columns, widths, strict=True))
    yield one_line(Text(f"{'line':>6}{heads} │ {safe_text(file.name, 200)}", style=palette.GREY))
    for excerpt in file.excerpts:
        if excerpt.skipped:
            yield Text(f"{'⋮':>6}", style=palette.GREY)
        for line in excerpt.lines:
            style = palette.GREY if line.severity is None else f"bold {palette.SEVERITY[line.severity]}"
            row = Text.assemble((f"{' ' if line.severity is None else '▸'}{line.number:>5}", style))
            for column, width in zip(columns, widths, strict=True):
                cell = _cell(column, line.figures)
                row.append(" " * (2 + width - cell_len(cell.plain))).append_text(cell)
            yield one_line(Text.assemble(row, (" │ ", palette.GREY), _code(line)))


def _cell(column: Column, line: LineFigures | None) -> Text:
    text = None if line is None else column.text(line)
    if line is None or text is None:
        return Text()
    shaded = column.shade(line) >= _SHADED_FROM
    return Text(text, style=f"bold {palette.TONE[column.tone]}" if shaded else "")


def _code(line: Line) -> Text:
    return Text.assemble(
        *((piece.text, palette.TINT[piece.tint] if piece.tint else "") for piece in line.pieces)
    )


def one_line(text: Text) -> Text:
    """``text``, cut off at the terminal's edge instead of wrapped."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
