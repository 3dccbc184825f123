"""The conformance suites of the store's ports.

A test class inherits from them and provides the fixture ``store``, an empty store.
"""

import math
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from grader.model.review import Decision as FlagDecision
from grader.model.verdict import Verdict
from grader.store.ports import Store
from grader.store.rulings import (
    BoardChoice,
    BoardFreeze,
    Erasure,
    ErasureRequest,
    Excuse,
    Extension,
    FlagReview,
    LineComment,
    Override,
    Publication,
    RegradeAnswer,
    RegradeOutcome,
    RegradeRequest,
)
from grader.store.values import Event, EventKind
from tests.store.examples import (
    H200,
    NOON,
    T4,
    decision,
    facts,
    facts_key,
    fast_report,
    key_of,
    minutes,
    new_score,
    put_score,
    submission,
)
from tests.store.job_contract import JobsContract, WorkersContract
from tools.messages import english

CLEARED = FlagReview(outcome=FlagDecision.CLEARED, lab_code="code", engine=T4)


class SubmissionsContract:
    """What every ``Submissions`` does."""

    def test_files_come_back_byte_for_byte_in_order(self, store: Store) -> None:
        received = submission()
        store.submissions.put(received, NOON)
        assert store.submissions.files(key_of(received)) == received.files

    def test_a_submission_is_found_by_its_key(self, store: Store) -> None:
        kept = store.submissions.put(submission(), NOON)
        assert kept.submitted_at == NOON
        assert kept.path == submission().path
        assert store.submissions.find(key_of(submission())) == kept

    def test_an_unknown_submission_is_none_without_files(self, store: Store) -> None:
        assert store.submissions.find(key_of(submission())) is None
        assert store.submissions.files(key_of(submission())) == ()

    def test_the_same_work_again_is_one_submission(self, store: Store) -> None:
        first = store.submissions.put(submission(), NOON)
        assert store.submissions.put(submission(), minutes(5)) == first
        assert store.submissions.list() == (first,)

    def test_files_that_were_missing_are_added(self, store: Store) -> None:
        full = submission(text="work")
        other = submission("student-02", text="work")
        store.submissions.put(full, NOON)
        store.submissions.put(other, NOON)
        assert store.submissions.files(key_of(other)) == other.files

    def test_submissions_are_listed_in_the_order_they_came(self, store: Store) -> None:
        one = store.submissions.put(submission(text="one"), minutes(9))
        two = store.submissions.put(submission(text="two"), minutes(1))
        other = store.submissions.put(submission("student-02", "matmul"), NOON)
        assert store.submissions.list() == (one, two, other)
        assert store.submissions.list(lab="row-sum") == (one, two)
        assert store.submissions.list(student="student-02") == (other,)

    def test_names_may_hold_anything_printable(self, store: Store) -> None:
        odd = submission("Zoë 'O\"Neil'; DROP TABLE <b>👩‍💻</b> \\xff =1+1")
        assert store.submissions.find(key_of(odd)) is None
        assert store.submissions.put(odd, NOON).key.student == odd.student

    def test_a_time_without_a_zone_is_refused(self, store: Store) -> None:
        with pytest.raises(ValueError, match="time zone"):
            store.submissions.put(submission(), NOON.replace(tzinfo=None))
        assert store.submissions.list() == ()

    def test_a_time_in_another_zone_is_the_same_instant(self, store: Store) -> None:
        local = NOON.astimezone(timezone(timedelta(hours=9)))
        assert store.submissions.put(submission(), local).submitted_at == NOON


class LabVersionsContract:
    """What every ``LabVersions`` does."""

    def test_the_parts_of_a_version_are_kept_once(self, store: Store) -> None:
        store.lab_versions.put("version", {"cases.medium": "aa", "tolerance": "bb"})
        store.lab_versions.put("version", {"cases.medium": "cc"})
        assert store.lab_versions.parts("version") == {"cases.medium": "aa", "tolerance": "bb"}

    def test_an_unknown_version_has_no_parts(self, store: Store) -> None:
        assert store.lab_versions.parts("version") == {}


