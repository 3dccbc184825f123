"""Per-line counts of a kernel on the emulator and on the GPU, side by side."""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.diagnostic import Diagnostic
from grader.model.location import SourceLocation
from grader.model.report import KernelReport
from grader.model.submission import SourceFile
from grader.report import palette
from grader.report.annotate import Finding
from grader.report.highlight import highlight
from grader.report.profile import Column, LineFigures, figures, shown_columns
from grader.report.terminal.source import findings_at_lines, one_line
from grader.report.text import safe_text

_DEVICE = "GPU"
"""Heading of the second figure of each pair."""


def emulator_vs_gpu(
    emulated: KernelReport, measured: KernelReport, sources: Sequence[SourceFile], speech: Speech = ENGLISH
) -> RenderableType:
    """The lines of one kernel, each figure twice: from the emulator, then from ``measured``."""
    on_emulator, on_gpu = figures(emulated), figures(measured)
    columns = shown_columns([*on_emulator.values(), *on_gpu.values()])
    title = Text.assemble(
        (emulated.name, "bold"),
        (f": {speech.says('counts-beside-gpu')}", palette.GREY),
    )
    rows = [
        row
        for file in sources
        if _of_file(on_emulator, file) or _of_file(on_gpu, file)
        for row in _table(file, columns, _of_file(on_emulator, file), _of_file(on_gpu, file), speech)
    ]
    return Padding(Group(title, *rows), (1, 0, 0, 0))


def device_findings(
    found: Sequence[Diagnostic], sources: Sequence[SourceFile], speech: Speech = ENGLISH
) -> Iterator[RenderableType]:
    """The findings of compute-sanitizer at their lines, or a sentence that there are none."""
    if not found:
        yield Padding(Text(speech.says("sanitizer-clean")), (1, 0, 0, 0))
        return
    yield Padding(Text(speech.says("sanitizer-found"), style="bold"), (1, 0, 0, 0))
    findings = [Finding(diagnostic, diagnostic.kernel) for diagnostic in found]
    yield from findings_at_lines(findings, sources, speech)


def _of_file(lines: Mapping[SourceLocation, LineFigures], file: SourceFile) -> dict[int, LineFigures]:
    return {each.line: line for each, line in lines.items() if each.file == file.name and each.line}


def _table(
    file: SourceFile,
    columns: Sequence[Column],
    on_emulator: Mapping[int, LineFigures],
    on_gpu: Mapping[int, LineFigures],
    speech: Speech,
) -> Iterator[Text]:
    """Rows cut off at the right edge of a narrow terminal: source text is cut, figures stay whole."""
    source = highlight(file)
    heads = (
        speech.says("source-line"),
        *(head for column in columns for head in (speech(column.heading), _DEVICE)),
    )
    rows = [
        (
            str(number),
            *(
                "" if line is None else speech.figure(column.text(line) or "")
                for column in columns
                for line in (on_emulator.get(number), on_gpu.get(number))
            ),
        )
        for number in sorted({*on_emulator, *on_gpu})
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
