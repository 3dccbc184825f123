"""The store as the services read it: reports after the decisions of staff."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from grader.course.known import Known
from grader.course.rulings import decided
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.report import Report
from grader.model.submission import SourceFile
from grader.store.ports import Store
from grader.store.sql_store import open_store
from grader.store.values import Decision, Flagged, Score, SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A stored score and its report after the decisions of staff."""

    score: Score
    report: Report


class Records:
    """Context manager: the open store of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._is_own = workspace.store is None
        self.store: Store = workspace.store or open_store(workspace.config)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_own:
            self.store.close()

    def latest(self, student: str, lab: str) -> Result:
        """The newest result of one student's work on one lab. Raises: ``UserError`` if there is none."""
        score = self.store.scores.latest(student, lab)
        if score is None:
            msg = f"No submission of {student} is graded for {lab}."
            raise UserError(msg, hint="Grade it with `grader grade PATH`.")
        (result,) = self.results([score])
        return result

    def latest_all(self, labs: Collection[str] = (), students: Collection[str] = ()) -> tuple[Result, ...]:
        """The newest result of every student and lab, or of those named; by lab and student."""
        return self.results(self.latest_scores(labs, students))

    def latest_scores(self, labs: Collection[str] = (), students: Collection[str] = ()) -> tuple[Score, ...]:
        """The scores of ``latest_all``, without their reports."""
        return tuple(
            score
            for score in self.store.scores.latest_all()
            if (not labs or score.key.lab in labs) and (not students or score.key.student in students)
        )

    def states(self) -> dict[tuple[str, str], Known]:
        """Verdict and submission of the newest score of every student and lab."""
        return {
            (score.key.student, score.key.lab): Known(verdict=score.verdict, submission=score.key.digest)
            for score in self.store.scores.latest_all()
        }

    def results(self, scores: Iterable[Score]) -> tuple[Result, ...]:
        """The results of ``scores``, in their order."""
        listed = tuple(scores)
        reports = self.store.scores.reports(listed)
        return self.decided(Result(score=score, report=reports[score.id]) for score in listed)

    def decided(self, graded: Iterable[Result]) -> tuple[Result, ...]:
        """``graded`` results after the decisions of staff."""
        listed = tuple(graded)
        rulings = self.decisions([each.score for each in listed])
        return tuple(
            replace(each, report=decided(each.report, each.score, rulings[_work(each.score)]))
            for each in listed
        )

    def decisions(self, scores: Collection[Score]) -> Mapping[tuple[str, str], Sequence[Decision]]:
        """Every decision about the students and labs of ``scores``, the oldest first."""
        one = set(map(_work, scores))
        student, lab = next(iter(one)) if len(one) == 1 else (None, None)
        found: dict[tuple[str, str], list[Decision]] = defaultdict(list)
        for decision in self.store.decisions.list(lab, student) if scores else ():
            found[decision.student, decision.lab].append(decision)
        return found

    def flagged(self, lab: str | None = None) -> tuple[Flagged, ...]:
        """Comparable scores with a flag, and the decisions about each; the oldest score first."""
        return self.store.scores.flagged(lab)

    def files(self, key: SubmissionKey) -> tuple[SourceFile, ...]:
        """The files of a submission; none if an older release graded it and kept no copy."""
        return self.store.submissions.files(key)


def _work(score: Score) -> tuple[str, str]:
    return score.key.student, score.key.lab
