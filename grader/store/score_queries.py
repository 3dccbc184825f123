"""Queries about scores: which of them may be compared, and the best of each student."""

from typing import Any

from sqlalchemy import CTE, FromClause, Select, func, select

from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.store.filters import narrowed
from grader.store.tables import SCORES, SUBMISSIONS
from grader.store.values import Students

_WITH_SUBMISSION = SCORES.join(SUBMISSIONS)
_COLUMNS = (*SCORES.c, SUBMISSIONS.c.digest, SUBMISSIONS.c.language, SUBMISSIONS.c.path)


def scores(among: FromClause = _WITH_SUBMISSION) -> Select[Any]:
    """Every score with the columns of its submission, the newest first."""
    return select(*_COLUMNS).select_from(among).order_by(SCORES.c.id.desc())


def history(lab: str | None, student: Students = None) -> Select[Any]:
    """Scores of one lab or all, of one student or several or all."""
    return narrowed(scores(), SCORES, lab, student)


def latest_all(lab: str | None, engine: EngineKind | None) -> Select[Any]:
    """The newest score of every student and lab."""
    newest = narrowed(select(func.max(SCORES.c.id)).group_by(SCORES.c.lab, SCORES.c.student), SCORES, lab)
    if engine is not None:
        newest = newest.where(SCORES.c.engine == engine)
    return scores().where(SCORES.c.id.in_(newest))


def comparable(lab: str | None, student: str | None = None) -> Select[Any]:
    """The newest score of every submission to the current version of its lab, one for each device."""
    current = _current_labs(lab)
    newest = narrowed(select(func.max(SCORES.c.id)), SCORES, lab).group_by(
        SCORES.c.submission_id, SCORES.c.lab_code, SCORES.c.engine, SCORES.c.device
    )
    same_code = (SCORES.c.lab == current.c.lab) & (SCORES.c.lab_code == current.c.lab_code)
    found = scores(_WITH_SUBMISSION.join(current, same_code)).where(SCORES.c.id.in_(newest))
    return narrowed(found, SCORES, None, student)


def left_out(lab: str | None) -> Select[int]:
    """How many scores are of an older version of their lab."""
    current = _current_labs(lab)
    other_code = (SCORES.c.lab == current.c.lab) & (SCORES.c.lab_code != current.c.lab_code)
    return select(func.count()).select_from(SCORES.join(current, other_code))


def boards(lab: str | None) -> Select[Any]:
    """Of the comparable accepted scores with a speedup, the best of each student for each board, the fastest first."""
    board = (
        SCORES.c.lab,
        SCORES.c.lab_version,
        SUBMISSIONS.c.language,
        SCORES.c.engine,
        SCORES.c.device,
        SCORES.c.speedup_kind,
    )
    fastest_first = (SCORES.c.speedup.desc(), SCORES.c.best_kernel, SCORES.c.id.desc())
    age = func.row_number().over(partition_by=(*board, SCORES.c.student), order_by=fastest_first)
    ranked = (
        comparable(lab)
        .where(SCORES.c.verdict == Verdict.ACCEPTED, SCORES.c.speedup.is_not(None))
        .order_by(None)
        .with_only_columns(SCORES.c.id, age.label("rank"))
        .subquery()
    )
    best = scores().where(SCORES.c.id.in_(select(ranked.c.id).where(ranked.c.rank == 1)))
    return best.order_by(None).order_by(SCORES.c.speedup.desc(), SCORES.c.id.desc())


def flagged(lab: str | None) -> Select[Any]:
    """The comparable scores with a flag, the oldest first."""
    return comparable(lab).where(SCORES.c.flag_kernel.is_not(None)).order_by(None).order_by(SCORES.c.id)


def _current_labs(lab: str | None) -> CTE:
    """The code version of each lab that its newest score has."""
    newest = narrowed(select(func.max(SCORES.c.id)).group_by(SCORES.c.lab), SCORES, lab)
    found = select(SCORES.c.lab, SCORES.c.lab_code).where(SCORES.c.id.in_(newest))
    # Without the word SQLite looks up the newest score again for every score.
    return found.cte("current_labs").prefix_with("MATERIALIZED")
