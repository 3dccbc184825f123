"""``grader check``: what students run on their own files."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import Terminal, out, terminal
from grader.cli.exit_codes import VERDICT_CODES
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.cli.submissions import read_submissions
from grader.course import check as service
from grader.course.check import Checked, CheckRequest
from grader.course.document import results_document
from grader.course.language import ReportLanguage
from grader.course.select import Selection
from grader.course.workspace import open_workspace
from grader.intake import Intake
from grader.model.reason import reason
from grader.model.verdict import Verdict, most_severe
from grader.report.redact import Audience, redact_document
from grader.report.terminal.submission import single_report

EXAMPLE = "Example: `grader check row_sum.cu --lab row-sum`"


def check(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Your file, or a folder with your files.")],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the path does not name it.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="ENGINE", help="The engine to run it on.")] = None,
    case: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Run only this public case; repeat it for several."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draw the inputs of an earlier check, which printed this seed.")
    ] = None,
    dump_inputs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write the inputs and the expected outputs as .npy files."),
    ] = None,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the report (default: the course's, or LANG)."),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Also show what each line of your source executed.")
    ] = False,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the report as an HTML page.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write it as results.json.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write it as JUnit XML.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with a code for the verdict.")] = False,
) -> int:
    """Build your kernels, run them on the public cases and show the report; nothing is recorded."""
    require_distinct(html=html_file, json=json, junit=junit)
    workspace = open_workspace()
    shown = terminal(workspace.config, language)
    intake = read_submissions(path, workspace, Selection(labs=(lab,) if lab else ()), shown)
    request = CheckRequest(intake=intake, engine=engine, cases=tuple(case or ()), dump=dump_inputs)
    if seed is not None:
        request = replace(request, seed=seed)
    found = []
    try:
        for checked in service.check(workspace, request, shown):
            found.append(checked)
            out.print(
                single_report(
                    checked.report,
                    checked.engine,
                    checked.submission.files,
                    Audience.STUDENT,
                    lines=lines,
                    speech=shown.speech,
                )
            )
            if checked.has_main:
                shown.note(reason("main-may-run", file=checked.submission.path))
    finally:  # also what was checked before Ctrl-C
        _write(found, shown, html_file=html_file, json=json, junit=junit)
    if request.cases:
        shown.note(reason("only-these-cases", cases=request.cases))
    shown.note(reason("inputs-of-seed", option=f"--seed {request.seed}"))
    if dump_inputs is not None:
        shown.note(reason("written", file=relative(dump_inputs)))
    return _exit_code(found, intake, strict=strict)


def _write(
    found: list[Checked],
    shown: Terminal,
    *,
    html_file: Path | None,
    json: Path | None,
    junit: Path | None,
) -> None:
    if not found:
        return
    document = redact_document(results_document(found[0].engine, [checked.report for checked in found]))
    if html_file is not None:
        from grader.report.pages import submission_page  # noqa: PLC0415 - loads the templates

        sources = {(each.submission.student, each.submission.lab): each.submission.files for each in found}
        submission_page.write(html_file, document, sources, Audience.STUDENT, shown.speech.language)
    if json is not None:
        from grader.report import results_json  # noqa: PLC0415 - only with --json

        results_json.write(json, document)
    if junit is not None:
        from grader.report import junit as junit_file  # noqa: PLC0415 - loads an XML library

        junit_file.write(junit, document.reports, shown.speech)
    for file in filter(None, (html_file, json, junit)):
        shown.note(reason("written", file=relative(file)))


def _exit_code(found: list[Checked], intake: Intake, *, strict: bool) -> int:
    verdicts = [checked.report.verdict for checked in found]
    if strict:
        return VERDICT_CODES[most_severe(verdicts)]
    failed = intake.rejected or Verdict.NOT_GRADABLE in verdicts
    return VERDICT_CODES[Verdict.NOT_GRADABLE] if failed else 0


app = command_app(check, EXAMPLE)