class FactsContract:
    """What every ``FactsStore`` does."""

    def test_facts_are_found_by_their_key_as_they_were_put(self, store: Store) -> None:
        kept = facts(submission(), b"\0\xff bytes")
        assert store.facts.put(kept) == kept
        assert store.facts.find(kept.key) == kept
        assert store.facts.read(kept.key.digest) == kept

    @pytest.mark.parametrize(
        "change",
        [
            {"submission": "other"},
            {"lab": "matmul"},
            {"lab_code": "other"},
            {"engine": H200},
            {"engine": replace(T4, device="Tesla V100")},
            {"toolchain": "other"},
            {"trusted": True},
        ],
        ids=str,
    )
    def test_another_run_has_other_facts(self, store: Store, change: Mapping[str, Any]) -> None:
        kept = store.facts.put(facts(submission()))
        assert store.facts.find(replace(kept.key, **change)) is None

    def test_the_first_facts_of_a_key_stay(self, store: Store) -> None:
        first = store.facts.put(facts(submission(), b"first"))
        assert store.facts.put(facts(submission(), b"second")) == first

    def test_facts_are_replaced_on_request(self, store: Store) -> None:
        store.facts.put(facts(submission(), b"first"))
        second = facts(submission(), b"second")
        assert store.facts.put(second, replace=True) == second
        assert store.facts.find(second.key) == second

    def test_known_names_the_keys_that_have_facts(self, store: Store) -> None:
        kept = store.facts.put(facts(submission()))
        others = [facts_key(submission(text=str(number))) for number in range(1200)]
        assert store.facts.known([*others, kept.key]) == {kept.key}


