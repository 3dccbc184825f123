"""``grader show`` and ``grader leaderboard``: what was graded, looked at again."""

from typing import Annotated

import typer

from grader.cli.console import out
from grader.cli.record import Ledger
from grader.cli.setting import open_setting
from grader.errors import UserError
from grader.report.leaderboard import boards
from grader.report.terminal import leaderboards
from grader.report.terminal_report import single_report

SHOW_EXAMPLE = "Example: `grader show student-01 row-sum`"
LEADERBOARD_EXAMPLE = "Example: `grader leaderboard transpose`"


def show(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="Whose submission.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="Of which lab.")],
) -> None:
    """Show the whole latest report of one submission."""
    setting = open_setting()
    setting.registry.get(lab)
    with Ledger(setting) as ledger:
        info, report = ledger.latest(student, lab)
    out.print(single_report(report, info))


def leaderboard(
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab; all by default.")] = None,
) -> None:
    """Show who is fastest: one board per lab, language and device; modelled and measured speedups never meet."""
    setting = open_setting()
    if lab is not None:
        setting.registry.get(lab)
    with Ledger(setting) as ledger:
        found = boards(ledger.documents(lab))
    if not found:
        msg = f"No accepted submission {'of ' + lab + ' ' if lab else ''}has a speedup yet."
        raise UserError(msg, mend="Grade some with `grader grade PATH`.")
    out.print(leaderboards(found))
