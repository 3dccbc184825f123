"""The report of one submission in a terminal, as ``grader show`` and ``grader check`` print it."""

from collections.abc import Iterable, Iterator, Sequence

from rich.bar import Bar
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from grader.messages import render
from grader.model.report import CaseReport, EngineInfo, KernelReport, Part, Report, Resources, Visibility
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.report import palette, quantities
from grader.report.annotate import findings
from grader.report.efficiency import latency_sentence, roofline_sentence
from grader.report.redact import Audience, for_audience
from grader.report.summary import best_speedup, has_score
from grader.report.terminal.source import findings_at_lines, legend, printed, profiled_source
from grader.report.terminal.wrong_map import wrong_map
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_BAR_WIDTH = 16


def single_report(
    report: Report,
    engine: EngineInfo,
    sources: Sequence[SourceFile] = (),
    audience: Audience = Audience.STAFF,
    *,
    lines: bool = False,
) -> RenderableType:
    """The rubric, times, kernels and findings, with source lines where ``sources`` has them.

    ``lines``: also show the source of each kernel with per-line figures.
    """
    report = for_audience(report, audience)
    found = findings(report)
    sections: list[RenderableType] = [_head(report, engine)]
    if report.parts:
        sections += [_heading("Rubric"), _rubric(report.parts, scored=has_score(report))]
    if sum(kernel.seconds is not None for kernel in report.kernels) > 1:
        sections += [_heading("Times"), _times(report.kernels, engine)]
    if report.diagnostics:
        sections += [
            _heading("Build messages"),
            *findings_at_lines([f for f in found if f.kernel is None], sources),
        ]
    for kernel in report.kernels:
        sections += [_heading(kernel.name), *_kernel(kernel, engine)]
        sections += findings_at_lines([f for f in found if f.kernel == kernel.name], sources)
        sections += profiled_source(kernel, sources) if lines else ()
    if lines and sources:
        sections.append(legend(report.kernels))
    return Group(*sections)


def _head(report: Report, engine: EngineInfo) -> RenderableType:
    speedup = best_speedup(report)
    title = Text.assemble(
        (safe_name(report.student), "bold"),
        ("  ·  ", palette.GREY),
        (safe_name(report.lab), "bold"),
        (f"  ·  {safe_text(report.file, 200)} ({report.language})", palette.GREY),
    )
    result = Text.assemble(
        (report.verdict, f"bold {palette.VERDICT[report.verdict]}"),
        f"   {quantities.score(report)} of {quantities.points(report.max_score)} points",
        "" if speedup is None else f"   {quantities.labelled(speedup)} over {safe_name(speedup.baseline)}",
    )
    environment = f"{engine.kind} engine, {safe_name(engine.device)}"
    if report.isolation is not None:
        environment += f", {safe_text(quantities.isolation_text(report.isolation))}"
    reason = Text(safe_text(render(report.reason), MESSAGE_LIMIT))
    soft = [environment]
    if report.review is not None:
        soft.insert(0, safe_text(quantities.decision_text(report.review), MESSAGE_LIMIT))
    if report.adjustment is not None:
        soft.insert(0, safe_text(quantities.adjustment_text(report), MESSAGE_LIMIT))
    return Group(title, result, reason, *(Text(line, style=palette.GREY) for line in soft))


def _heading(text: str) -> RenderableType:
    name = Text(safe_name(text), style="bold")
    return Padding(Rule(name, align="left", style=palette.GREY), (1, 0, 0, 0))


def _grid(*justify: str) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for side in justify:
        table.add_column(justify="right" if side == "right" else "left", overflow="fold")
    return table


def _rubric(parts: Iterable[Part], *, scored: bool) -> RenderableType:
    table = _grid("right", "left")
    for part in parts:
        table.add_row(
            _points(part, scored=scored),
            Text.assemble(
                safe_text(part.name, MESSAGE_LIMIT),
                (f": {safe_text(render(part.reason), MESSAGE_LIMIT)}", palette.GREY),
            ),
        )
    return table