class ScoresContract:
    """What every ``Scores`` does."""

    def test_a_score_comes_back_with_its_report(self, store: Store) -> None:
        work, report = submission(), fast_report(submission(), verdict=Verdict.WRONG)
        kept = put_score(store, work, report)
        assert store.scores.report(kept) == report
        assert store.scores.latest("student-01", "row-sum") == kept
        assert (kept.verdict, kept.score, kept.created_at) == (Verdict.WRONG, 70.5, NOON)
        assert (english(kept.reason), kept.flag, kept.best) == (
            english(report.reason),
            None,
            None,
        )

    def test_the_best_accepted_kernel_is_in_the_score(self, store: Store) -> None:
        report = fast_report(submission(), speedup=3.0)
        best = put_score(store, submission(), report).best
        assert best is not None
        assert (best.kernel, best.speedup) == (report.kernels[0].name, report.kernels[0].speedup)

    def test_a_flag_is_in_the_score(self, store: Store) -> None:
        report = fast_report(submission(), verdict=Verdict.SUSPICIOUS)
        flag = put_score(store, submission(), report).flag
        assert flag is not None
        assert (flag.kernel, english(flag.reason)) == (
            report.kernels[0].name,
            english(report.kernels[0].reason),
        )

    @pytest.mark.parametrize("score", [math.inf, math.nan])
    def test_a_number_that_json_lacks_is_refused(self, store: Store, score: float) -> None:
        store.submissions.put(submission(), NOON)
        with pytest.raises(ValueError, match="JSON"):
            store.scores.put(new_score(submission(), fast_report(submission(), score=score)), NOON)
        assert store.scores.history() == ()

    def test_a_score_needs_a_stored_submission(self, store: Store) -> None:
        with pytest.raises(ValueError, match="submission"):
            store.scores.put(new_score(submission()), NOON)

    def test_a_score_needs_stored_facts(self, store: Store) -> None:
        store.submissions.put(submission(), NOON)
        with pytest.raises(ValueError, match="facts"):
            store.scores.put(new_score(submission(), facts="f" * 64), NOON)
        assert store.events.list()[0].kind is EventKind.SUBMITTED

    def test_a_score_is_found_by_facts_and_rubric(self, store: Store) -> None:
        kept = store.facts.put(facts(submission()))
        key = kept.key.digest
        by_rubric = {
            rubric: put_score(store, submission(), facts=key, rubric=rubric) for rubric in ("old", "new")
        }
        find = store.scores.find
        assert find(key_of(submission()), key, "old") == by_rubric["old"]
        assert find(key_of(submission()), key, "other") is None
        assert find(key_of(submission()), None, "old") is None
        assert find(key_of(submission("student-02")), key, "old") is None

    def test_of_two_equal_runs_the_newer_score_is_found(self, store: Store) -> None:
        put_score(store, submission())
        newer = put_score(store, submission())
        assert store.scores.find(key_of(submission()), None, "rubric") == newer

    def test_the_latest_score_is_the_one_put_last(self, store: Store) -> None:
        put_score(store, submission(text="one"))
        second = put_score(store, submission(text="two"))
        assert store.scores.latest("student-01", "row-sum") == second
        assert store.scores.latest("student-01", "matmul") is None
        assert store.scores.latest("student-99", "row-sum") is None

    def test_latest_all_has_one_score_for_each_student_and_lab(self, store: Store) -> None:
        put_score(store, submission("b", text="old"))
        b = put_score(store, submission("b", text="new"))
        a = put_score(store, submission("a"))
        other = put_score(store, submission("c", "matmul"))
        assert store.scores.latest_all() == (other, a, b)
        assert store.scores.latest_all(lab="row-sum") == (a, b)
        assert store.scores.latest_all(lab="transpose") == ()

    def test_latest_all_of_one_engine_ignores_the_other(self, store: Store) -> None:
        measured = put_score(store, submission(), engine=H200)
        modelled = put_score(store, submission())
        assert store.scores.latest_all(engine=H200.kind) == (measured,)
        assert store.scores.latest_all() == (modelled,)

    def test_the_history_has_every_score_the_newest_first(self, store: Store) -> None:
        first, again = put_score(store, submission()), put_score(store, submission())
        other = put_score(store, submission("student-02", "matmul"))
        assert store.scores.history() == (other, again, first)
        assert store.scores.history(lab="row-sum") == (again, first)
        assert store.scores.history(student="student-02") == (other,)

    def test_many_reports_come_back_by_score(self, store: Store) -> None:
        kept = [put_score(store, submission(text=str(number))) for number in range(120)]
        reports = store.scores.reports(kept)
        assert set(reports) == {score.id for score in kept}

    def test_every_submission_of_a_student_is_comparable(self, store: Store) -> None:
        first, second = put_score(store, submission(text="one")), put_score(store, submission(text="two"))
        assert store.scores.comparable() == (second, first)

    def test_scores_of_an_older_lab_are_left_out_and_counted(self, store: Store) -> None:
        for name in ("a", "b"):
            put_score(store, submission(name), lab_code="old")
        new = put_score(store, submission("c"), lab_code="new")
        other = put_score(store, submission("a", "matmul"), lab_code="old")
        found = store.scores.comparable()
        assert (found, store.scores.left_out()) == ((other, new), 2)
        assert store.scores.left_out("matmul") == 0

    def test_of_two_scores_of_a_submission_the_newer_counts(self, store: Store) -> None:
        put_score(store, submission(), rubric="old")
        again = put_score(store, submission(), rubric="new")
        assert store.scores.comparable() == (again,)

    def test_each_device_s_score_of_a_submission_counts(self, store: Store) -> None:
        modelled, measured = put_score(store, submission()), put_score(store, submission(), engine=H200)
        assert store.scores.comparable() == (measured, modelled)

    def test_a_board_has_each_student_s_fastest(self, store: Store) -> None:
        slow, fast = submission(text="slow"), submission(text="fast")
        best = put_score(store, fast, fast_report(fast, speedup=3.0))
        put_score(store, slow, fast_report(slow, speedup=2.0))
        other = submission("student-02")
        second = put_score(store, other, fast_report(other, speedup=2.5))
        assert store.scores.boards() == (best, second)
        assert store.scores.boards("matmul") == ()

    def test_a_board_has_only_accepted_comparable_scores(self, store: Store) -> None:
        old, wrong, flagged = submission(text="old"), submission(text="wrong"), submission(text="flagged")
        put_score(store, old, lab_code="old")
        put_score(store, wrong, fast_report(wrong, verdict=Verdict.WRONG))
        put_score(store, flagged, fast_report(flagged, verdict=Verdict.SUSPICIOUS))
        assert store.scores.boards() == ()

    @pytest.mark.parametrize("newer", ["rejected", "slower"])
    def test_a_board_goes_by_the_newest_score_of_a_submission(self, store: Store, newer: str) -> None:
        put_score(store, submission(), fast_report(submission(), speedup=9.0))
        verdict = Verdict.WRONG if newer == "rejected" else Verdict.ACCEPTED
        again = put_score(store, submission(), fast_report(submission(), verdict=verdict, speedup=2.0))
        assert store.scores.boards() == (() if newer == "rejected" else (again,))

    def test_versions_devices_and_languages_have_boards_of_their_own(self, store: Store) -> None:
        kept = [
            put_score(store, submission(), fast_report(submission(), lab_version="1.0")),
            put_score(store, submission(text="2"), fast_report(submission(text="2"), lab_version="2.0")),
            put_score(store, submission(), engine=H200),
        ]
        assert {score.id for score in store.scores.boards()} == {score.id for score in kept}

    def test_flagged_scores_come_with_the_decisions_about_them(self, store: Store) -> None:
        works = [submission(text=text) for text in ("one", "two")]
        one, two = (put_score(store, work, fast_report(work, verdict=Verdict.SUSPICIOUS)) for work in works)
        put_score(store, submission("student-02"))
        cleared = decision(CLEARED, works[1])
        store.decisions.add(cleared)
        found = store.scores.flagged()
        assert [(each.score, each.decisions) for each in found] == [(one, ()), (two, (cleared,))]
        assert store.scores.flagged("matmul") == ()


