"""``grader leaderboard``: the fastest accepted submissions."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from grader import __version__
from grader.cli.console import note, out
from grader.cli.lazy_group import command_app
from grader.cli.paths import require_distinct
from grader.cli.report_store import ReportStore
from grader.cli.workspace import Workspace, open_workspace
from grader.config.nicknames import Nicknames, load_nicknames
from grader.config.settings import PublicName
from grader.errors import UserError
from grader.report import public_leaderboard
from grader.report.leaderboard import boards, pending_review
from grader.report.terminal.overview import leaderboards, verification
from grader.report.terminal.review import flagged_list
from grader.report.verify_speedups import check_speedups

EXAMPLE = "Example: `grader leaderboard transpose`"

_DIFFERS = 1


def leaderboard(
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab (default: all).")] = None,
    *,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the leaderboard as JSON, to publish.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the leaderboard as an HTML page, to publish."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compute every speedup again from its stored samples.")
    ] = False,
) -> int:
    """Show the fastest submissions: one board per lab version, language, device, and modelled or measured times.

    Files have the nicknames that students chose; the terminal also shows their own names.
    """
    require_distinct(json=json, html=html)
    workspace = open_workspace()
    if lab is not None:
        workspace.registry.get(lab)
    names = _nicknames(workspace)
    with ReportStore(workspace) as store:
        documents, left_out = store.documents(lab)
    names.refuse_impostors(report.student for document in documents for report in document.reports)
    found, flagged = boards(documents), pending_review(documents)
    if not found and not flagged:
        msg = f"No accepted submission {'of ' + lab + ' ' if lab else ''}has a speedup yet."
        raise UserError(msg, hint="Grade submissions with `grader grade PATH`.")
    out.print(leaderboards(found, names.shown))
    if flagged:
        out.print(flagged_list(flagged))
        note("Decide with `grader review STUDENT LAB`.")
    if left_out:
        what = (
            "1 submission that was graded before its lab changed is"
            if left_out == 1
            else f"{left_out} submissions that were graded before their lab changed are"
        )
        note(f"{what} left out. To include them, grade again.")
    found_again = check_speedups(documents) if verify else ()
    if verify:
        out.print(verification(found_again))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    document = public_leaderboard.public_leaderboards(
        found, names.shown, grader_version=__version__, created_at=now
    )
    if json is not None:
        public_leaderboard.write_json(json, document)
        note(f"Written: {json}")
    if html is not None:
        public_leaderboard.write_html(html, document)
        note(f"Written: {html}")
    return 0 if all(check.matches for check in found_again) else _DIFFERS


def _nicknames(workspace: Workspace) -> Nicknames:
    by_name = workspace.config.leaderboard.default is PublicName.NAME
    return load_nicknames(workspace.config.names_file, by_name=by_name)


app = command_app(leaderboard, EXAMPLE)
