"""``grader similar``: which submissions to a lab are unusually alike."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative, require_distinct
from grader.course import similar as service
from grader.course.language import ReportLanguage, spoken
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report import similarity_json
from grader.report.terminal.similarity import similarity_table
from grader.sandbox.choice import TRUST_OPTION

EXAMPLE = "Example: `grader similar matmul --background spring-2026.zip --html similar`"


def similar(  # noqa: PLR0913 - the options of the command
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[PATH]", help="A folder of submissions (default: the newest in the store)."),
    ] = None,
    *,
    background: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH", help="A folder or a backup of a former term, to compare with (repeatable)."
        ),
    ] = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="List the N pairs that stand out most.")] = 20,
    tokens_only: Annotated[
        bool, typer.Option("--tokens-only", help="Compare only the source: compile nothing.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="How many submissions to compile at once (default: [jobs] in grader.toml)."
        ),
    ] = None,
    trusted: Annotated[
        bool,
        typer.Option(TRUST_OPTION, help="Trust all submissions: a sandbox that stops no attack is enough."),
    ] = False,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the comparison as JSON.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write a page, and one for each pair with the matching lines."),
    ] = None,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the report (default: the course's, or LANG)."),
    ] = None,
) -> None:
    """Show which submissions are unusually alike, and where: evidence to look at, which changes no grade."""
    require_distinct(json=json)
    workspace = open_workspace()
    shown = terminal(workspace.config, language)
    request = service.SimilarRequest(
        lab=lab,
        path=path,
        background=tuple(background or ()),
        most=top,
        tokens_only=tokens_only,
        trusted=trusted,
        jobs=jobs,
    )
    found = service.similar(workspace, request, shown)
    out.print(similarity_table(found.report, shown.speech))
    document = similarity_json.document(
        found.report, grader_version=found.grader_version, created_at=found.created_at
    )
    if json is not None:
        similarity_json.write(json, document)
        shown.note(reason("written", file=relative(json)))
    if html is not None:
        from grader.report.pages import similarity_page  # noqa: PLC0415 - loads the templates

        spoken_there = spoken(language, workspace.config, terminal=False).language
        written = similarity_page.write(html, document, found.sources, spoken_there)
        shown.note(reason("written-files", count=len(written), folder=relative(html)))


app = command_app(similar, EXAMPLE)