class DecisionsContract:
    """What every ``Decisions`` does."""

    @pytest.mark.parametrize(
        "ruling",
        [
            CLEARED,
            Override(points=12.5, comment="paper version"),
            Override(verdict=Verdict.ACCEPTED),
            Excuse(),
            Extension(until=NOON),
            Extension(days=2),
            LineComment(file="caf\xe9.cu", line=3, text="späť"),
            RegradeRequest(),
            RegradeAnswer(accepted=True),
            RegradeOutcome(regrade=1, applied=False, before=0.1, after=0.3),
            Publication(published=True),
            BoardChoice(nickname="Zaphod", shown=True),
            BoardFreeze(frozen=True),
            ErasureRequest(),
            Erasure(),
        ],
        ids=lambda ruling: type(ruling).__name__,
    )
    def test_a_decision_comes_back_as_it_was_added(self, store: Store, ruling: Any) -> None:
        added = decision(ruling, submission())
        store.decisions.add(added)
        assert store.decisions.list() == (added,)

    def test_decisions_are_listed_in_the_order_they_were_made(self, store: Store) -> None:
        first, second = decision(Excuse()), decision(CLEARED, submission())
        other = decision(Excuse(), student="student-02", lab="matmul")
        for each in (first, other, second):
            store.decisions.add(each)
        assert store.decisions.list(student="student-01") == (first, second)
        assert store.decisions.list(lab="matmul") == (other,)

    def test_a_flag_review_holds_whichever_rubric_scored(self, store: Store) -> None:
        score = put_score(store, submission(), rubric="other")
        assert decision(CLEARED, submission()).applies_to(score)

    @pytest.mark.parametrize(
        "change",
        [
            {"lab_code": "other"},
            {"engine": H200},
            {"key": replace(key_of(submission()), digest="other")},
            {"key": replace(key_of(submission()), student="student-02")},
        ],
        ids=str,
    )
    def test_a_flag_review_is_of_one_work_lab_code_and_device(
        self, store: Store, change: Mapping[str, Any]
    ) -> None:
        score = replace(put_score(store, submission()), **change)
        assert not decision(CLEARED, submission()).applies_to(score)

    def test_an_excuse_is_of_everything_for_the_lab(self, store: Store) -> None:
        score = put_score(store, submission(text="anything"), lab_code="any", engine=H200)
        assert decision(Excuse()).applies_to(score)
        assert not decision(Excuse(), lab="matmul").applies_to(score)

    def test_decisions_are_paged_from_the_newest(self, store: Store) -> None:
        made = [decision(Override(points=number), student=f"s{number % 2}") for number in range(5)]
        for each in made:
            store.decisions.add(each)
        assert store.decisions.newest(skip=1, limit=2) == (made[3], made[2])
        assert store.decisions.newest(student="s1") == (made[3], made[1])
        assert (store.decisions.count(), store.decisions.count(student="s1")) == (5, 2)
        assert store.decisions.newest(skip=5) == ()


