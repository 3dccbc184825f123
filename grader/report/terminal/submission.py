"""The report of one submission in a terminal, as ``grader show`` and ``grader check`` print it."""

from collections.abc import Iterable, Iterator, Sequence

from rich.bar import Bar
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.reason import Reason, reason
from grader.model.report import (
    CaseReport,
    EngineInfo,
    KernelReport,
    Part,
    Report,
    Resources,
    Speedup,
    Visibility,
)
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.report import palette, quantities
from grader.report.annotate import findings
from grader.report.efficiency import latency_sentence, program_sentence, roofline_sentence
from grader.report.redact import Audience, for_audience
from grader.report.rubric import next_step, rubric_lines
from grader.report.summary import best_speedup, has_score
from grader.report.terminal.prose import Prose
from grader.report.terminal.source import findings_at_lines, legend, printed, profiled_source
from grader.report.terminal.wrong_map import wrong_map
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_BAR_WIDTH = 16


def single_report(  # noqa: PLR0913 - the choices of the commands that show a report
    report: Report,
    engine: EngineInfo,
    sources: Sequence[SourceFile] = (),
    audience: Audience = Audience.STAFF,
    *,
    lines: bool = False,
    speech: Speech = ENGLISH,
) -> RenderableType:
    """The rubric, times, kernels and findings, with source lines where ``sources`` has them.

    ``lines``: also show the source of each kernel with per-line figures.
    """
    report = for_audience(report, audience)
    engine = report.engine or engine
    found = findings(report)
    sections: list[RenderableType] = [_head(report, engine, speech)]
    if report.parts:
        sections += [
            _heading(speech.says("heading-rubric")),
            _rubric(rubric_lines(report.parts), speech, scored=has_score(report)),
        ]
    if sum(kernel.seconds is not None for kernel in report.kernels) > 1:
        sections += [_heading(speech.says("feedback-times")), _times(report.kernels, engine, speech)]
    if report.diagnostics:
        sections += [
            _heading(speech.says("heading-build-messages")),
            *findings_at_lines([f for f in found if f.kernel is None], sources, speech),
        ]
    for kernel in report.kernels:
        sections += [_heading(kernel.name), *_kernel(kernel, engine, speech)]
        sections += findings_at_lines([f for f in found if f.kernel == kernel.name], sources, speech)
        sections += profiled_source(kernel, sources, speech) if lines else ()
    if lines and sources:
        sections.append(legend(report.kernels, speech))
    return Group(*sections)


def _head(report: Report, engine: EngineInfo, speech: Speech) -> RenderableType:
    speedup = best_speedup(report)
    title = Text.assemble(
        (safe_name(report.student), "bold"),
        ("  ·  ", palette.GREY),
        (safe_name(report.lab), "bold"),
        (f"  ·  {safe_text(report.file, 200)} ({report.language})", palette.GREY),
    )
    score = speech.says(
        "feedback-points",
        score=speech.figure(quantities.score(report)),
        most=speech.figure(quantities.points(report.max_score)),
    )
    result = Text.assemble(
        (speech.word(report.verdict), f"bold {palette.VERDICT[report.verdict]}"),
        f"   {score}",
        "" if speedup is None else f"   {_over(speedup, speech)}",
    )
    environment = [speech.says("ran-on", engine=engine.kind.value, device=safe_name(engine.device))]
    if report.isolation is not None:
        environment.append(safe_text(speech(quantities.isolation_note(report.isolation))))
    if report.time_used is not None:
        environment.append(speech(quantities.time_note(report.time_used)))
    soft = [speech.joined(environment)]
    if (waiting := quantities.waiting_note(report)) is not None:
        soft.insert(0, _said(waiting, speech))
    if report.review is not None:
        soft.insert(0, _said(quantities.decision_note(report.review), speech))
    if (adjusted := quantities.adjustment_note(report)) is not None:
        soft.insert(0, _said(adjusted, speech))
    why = Prose(_said(report.reason, speech))
    if (following := next_step(report)) is not None:
        soft.insert(0, _said(following, speech))
    return Group(title, result, why, *(Prose(line, style=palette.GREY) for line in soft))


def _said(said: Reason, speech: Speech) -> str:
    return safe_text(speech(said), MESSAGE_LIMIT)


def _over(speedup: Speedup, speech: Speech) -> str:
    value = speech.figure(speech(quantities.labelled(speedup)))
    return speech.says("speedup-over", speedup=value, baseline=safe_name(speedup.baseline))


def _heading(text: str) -> RenderableType:
    name = Text(safe_name(text), style="bold")
    return Padding(Rule(name, align="left", style=palette.GREY), (1, 0, 0, 0))


def _grid(*justify: str) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for side in justify:
        table.add_column(justify="right" if side == "right" else "left", overflow="fold")
    return table


