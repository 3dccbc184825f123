"""The run of a program in a terminal: how it ended, what was found, and its timeline."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.program import ProgramRun
from grader.model.submission import SourceFile
from grader.report import palette
from grader.report.annotate import Finding
from grader.report.program_end import end_of, is_clean
from grader.report.terminal.source import findings_at_lines
from grader.report.terminal.timeline import timeline_sections
from grader.report.text import MESSAGE_LIMIT, safe_text


def program_report(
    run: ProgramRun,
    device: str,
    sources: Sequence[SourceFile] = (),
    speech: Speech = ENGLISH,
    *,
    times: bool = False,
) -> RenderableType:
    """The findings at their lines, one line about the end, and with ``times`` the timeline."""
    found = [Finding(diagnostic, diagnostic.kernel or None) for diagnostic in run.diagnostics]
    sections: list[RenderableType] = list(findings_at_lines(found, sources, speech))
    if times:
        sections += timeline_sections(run, device, speech)
    sections.append(Padding(_end(run, device, speech), (1, 0, 0, 0)))
    return Group(*sections)


def _end(run: ProgramRun, device: str, speech: Speech) -> Text:
    text = Text(safe_text(speech(end_of(run, device)), MESSAGE_LIMIT), style=palette.GREY)
    if is_clean(run):
        return Text.assemble((speech.says("no-findings"), palette.GREEN), "  ", text)
    return text