class EventsContract:
    """What every ``Events`` does."""

    def test_each_change_leaves_an_event(self, store: Store) -> None:
        kept = store.facts.put(facts(submission()))
        put_score(store, submission(), facts=kept.key.digest)
        put_score(store, submission(), facts=kept.key.digest, rubric="new")
        store.decisions.add(decision(CLEARED, submission()))
        kinds = [EventKind.DECIDED, EventKind.RESCORED, EventKind.GRADED, EventKind.SUBMITTED]
        assert [event.kind for event in store.events.list()] == kinds

    def test_events_are_listed_newest_first_up_to_a_limit(self, store: Store) -> None:
        events = [
            Event(
                kind=EventKind.GRADED, at=minutes(number), student=f"s{number % 2}", lab="row-sum", who="ci"
            )
            for number in range(4)
        ]
        for event in events:
            store.events.add(event)
        assert store.events.list(limit=3) == tuple(reversed(events[1:]))
        assert store.events.list(student="s1") == (events[3], events[1])
        assert store.events.list(lab="matmul") == ()

    def test_a_student_has_another_revision_after_each_event(self, store: Store) -> None:
        put_score(store, submission("ada"))
        put_score(store, submission("bob"))
        before = store.events.revisions()
        store.decisions.add(decision(Override(points=1), submission("ada")))
        after = store.events.revisions()
        assert before.keys() == after.keys() == {"ada", "bob"}
        assert before["ada"] != after["ada"]
        assert before["bob"] == after["bob"]


class RatesContract:
    """What every ``Rates`` does."""

    def test_after_a_burst_one_use_comes_back_in_each_interval(self, store: Store) -> None:
        waits = [store.rates.take("ada", 3, 100.0) for _ in range(4)]
        assert waits[:3] == [0.0, 0.0, 0.0]
        assert 90 < waits[3] <= 100
        assert 90 < store.rates.take("ada", 3, 100.0) <= 100

    def test_a_use_comes_back_after_its_interval(self, store: Store) -> None:
        assert [store.rates.take("ada", 1, 0.05), store.rates.take("ada", 1, 0.05) > 0] == [0.0, True]
        time.sleep(0.06)
        assert store.rates.take("ada", 1, 0.05) == 0.0

    def test_each_key_has_a_bucket_of_its_own(self, store: Store) -> None:
        assert store.rates.take("ada", 1, 100.0) == 0.0
        assert store.rates.take("bob", 1, 100.0) == 0.0
        assert store.claims.claim("ada", "somebody", 60)

    def test_uses_at_once_keep_to_the_burst(self, store: Store) -> None:
        with ThreadPoolExecutor(8) as pool:
            waits = list(pool.map(lambda _: store.rates.take("ada", 5, 100.0), range(16)))
        assert waits.count(0.0) == 5


