"""Leaderboards of everything that the store holds, and their public form."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from grader import __version__
from grader.config.nicknames import load_nicknames
from grader.config.settings import PublicName
from grader.course.report_store import ReportStore
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.report import Report, ResultsDocument
from grader.report.leaderboard import Board, boards, pending_review
from grader.report.public_leaderboard import Leaderboards, public_leaderboards
from grader.report.verify_speedups import SpeedupCheck, check_speedups


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The boards, what awaits a review, and how many submissions to an older version of a lab are ``left_out``.

    ``public_name`` gives the published name of a student.
    """

    boards: tuple[Board, ...]
    flagged: tuple[Report, ...]
    left_out: int
    public_name: Callable[[str], str]
    documents: tuple[ResultsDocument, ...]

    def published(self) -> Leaderboards:
        """The boards as they are published now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return public_leaderboards(self.boards, self.public_name, grader_version=__version__, created_at=now)

    def verified(self) -> tuple[SpeedupCheck, ...]:
        """Every speedup, computed again from its stored samples."""
        return tuple(check_speedups(self.documents))


def standings(workspace: Workspace, lab: str | None) -> Standings:
    """The standings of ``lab``, or of all labs.

    Raises: ``UserError`` if nothing is ranked or flagged, or for an unknown lab or a nickname that cannot be used.
    """
    if lab is not None:
        workspace.registry.get(lab)
    config = workspace.config
    names = load_nicknames(config.names_file, by_name=config.leaderboard.default is PublicName.NAME)
    with ReportStore(workspace) as store:
        documents, left_out = store.documents(lab)
    names.refuse_impostors(report.student for document in documents for report in document.reports)
    found, flagged = boards(documents), pending_review(documents)
    if not found and not flagged:
        msg = f"No accepted submission {'of ' + lab + ' ' if lab else ''}has a speedup yet."
        raise UserError(msg, hint="Grade submissions with `grader grade PATH`.")
    return Standings(
        boards=found,
        flagged=flagged,
        left_out=left_out,
        public_name=names.shown,
        documents=tuple(documents),
    )
