"""What the emulator counted at each line of a kernel, and beside it what the GPU did."""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grader.model.diagnostic import Diagnostic, SourceLocation
from grader.model.report import KernelReport
from grader.model.submission import SourceFile
from grader.report import palette
from grader.report.annotate import Finding
from grader.report.highlight import highlight
from grader.report.profile import Column, LineFigures, figures, shown_columns
from grader.report.terminal.source import findings_at_lines, one_line
from grader.report.text import safe_text

_DEVICE = "GPU"
"""Above the second figure of each pair."""


def emulator_vs_gpu(
    emulated: KernelReport, measured: KernelReport, sources: Sequence[SourceFile]
) -> RenderableType:
    """The lines of one kernel with each figure twice: the emulator's, and that of ``measured``."""
    here, there = figures(emulated), figures(measured)
    columns = shown_columns([*here.values(), *there.values()])
    title = Text.assemble(
        (emulated.name, "bold"),
        (": what the emulator counts, and beside it what the GPU did", palette.GREY),
    )
    rows = [
        row
        for file in sources
        if _of_file(here, file) or _of_file(there, file)
        for row in _table(file, columns, _of_file(here, file), _of_file(there, file))
    ]
    return Padding(Group(title, *rows), (1, 0, 0, 0))


def device_findings(found: Sequence[Diagnostic], sources: Sequence[SourceFile]) -> Iterator[RenderableType]:
    """What compute-sanitizer found, at its lines, or that it found nothing."""
    if not found:
        yield Padding(Text("compute-sanitizer found nothing."), (1, 0, 0, 0))
        return
    yield Padding(Text("compute-sanitizer found:", style="bold"), (1, 0, 0, 0))
    yield from findings_at_lines([Finding(diagnostic, diagnostic.kernel) for diagnostic in found], sources)


def _of_file(did: Mapping[SourceLocation, LineFigures], file: SourceFile) -> dict[int, LineFigures]:
    return {place.line: line for place, line in did.items() if place.file == file.name and place.line}


def _table(
    file: SourceFile,
    columns: Sequence[Column],
    here: Mapping[int, LineFigures],
    there: Mapping[int, LineFigures],
) -> Iterator[Text]:
    """Rows that a narrow terminal cuts off at the right: the figures stay whole, the source gives way."""
    source = highlight(file)
    heads = ("line", *(head for column in columns for head in (column.heading, _DEVICE)))
    rows = [
        (
            str(number),
            *(
                "" if line is None else (column.text(line) or "")
                for column in columns
                for line in (here.get(number), there.get(number))
            ),
        )
        for number in sorted({*here, *there})
    ]
    widths = [max(map(cell_len, cells)) for cells in zip(heads, *rows, strict=True)]
    yield one_line(
        Text.assemble((_cells(heads, widths), palette.GREY), (safe_text(file.name, 200), palette.GREY))
    )
    for row in rows:
        pieces = source[int(row[0]) - 1] if int(row[0]) <= len(source) else ()
        yield one_line(Text(_cells(row, widths) + "".join(piece.text for piece in pieces)))


def _cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (" " * (width - cell_len(cell)) + cell for cell, width in zip(cells, widths, strict=True))
    return " ".join(padded) + " │ "