def _rubric(parts: Iterable[Part], speech: Speech, *, scored: bool) -> RenderableType:
    table = _grid("right", "left")
    for part in parts:
        table.add_row(
            _points(part, speech, scored=scored),
            Prose.assemble(
                _said(quantities.title(part), speech),
                (f"{speech.colon}{_said(part.reason, speech)}", palette.GREY),
            ),
        )
    return table


def _points(part: Part, speech: Speech, *, scored: bool) -> Text:
    most = speech.figure(quantities.points(part.max_score))
    if not scored:
        return Text(f"{quantities.NOTHING} / {most}", style=palette.GREY)
    full = part.score >= part.max_score
    return Text(
        f"{speech.figure(quantities.points(part.score))} / {most}",
        style=palette.GREEN if full else palette.RED if part.score == 0 else palette.ORANGE,
    )


def _times(kernels: Iterable[KernelReport], engine: EngineInfo, speech: Speech) -> RenderableType:
    timed = [(kernel, kernel.seconds) for kernel in kernels if kernel.seconds is not None]
    longest = max(seconds for _, seconds in timed) or 1.0
    table = _grid("left", "right", "left", "left")
    for kernel, seconds in timed:
        table.add_row(
            Text(safe_name(kernel.name)),
            Text(speech.figure(quantities.seconds(seconds))),
            Bar(longest, 0, seconds, width=_BAR_WIDTH, color=palette.BLUE),
            _time_note(kernel, engine, speech),
        )
    return table


def _time_note(kernel: KernelReport, engine: EngineInfo, speech: Speech) -> Text:
    speedup = kernel.speedup
    if speedup is None:
        return Text(speech.word(quantities.time_kind(kernel, engine)), style=palette.GREY)
    return Text.assemble(
        speech.figure(speech(quantities.labelled(speedup))),
        (f" {speech.figure(quantities.interval(speedup))}".rstrip(), palette.GREY),
    )


def _kernel(kernel: KernelReport, engine: EngineInfo, speech: Speech) -> Iterator[RenderableType]:
    time = ""
    if kernel.seconds is not None:
        kind = speech.word(quantities.time_kind(kernel, engine))
        time = f"   {speech.figure(quantities.seconds(kernel.seconds))} {kind}"
    yield Text.assemble((speech.word(kernel.verdict), f"bold {palette.VERDICT[kernel.verdict]}"), time)
    yield Prose(_said(kernel.reason, speech))
    if kernel.cases:
        yield _cases(kernel.cases, speech)
        for case in kernel.cases:
            if case.wrong_map is not None:
                yield Padding(wrong_map(case.wrong_map, case.name, speech), (1, 0))
                break  # the other cases are in the page
    if kernel.resources is not None:
        yield Prose(speech.figure(_said(_resources(kernel.resources), speech)), style=palette.GREY)
    if kernel.roofline is not None:
        sentence = roofline_sentence(kernel.roofline, quantities.time_kind(kernel, engine))
        yield _note(reason("roofline", reason=sentence), speech)
    if kernel.latency is not None:
        yield _note(reason("latency", reason=latency_sentence(kernel.latency)), speech)
    if kernel.program is not None:
        yield _note(program_sentence(kernel.program), speech)
    if kernel.printed:
        yield printed(kernel.printed, speech)


def _note(said: Reason, speech: Speech) -> Text:
    return Prose(speech.figure(speech(said)), style=palette.GREY)


def _cases(cases: Sequence[CaseReport], speech: Speech) -> RenderableType:
    accepted = [_case_name(case, speech) for case in cases if case.verdict is Verdict.ACCEPTED]
    table = _grid("left", "left", "left")
    for case in cases:
        if case.verdict is not Verdict.ACCEPTED:
            table.add_row(
                Text(speech.word(case.verdict), style=palette.VERDICT[case.verdict]),
                Text(_case_name(case, speech)),
                Prose(_said(case.reason, speech)),
            )
    code = "cases-accepted-named" if accepted else "cases-accepted"
    names = {"names": tuple(accepted)} if accepted else {}
    text = speech.says(code, accepted=len(accepted), total=len(cases), **names)
    summary = Prose(text, style=palette.GREEN)
    return Group(summary, table) if table.row_count else summary


def _case_name(case: CaseReport, speech: Speech) -> str:
    name = safe_name(case.name)
    hidden = case.visibility is Visibility.HIDDEN and "hidden" not in name
    return speech.says("case-hidden", name=name) if hidden else name


def _resources(resources: Resources) -> Reason:
    spilled, shared = resources.spill_bytes, resources.shared_bytes
    found = reason(
        "resources",
        registers=resources.registers,
        spills=reason("spilled", size=quantities.size(spilled)) if spilled else reason("no-spills"),
        shared=reason("shared-memory", size=quantities.size(shared))
        if shared
        else reason("no-shared-memory"),
        occupancy=quantities.share(resources.occupancy),
        limiter=resources.limiter,
    )
    return (
        reason("resources-with-advice", resources=found, advice=resources.advice)
        if resources.advice
        else found
    )
