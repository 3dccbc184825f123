"""What the emulator counted at each line of a kernel, and beside it what the GPU did."""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.model.diagnostic import Diagnostic, Place
from grader.model.report import KernelReport
from grader.model.submission import SourceFile
from grader.report import palette
from grader.report.annotate import Finding
from grader.report.highlight import highlight
from grader.report.profile import Column, LineFigures, figures, shown_columns
from grader.report.terminal.source import findings_at_lines
from grader.report.text import safe_text

_DEVICE = "GPU"
"""Above the second figure of each pair."""


def side_by_side(
    emulated: KernelReport, measured: KernelReport, sources: Sequence[SourceFile]
) -> RenderableType:
    """The lines of one kernel with each figure twice: the emulator's, and that of ``measured``."""
    here, there = figures(emulated), figures(measured)
    columns = shown_columns([*here.values(), *there.values()])
    title = Text.assemble(
        (emulated.name, "bold"),
        (": what the emulator counts, and beside it what the GPU did", palette.GREY),
    )
    tables = [
        _table(file, columns, _of_file(here, file), _of_file(there, file))
        for file in sources
        if _of_file(here, file) or _of_file(there, file)
    ]
    return Padding(Group(title, *tables), (1, 0, 0, 0))


def device_findings(found: Sequence[Diagnostic], sources: Sequence[SourceFile]) -> Iterator[RenderableType]:
    """What compute-sanitizer found, at its lines, or that it found nothing."""
    if not found:
        yield Padding(Text("compute-sanitizer found nothing."), (1, 0, 0, 0))
        return
    yield Padding(Text("compute-sanitizer found:", style="bold"), (1, 0, 0, 0))
    yield from findings_at_lines([Finding(diagnostic, diagnostic.kernel) for diagnostic in found], sources)


def _of_file(did: Mapping[Place, LineFigures], file: SourceFile) -> dict[int, LineFigures]:
    return {place.line: line for place, line in did.items() if place.file == file.name and place.line}


def _table(
    file: SourceFile,
    columns: Sequence[Column],
    here: Mapping[int, LineFigures],
    there: Mapping[int, LineFigures],
) -> Table:
    source = highlight(file)
    rows = [
        (
            str(number),
            *(
                "" if line is None else (column.text(line) or "")
                for column in columns
                for line in (here.get(number), there.get(number))
            ),
            "".join(piece.text for piece in source[number - 1]) if number <= len(source) else "",
        )
        for number in sorted({*here, *there})
    ]
    heads = ["line", *(head for column in columns for head in (column.heading, _DEVICE))]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=palette.GREY)
    for place, head in enumerate(heads):
        # The figures stay whole, the source gives way.
        width = max(len(head), *(cell_len(row[place]) for row in rows))
        table.add_column(head, justify="right", no_wrap=True, min_width=width)
    table.add_column(safe_text(file.name, 200), no_wrap=True, overflow="crop")
    for row in rows:
        table.add_row(*map(Text, row))
    return table