class ClaimsContract:
    """What every ``Claims`` does."""

    def test_a_claim_keeps_others_out(self, store: Store) -> None:
        assert store.claims.claim("a", "left", 60)
        assert not store.claims.claim("a", "right", 60)
        assert store.claims.claim("b", "right", 60)

    def test_an_owner_may_claim_again(self, store: Store) -> None:
        assert store.claims.claim("a", "left", 60)
        assert store.claims.claim("a", "left", 60)

    def test_a_lapsed_lease_is_free(self, store: Store) -> None:
        assert store.claims.claim("a", "left", -1)
        assert store.claims.holder("a") is None
        assert store.claims.claim("a", "right", 60)
        holder = store.claims.holder("a")
        assert holder is not None
        assert holder.owner == "right"

    def test_a_heartbeat_extends_every_claim_of_its_owner(self, store: Store) -> None:
        for key in ("a", "b"):
            store.claims.claim(key, "left", -1)
        store.claims.claim("c", "right", -1)
        assert store.claims.extend("left", 60) == 2
        assert not store.claims.claim("a", "right", 60)
        assert store.claims.holder("c") is None

    def test_a_key_may_be_long(self, store: Store) -> None:
        assert store.claims.claim("key " * 100, "left", 60)
        assert not store.claims.claim("key " * 100, "right", 60)

    def test_only_the_owner_releases_a_claim(self, store: Store) -> None:
        store.claims.claim("a", "left", 60)
        assert not store.claims.release("a", "right")
        assert store.claims.release("a", "left")
        assert store.claims.claim("a", "right", 60)


class RetentionContract:
    """What leaves a store, and what stays."""

    def test_forgetting_a_student_leaves_no_trace_of_them(self, store: Store) -> None:
        work = submission()
        kept = store.facts.put(facts(work))
        put_score(store, work, facts=kept.key.digest)
        store.decisions.add(decision(CLEARED, work))
        assert store.forget("student-01") == 1
        assert store.forget("student-01") == 0
        assert (store.scores.history(), store.decisions.list(), store.submissions.list()) == ((), (), ())
        assert store.facts.find(kept.key) is None
        (event,) = store.events.list()
        assert (event.kind, event.student) == (EventKind.FORGOTTEN, "")

    def test_forgetting_a_student_leaves_the_others(self, store: Store) -> None:
        mine, theirs = submission(), submission("student-02")
        kept = store.facts.put(facts(mine))
        for work in (mine, theirs):
            put_score(store, work, facts=kept.key.digest)
        elsewhere = put_score(store, submission(lab="matmul"))
        assert store.forget("student-01", "row-sum") == 1
        assert store.facts.find(kept.key) == kept
        assert store.submissions.files(key_of(theirs)) == theirs.files
        assert [score.key.student for score in store.scores.latest_all()] == ["student-01", "student-02"]
        assert store.scores.latest("student-01", "matmul") == elsewhere

    def test_nothing_is_removed_without_pruning(self, store: Store) -> None:
        for number in range(60):
            put_score(store, submission(text=str(number)))
        assert len(store.scores.history()) == 60

    def test_pruning_keeps_the_newest_scores_of_each_work(self, store: Store) -> None:
        old_facts = store.facts.put(facts(submission(text="0")))
        shared = store.facts.put(facts(submission(text="shared")))
        put_score(store, submission(text="0"), facts=old_facts.key.digest)
        put_score(store, submission(text="shared"), facts=shared.key.digest)
        newest = [put_score(store, submission(text="shared"), facts=shared.key.digest) for _ in range(2)]
        other = put_score(store, submission("student-02"))
        assert store.prune(2) == 2
        assert store.scores.history() == (other, *reversed(newest))
        assert store.facts.find(old_facts.key) is None
        assert store.facts.find(shared.key) == shared
        assert len(store.submissions.list()) == 3
        assert store.events.list()[0].kind is EventKind.PRUNED
        assert store.prune(2) == 0

    def test_pruning_everything_is_refused(self, store: Store) -> None:
        with pytest.raises(ValueError, match="at least one"):
            store.prune(0)


class StoreContract(
    SubmissionsContract,
    LabVersionsContract,
    FactsContract,
    ScoresContract,
    DecisionsContract,
    EventsContract,
    ClaimsContract,
    RatesContract,
    RetentionContract,
    JobsContract,
    WorkersContract,
):
    """Everything that every store does."""
