"""The conformance suite of the port about regrade sets."""

import threading

from grader.model.submission import Submission
from grader.store.ports import Store
from grader.store.regrade_tables import RowState
from grader.store.regrades import Closing, Proposal
from grader.store.rulings import RegradeOutcome
from grader.store.values import Decision
from tests.store.examples import NOON, facts, fast_report, minutes, new_score, put_score, submission

ADA, BOB = submission("ada"), submission("bob")
APPLY = Closing(who="ta", why="new points", at=minutes(9))


def regrade(store: Store, *works: Submission) -> int:
    """A set of the newest scores of ``works``, with a proposal of 90 points for each."""
    keys = {(each.student, each.lab) for each in works}
    newest = [each for each in store.scores.latest_all() if (each.key.student, each.key.lab) in keys]
    made = store.regrades.create(newest, "ta", "new points", NOON, fresh=False)
    assert made is not None
    for work in works:
        assert propose(store, made, work)
    return made


def propose(store: Store, regrade: int, work: Submission, after: float = 90.0) -> bool:
    """Propose ``after`` points for one student's row."""
    (row,) = (each for each in store.regrades.rows(regrade) if each.student == work.student)
    again = facts(work, b"again")
    score = new_score(work, fast_report(work, score=after), facts=again.key.digest)
    return store.regrades.propose(row, Proposal(score=score, facts=again))


def states(store: Store, regrade: int) -> dict[str, RowState]:
    """The state of each student's row."""
    return {row.student: row.state for row in store.regrades.rows(regrade)}


def points(store: Store) -> dict[str, float]:
    """What counts now."""
    return {score.key.student: score.score for score in store.scores.latest_all()}


class RegradesContract:
    """What every ``Regrades`` does."""

    def test_a_proposed_score_counts_nowhere(self, store: Store) -> None:
        before = put_score(store, ADA, fast_report(ADA, score=50.0))
        made = regrade(store, ADA)
        assert store.scores.latest("ada", "row-sum") == before
        assert store.scores.history() == store.scores.comparable() == store.scores.boards() == (before,)
        assert states(store, made) == {"ada": RowState.PROPOSED}

    def test_applied_scores_count_and_are_in_the_audit_list(self, store: Store) -> None:
        put_score(store, ADA, fast_report(ADA, score=50.0))
        made = regrade(store, ADA)
        (row,) = store.regrades.apply(made, APPLY)
        assert (row.student, row.state) == ("ada", RowState.APPLIED)
        assert points(store) == {"ada": 90.0}
        kept = store.facts.read(facts(ADA).key.digest)
        assert kept is not None
        assert kept.data == b"again"
        (decision,) = store.decisions.list()
        assert decision.ruling == RegradeOutcome(regrade=made, applied=True, before=50.0, after=90.0)
        assert (decision.who, decision.why, decision.decided_at) == ("ta", "new points", minutes(9))

    def test_applying_twice_applies_once(self, store: Store) -> None:
        put_score(store, ADA)
        made = regrade(store, ADA)
        assert len(store.regrades.apply(made, APPLY)) == 1
        assert store.regrades.apply(made, APPLY) == ()
        assert store.regrades.discard(made, APPLY) == ()
        assert (len(store.scores.history()), len(store.decisions.list())) == (2, 1)

    def test_rows_are_closed_one_by_one(self, store: Store) -> None:
        for work in (ADA, BOB):
            put_score(store, work, fast_report(work, score=50.0))
        made = regrade(store, ADA, BOB)
        only = Closing(who="ta", why="one", at=NOON, works=frozenset({("bob", "row-sum")}))
        assert [row.student for row in store.regrades.apply(made, only)] == ["bob"]
        assert points(store) == {"ada": 50.0, "bob": 90.0}
        assert [row.student for row in store.regrades.discard(made, APPLY)] == ["ada"]
        assert points(store) == {"ada": 50.0, "bob": 90.0}
        assert states(store, made) == {"ada": RowState.DISCARDED, "bob": RowState.APPLIED}
        assert [_applied(each) for each in store.decisions.list()] == [True, False]
        assert not store.regrades.list()[0].is_open

    def test_newer_work_is_not_replaced(self, store: Store) -> None:
        put_score(store, ADA)
        made = regrade(store, ADA)
        newer = put_score(store, submission("ada", text="newer"), fast_report(ADA, score=70.0))
        (row,) = store.regrades.apply(made, APPLY)
        assert row.state == RowState.SUPERSEDED
        assert store.scores.latest("ada", "row-sum") == newer
        assert store.decisions.list() == ()

    def test_a_row_is_proposed_once(self, store: Store) -> None:
        put_score(store, ADA)
        made = store.regrades.create(store.scores.latest_all(), "ta", "why", NOON, fresh=True)
        assert made is not None
        assert propose(store, made, ADA, 60.0)
        assert not propose(store, made, ADA, 90.0)
        (row,) = store.regrades.rows(made)
        assert row.proposed is not None
        assert row.proposed.report.score == 60.0

    def test_an_unchanged_row_is_closed(self, store: Store) -> None:
        put_score(store, ADA)
        made = store.regrades.create(store.scores.latest_all(), "ta", "why", NOON, fresh=False)
        assert made is not None
        (row,) = store.regrades.rows(made)
        assert store.regrades.settle(row, RowState.UNCHANGED)
        assert not store.regrades.settle(row, RowState.SUPERSEDED)
        assert store.regrades.state(row) == RowState.UNCHANGED
        assert not propose(store, made, ADA)
        assert not store.regrades.list()[0].is_open

    def test_a_student_and_lab_are_in_one_open_set(self, store: Store) -> None:
        scores = [put_score(store, work) for work in (ADA, BOB)]
        made = store.regrades.create(scores[:1], "ta", "why", NOON, fresh=False)
        assert store.regrades.create(scores, "ta", "why", NOON, fresh=False) is None
        assert [each.id for each in store.regrades.list()] == [made]
        assert made is not None
        store.regrades.discard(made, APPLY)
        assert store.regrades.create(scores, "ta", "why", NOON, fresh=False) is not None

    def test_two_who_apply_at_once_apply_each_row_once(self, store: Store) -> None:
        students = [submission(f"student-{number:02}") for number in range(8)]
        for work in students:
            put_score(store, work, fast_report(work, score=50.0))
        made = regrade(store, *students)
        closed: list[str] = []

        def apply() -> None:
            closed.extend(row.student for row in store.regrades.apply(made, APPLY))

        staff = [threading.Thread(target=apply) for _ in range(3)]
        for each in staff:
            each.start()
        for each in staff:
            each.join()
        assert sorted(closed) == [work.student for work in students]
        assert (len(store.scores.history()), len(store.decisions.list())) == (16, 8)

    def test_an_erased_student_leaves_no_row(self, store: Store) -> None:
        for work in (ADA, BOB):
            put_score(store, work)
        made = regrade(store, ADA, BOB)
        store.forget("ada")
        assert states(store, made) == {"bob": RowState.PROPOSED}


def _applied(decision: Decision) -> bool:
    assert isinstance(decision.ruling, RegradeOutcome)
    return decision.ruling.applied
