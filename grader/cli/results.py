"""``grader show`` and ``grader leaderboard``: what was graded, looked at again."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from grader import __version__
from grader.cli.console import note, out
from grader.cli.paths import distinct
from grader.cli.record import Ledger
from grader.cli.setting import Setting, open_setting
from grader.config.nicknames import Nicknames, load_nicknames
from grader.config.settings import PublicName
from grader.errors import UserError
from grader.intake import collect
from grader.model.submission import SourceFile
from grader.report import public_leaderboard
from grader.report.leaderboard import boards, pending_review
from grader.report.terminal.overview import leaderboards, reproduced
from grader.report.terminal.review import waiting_list
from grader.report.terminal.submission import single_report
from grader.report.verify_speedups import checks
from grader.store.port import GradedRecord

SHOW_EXAMPLE = "Example: `grader show student-01 row-sum`"
LEADERBOARD_EXAMPLE = "Example: `grader leaderboard transpose`"

_DIFFERS = 1


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
    *,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as JSON, to publish.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as a page, to publish.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="LaunchJob out every speedup again from its stored samples.")
    ] = False,
) -> int:
    """Show who is fastest: one board per lab version, language and device; modelled and measured never meet.

    What is written to files has the names that students chose; the terminal has their own beside them.
    """
    distinct(json=json, html=html)
    setting = open_setting()
    if lab is not None:
        setting.registry.get(lab)
    names = _nicknames(setting)
    with Ledger(setting) as ledger:
        documents, left_out = ledger.documents(lab)
    names.refuse_impostors(report.student for document in documents for report in document.reports)
    found, doubted = boards(documents), pending_review(documents)
    if not found and not doubted:
        msg = f"No accepted submission {'of ' + lab + ' ' if lab else ''}has a speedup yet."
        raise UserError(msg, hint="Grade some with `grader grade PATH`.")
    out.print(leaderboards(found, names.shown))
    if doubted:
        out.print(waiting_list(doubted))
        note("Decide with `grader review STUDENT LAB`.")
    if left_out:
        what = (
            "1 graded before its lab changed is"
            if left_out == 1
            else f"{left_out} graded before their lab changed are"
        )
        note(f"{what} left out. Grade again to bring them back.")
    found_again = checks(documents) if verify else ()
    if verify:
        out.print(reproduced(found_again))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    document = public_leaderboard.published(found, names.shown, grader_version=__version__, created_at=now)
    if json is not None:
        public_leaderboard.write_json(json, document)
        note(f"Written: {json}")
    if html is not None:
        public_leaderboard.write_html(html, document)
        note(f"Written: {html}")
    return 0 if all(check.holds for check in found_again) else _DIFFERS


def _nicknames(setting: Setting) -> Nicknames:
    by_name = setting.config.leaderboard.default is PublicName.NAME
    return load_nicknames(setting.config.names_file, by_name=by_name)