def _points(part: Part, *, scored: bool) -> Text:
    most = quantities.points(part.max_score)
    if not scored:
        return Text(f"{quantities.NOTHING} / {most}", style=palette.GREY)
    full = part.score >= part.max_score
    return Text(
        f"{quantities.points(part.score)} / {most}",
        style=palette.GREEN if full else palette.RED if part.score == 0 else palette.ORANGE,
    )


def _times(kernels: Iterable[KernelReport], engine: EngineInfo) -> RenderableType:
    timed = [(kernel, kernel.seconds) for kernel in kernels if kernel.seconds is not None]
    longest = max(seconds for _, seconds in timed) or 1.0
    table = _grid("left", "right", "left", "left")
    for kernel, seconds in timed:
        table.add_row(
            Text(safe_name(kernel.name)),
            Text(quantities.seconds(seconds)),
            Bar(longest, 0, seconds, width=_BAR_WIDTH, color=palette.BLUE),
            _time_note(kernel, engine),
        )
    return table


def _time_note(kernel: KernelReport, engine: EngineInfo) -> Text:
    speedup = kernel.speedup
    if speedup is None:
        return Text(quantities.time_kind(kernel, engine), style=palette.GREY)
    return Text.assemble(
        quantities.labelled(speedup),
        (f" {quantities.interval(speedup)}".rstrip(), palette.GREY),
    )


def _kernel(kernel: KernelReport, engine: EngineInfo) -> Iterator[RenderableType]:
    time = ""
    if kernel.seconds is not None:
        time = f"   {quantities.seconds(kernel.seconds)} {quantities.time_kind(kernel, engine)}"
    yield Text.assemble((kernel.verdict, f"bold {palette.VERDICT[kernel.verdict]}"), time)
    yield Text(safe_text(render(kernel.reason), MESSAGE_LIMIT))
    if kernel.cases:
        yield _cases(kernel.cases)
        for case in kernel.cases:
            if case.wrong_map is not None:
                yield Padding(wrong_map(case.wrong_map, case.name), (1, 0))
                break  # the other cases are in the page
    if kernel.resources is not None:
        yield Text(_resources(kernel.resources), style=palette.GREY)
    if kernel.roofline is not None:
        sentence = roofline_sentence(kernel.roofline, quantities.time_kind(kernel, engine))
        yield Text(f"roofline: {sentence}", style=palette.GREY)
    if kernel.latency is not None:
        yield Text(f"latency: {latency_sentence(kernel.latency)}", style=palette.GREY)
    if kernel.printed:
        yield printed(kernel.printed)


def _cases(cases: Sequence[CaseReport]) -> RenderableType:
    accepted = [_case_name(case) for case in cases if case.verdict is Verdict.ACCEPTED]
    table = _grid("left", "left", "left")
    for case in cases:
        if case.verdict is not Verdict.ACCEPTED:
            table.add_row(
                Text(case.verdict, style=palette.VERDICT[case.verdict]),
                Text(_case_name(case)),
                Text(safe_text(render(case.reason), MESSAGE_LIMIT)),
            )
    summary = Text.assemble(
        (f"{len(accepted)} of {len(cases)} cases accepted", palette.GREEN),
        (f": {', '.join(accepted)}" if accepted else "", palette.GREY),
    )
    return Group(summary, table) if table.row_count else summary


def _case_name(case: CaseReport) -> str:
    name = safe_name(case.name)
    return f"{name} (hidden)" if case.visibility is Visibility.HIDDEN and "hidden" not in name else name


def _resources(resources: Resources) -> str:
    spills = f"{quantities.size(resources.spill_bytes)} spilled" if resources.spill_bytes else "no spills"
    shared = quantities.size(resources.shared_bytes) if resources.shared_bytes else "no"
    return (
        f"{resources.registers} registers, {spills}, {shared} shared memory; "
        f"occupancy {quantities.share(resources.occupancy)}, limited by {safe_name(resources.limiter)}"
        f"{f': {safe_text(resources.lift, MESSAGE_LIMIT)}' if resources.lift else ''}"
    )
