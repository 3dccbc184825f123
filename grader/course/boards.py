"""Leaderboards of everything that the store holds, and their public form."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from grader import __version__
from grader.config.nicknames import Nicknames, load_nicknames
from grader.config.settings import PublicName
from grader.course.records import Records
from grader.course.rulings import flagged_work
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.lookalikes import apart
from grader.model.review import FlaggedWork
from grader.model.verdict import Verdict
from grader.report.leaderboard import Board, Candidate, candidate, ranked
from grader.report.public_leaderboard import Leaderboards, public_leaderboards
from grader.report.verify_speedups import SpeedupCheck, check_speedups
from grader.store.values import BestKernel, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The boards, what awaits a review, and how many submissions to an older version of a lab are ``left_out``.

    ``public_name`` gives the published name of a student; names that look alike have a number.
    """

    boards: tuple[Board, ...]
    flagged: tuple[FlaggedWork, ...]
    left_out: int
    public_name: Callable[[str], str]

    def published(self) -> Leaderboards:
        """The boards as they are published now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return public_leaderboards(self.boards, self.public_name, grader_version=__version__, created_at=now)


def standings(workspace: Workspace, lab: str | None) -> Standings:
    """The standings of ``lab``, or of all labs.

    Raises: ``UserError`` if nothing is ranked or flagged, or for an unknown lab or a nickname that cannot be used.
    """
    if lab is not None:
        workspace.registry.get(lab)
    config = workspace.config
    names = load_nicknames(config.names_file, by_name=config.leaderboard.default is PublicName.NAME)
    with Records(workspace) as records:
        scores = records.store.scores
        if names.chosen:
            names.refuse_impostors(score.key.student for score in scores.latest_all(lab))
        waiting = tuple(work for work in map(flagged_work, records.flagged(lab)) if not work.reviews)
        found = tuple(candidates(records, lab))
        left_out = scores.left_out(lab)
    if not found and not waiting:
        msg = f"No accepted submission {'of ' + lab + ' ' if lab else ''}has a speedup yet."
        raise UserError(msg, hint="Grade submissions with `grader grade PATH`.")
    return Standings(
        boards=ranked(found),
        flagged=waiting,
        left_out=left_out,
        public_name=_public_names(names, {each.student for each in found}),
    )


def _public_names(names: Nicknames, students: Collection[str]) -> Callable[[str], str]:
    """The public name of each of ``students``, with a number where two look alike."""
    shown = apart(map(names.shown, students))

    def public_name(student: str) -> str:
        name = names.shown(student)
        return shown.get(name, name)

    return public_name


def verified(workspace: Workspace, lab: str | None) -> tuple[SpeedupCheck, ...]:
    """Every speedup that can rank a submission, computed again from its stored samples."""
    with Records(workspace) as records:
        results = records.results(records.store.scores.comparable(lab))
    return check_speedups(result.report for result in results)


def candidates(records: Records, lab: str | None) -> Iterator[Candidate]:
    """The best of each student for each board, and everything of students about whom staff decided."""
    scores = records.store.scores
    decided = {(decision.student, decision.lab) for decision in records.store.decisions.list(lab)}
    for score in scores.boards(lab):
        if (score.key.student, score.key.lab) not in decided and score.best is not None:
            yield _of_score(score, score.best)
    for student, of_lab in decided:
        for result in records.results(scores.comparable(of_lab, student)):
            entry = candidate(result.report, result.report.engine or result.score.engine)
            if entry is not None:
                yield entry


def candidates_until(records: Records, lab: str, at: datetime) -> Iterator[Candidate]:
    """What stood on the boards of ``lab`` at the time ``at``, with what staff decided since about the same results."""
    until = [each for each in records.store.scores.history(lab) if each.created_at <= at]
    newest: dict[object, Score] = {}
    for score in until:
        if score.lab_code == until[0].lab_code:
            newest.setdefault((score.key, score.engine), score)
    decided = {decision.student for decision in records.store.decisions.list(lab)}
    for score in newest.values():
        if score.key.student in decided:
            (result,) = records.results([score])
            entry = candidate(result.report, result.report.engine or score.engine)
            if entry is not None:
                yield entry
        elif score.best is not None and score.verdict is Verdict.ACCEPTED:
            yield _of_score(score, score.best)


def _of_score(score: Score, best: BestKernel) -> Candidate:
    return Candidate(
        lab=score.key.lab,
        lab_version=score.lab_version,
        language=score.language,
        engine=best.engine or score.engine,
        student=score.key.student,
        kernel=best.kernel,
        speedup=best.speedup,
    )
