"""``grader show`` and ``grader leaderboard``: what was graded, looked at again."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.record import Ledger
from grader.cli.setting import Setting, open_setting
from grader.errors import UserError
from grader.intake import collect
from grader.model.submission import SourceFile
from grader.report.leaderboard import boards
from grader.report.terminal import leaderboards
from grader.report.terminal_report import single_report
from grader.store.port import GradedRecord

SHOW_EXAMPLE = "Example: `grader show student-01 row-sum`"
LEADERBOARD_EXAMPLE = "Example: `grader leaderboard transpose`"


def show(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="Whose submission.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="Of which lab.")],
    *,
    lines: Annotated[
        bool, typer.Option("--lines", help="Also show what each line of the source executed.")
    ] = False,
) -> None:
    """Show the whole latest report of one submission, with its source lines while the file is unchanged."""
    setting = open_setting()
    setting.registry.get(lab)
    with Ledger(setting) as ledger:
        record = ledger.latest(student, lab)
    sources = _sources(setting, record)
    if not sources:
        note(f"{record.report.file} is not there any more as it was graded: its lines are not shown.")
    out.print(single_report(record.report, record.key.engine, sources, lines=lines))


def _sources(setting: Setting, record: GradedRecord) -> tuple[SourceFile, ...]:
    """What was graded, if it still lies where it came from: the store keeps a digest of it and no copy."""
    limits = setting.config.limits
    try:
        found = collect(
            Path(record.report.file), labs=setting.registry.labs, lab=record.key.lab, limits=limits
        )
    except UserError:
        return ()
    return next((s.files for s in found.submissions if s.digest == record.key.submission), ())


def leaderboard(
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab; all by default.")] = None,
) -> None:
    """Show who is fastest: one board per lab, language and device; modelled and measured speedups never meet."""
    setting = open_setting()
    if lab is not None:
        setting.registry.get(lab)
    with Ledger(setting) as ledger:
        documents, left_out = ledger.documents(lab)
    found = boards(documents)
    if not found:
        msg = f"No accepted submission {'of ' + lab + ' ' if lab else ''}has a speedup yet."
        raise UserError(msg, mend="Grade some with `grader grade PATH`.")
    out.print(leaderboards(found))
    if left_out:
        note(
            f"{left_out} older gradings are left out: their lab has changed since. Grade again to bring them back."
        )
