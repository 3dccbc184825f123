"""The conformance suites of the ports of the queue. A test class provides the fixture ``store``, an empty store."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from grader.errors import UserError
from grader.model.needs import ComputeDevice, Needs
from grader.model.stage import Stage
from grader.store.job_values import (
    MAX_ATTEMPTS,
    AttemptJob,
    Job,
    JobEventKind,
    JobRecord,
    JobState,
    Lane,
    NewJob,
    WorkerEntry,
)
from grader.store.ports import Store
from tests.store import examples
from tests.store.examples import NOON, facts, key_of, new_score, submission

ANY = Needs()
H100 = Needs(engine="cuda", device="H100")


def submit(store: Store, student: str = "student-01", text: str = "kernel", **job: Any) -> Job:
    """Submit to the queue at noon."""
    lab = job.pop("lab", "row-sum")
    return store.jobs.submit(submission(student, lab, text=text), NewJob(**{"seed": 2**127, **job}), NOON)


def submit_attempt(store: Store, source: str, *, seen: int = 0, text: str = "kernel") -> AttemptJob | None:
    """Submit an attempt with its job."""
    work = submission(text=text)
    return store.jobs.submit_attempt(
        work, examples.attempt(source=source, submission=work.digest), NewJob(seed=1), seen=seen
    )


def claim(store: Store, *needs: Needs) -> Job:
    """The next job; there is one."""
    job = store.jobs.claim("d", needs or (ANY, H100))
    assert job is not None
    return job


def record(store: Store, job: Job, seconds: float = 2.0) -> Any:
    """Record a result of the current attempt at ``job``."""
    work = submission(job.key.student, job.key.lab)
    found = facts(work)
    result = JobRecord(
        facts=found, score=new_score(work, facts=found.key.digest), device="Tesla T4", seconds=seconds
    )
    return store.jobs.record(job.id, job.attempts, result, NOON)


def state(store: Store, job: Job) -> JobState:
    """The state of ``job`` now."""
    found = store.jobs.find(job.id)
    assert found is not None
    return found.state


class JobsContract:
    """What every ``Jobs`` does."""

    def test_a_job_comes_with_its_submission(self, store: Store) -> None:
        job = submit(store, needs=H100, trusted=True)
        assert (job.key, job.seed, job.needs, job.trusted) == (key_of(submission()), 2**127, H100, True)
        assert store.submissions.files(job.key) == submission().files
        assert store.jobs.find(job.id) == job
        assert store.jobs.find(job.id + 1) is None

    def test_a_job_that_cannot_be_added_leaves_no_submission(self, store: Store) -> None:
        with pytest.raises(ValueError, match="time zone"):
            submit(store, not_before=datetime(2026, 1, 1))  # noqa: DTZ001 - the column refuses it
        assert store.submissions.list() == ()

    def test_lanes_run_by_their_priority(self, store: Store) -> None:
        jobs = [submit(store, f"s{lane}", lane=lane) for lane in reversed(Lane)]
        assert [claim(store).id for _ in jobs] == [job.id for job in reversed(jobs)]
        assert store.jobs.claim("d", [ANY]) is None

    def test_a_student_with_many_jobs_does_not_delay_another(self, store: Store) -> None:
        many = [submit(store, "many", lab=lab) for lab in ("a", "b", "c")]
        one = submit(store, "one")
        assert [claim(store).id for _ in range(4)] == [many[0].id, one.id, many[1].id, many[2].id]

    def test_a_late_student_does_not_pass_those_before(self, store: Store) -> None:
        for lab in ("a", "b", "c"):
            submit(store, "many", lab=lab)
        claim(store)
        claim(store)
        late = submit(store, "late")
        assert [claim(store).key.student, claim(store).id] == ["many", late.id]

    def test_only_the_newest_of_a_burst_waits(self, store: Store) -> None:
        running = submit(store, text="0")
        claim(store)
        older, other = submit(store, text="1"), submit(store, lab="matmul")
        newest = submit(store, text="2")
        states = [state(store, each) for each in (running, older, newest, other)]
        expected = [JobState.RUNNING, JobState.SUPERSEDED, JobState.WAITING, JobState.WAITING]
        assert states == expected
        assert store.jobs.events(older.id)[-1].kind is JobEventKind.SUPERSEDED

    def test_a_regrade_of_all_attempts_supersedes_none(self, store: Store) -> None:
        jobs = [submit(store, text=str(each), lane=Lane.CLASS, replaces=False) for each in range(3)]
        assert [state(store, job) for job in jobs] == [JobState.WAITING] * 3

    def test_the_same_submission_again_is_the_same_job(self, store: Store) -> None:
        job = submit(store)
        assert submit(store).id == job.id
        assert submit(store, lane=Lane.CLASS).id != job.id
        assert submit(store, needs=H100).id != job.id

    def test_an_attempt_comes_with_its_submission_and_job(self, store: Store) -> None:
        made = submit_attempt(store, "portal 1")
        assert made is not None
        assert made.is_new
        assert store.attempts.recorded("student-01", "row-sum") == (made.attempt,)
        assert store.attempts.find(made.attempt.id) == made.attempt
        assert store.attempts.find(made.attempt.id + 1) is None
        assert store.jobs.list() == (made.job,)
        assert store.jobs.newest(key_of(submission())) == made.job
        assert store.submissions.files(made.job.key) == submission().files

    def test_the_same_source_is_the_same_attempt_for_ever(self, store: Store) -> None:
        made = submit_attempt(store, "portal 1")
        assert made is not None
        record(store, claim(store))
        submit_attempt(store, "portal 2", seen=1, text="other")
        again = submit_attempt(store, "portal 1", seen=7)
        assert again is not None
        assert (again.attempt, again.is_new, again.job.state) == (made.attempt, False, JobState.DONE)
        with pytest.raises(ValueError, match="another submission"):
            submit_attempt(store, "portal 1", text="changed")

    def test_the_same_content_is_the_same_attempt_while_it_waits(self, store: Store) -> None:
        made = submit_attempt(store, "portal 1")
        again = submit_attempt(store, "portal 2", seen=1)
        assert made is not None
        assert again is not None
        assert (again.attempt, again.is_new) == (made.attempt, False)
        record(store, claim(store))
        later = submit_attempt(store, "portal 3", seen=1)
        assert later is not None
        assert later.is_new
        assert len(store.jobs.list()) == 2

    def test_an_attempt_that_the_caller_has_not_seen_stops_another(self, store: Store) -> None:
        submit_attempt(store, "portal 1")
        assert submit_attempt(store, "portal 2", seen=0, text="other") is None
        assert len(store.attempts.list()) == len(store.jobs.list()) == 1

    def test_attempts_at_once_of_one_source_are_one(self, store: Store) -> None:
        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda _: submit_attempt(store, "portal 1"), range(8)))
        assert [each.is_new for each in made if each is not None].count(True) == 1
        assert len(store.attempts.list()) == len(store.jobs.list()) == 1

    def test_a_job_is_cancelled_only_in_the_named_states(self, store: Store) -> None:
        job = submit(store)
        claim(store)
        assert not store.jobs.cancel(job.id, [JobState.WAITING])
        assert state(store, job) is JobState.RUNNING

    def test_submissions_at_once_leave_one_job_waiting(self, store: Store) -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: submit(store, text=str(number)), range(12)))
        assert len(store.jobs.list([JobState.WAITING])) == 1
        assert len(store.jobs.list()) == 12

    def test_two_callers_never_claim_the_same_job(self, store: Store) -> None:
        jobs = {submit(store, f"s{number}").id for number in range(20)}
        with ThreadPoolExecutor(4) as pool:
            claimed = list(pool.map(lambda _: claim(store).id, range(20)))
        assert sorted(claimed) == sorted(jobs)

    def test_a_job_is_claimed_only_for_its_needs(self, store: Store) -> None:
        gpu, anywhere = submit(store, needs=H100), submit(store, lab="matmul")
        assert store.jobs.waiting_needs() == {ANY, H100}
        assert claim(store, ANY).id == anywhere.id
        assert store.jobs.claim("d", [ANY]) is None
        assert claim(store, H100).id == gpu.id

    def test_a_job_does_not_start_before_its_time(self, store: Store) -> None:
        submit(store, not_before=datetime.now(UTC) + timedelta(hours=1))
        assert store.jobs.claim("d", [ANY]) is None
        now = submit(store, "other")
        assert claim(store).id == now.id

    def test_the_place_counts_the_jobs_before(self, store: Store) -> None:
        done = submit(store, "s0")
        record(store, claim(store), seconds=3.0)
        jobs = [submit(store, f"s{number}") for number in range(1, 4)]
        urgent = submit(store, "staff", lane=Lane.STAFF)
        places = [store.jobs.place(job.id) for job in (*jobs, urgent)]
        assert [place and place.ahead for place in places] == [0, 1, 2, 3]
        assert store.jobs.place(done.id) is None
        assert places[2] is not None
        assert places[2].seconds is None
        entry = WorkerEntry(name="w", host="h", device=ComputeDevice(id="cpu", engine="emulator"), since=NOON)
        store.workers.replace([entry])
        place = store.jobs.place(jobs[2].id)
        assert place is not None
        assert place.seconds == 9.0

    def test_progress_is_that_of_the_newest_job_of_each_attempt(self, store: Store) -> None:
        first, other = submit_attempt(store, "portal 1"), submit_attempt(store, "portal 2", seen=1, text="2")
        assert first is not None
        assert other is not None
        submit(store, "student-02")
        device = ComputeDevice(id="cpu", engine="emulator")
        store.workers.replace([WorkerEntry(name="a", host="h", device=device, since=NOON)])
        unknown = other.attempt.id + 1
        found = store.jobs.progress([first.attempt.id, other.attempt.id, unknown])
        assert found.keys() == {first.attempt.id, other.attempt.id}
        assert (found[first.attempt.id].job.state, found[first.attempt.id].place) == (
            JobState.SUPERSEDED,
            None,
        )
        place = found[other.attempt.id].place
        assert place is not None
        assert place == store.jobs.place(other.job.id)
        assert place.workers == 1

    def test_the_stage_is_that_of_the_attempt_that_runs(self, store: Store) -> None:
        made = submit_attempt(store, "portal 1")
        assert made is not None
        job = claim(store)

        def stage() -> Stage | None:
            return store.jobs.progress([made.attempt.id])[made.attempt.id].stage

        assert stage() is None
        for entered in Stage:
            store.jobs.entered(job.id, job.attempts, entered)
            assert stage() is entered
        store.jobs.entered(job.id, job.attempts + 1, Stage.COMPILING)
        assert stage() is Stage.TIMING
        store.jobs.lost(job.id, job.attempts, "it died", 0)
        store.jobs.entered(job.id, job.attempts, Stage.COMPILING)
        again = claim(store)
        assert (again.attempts, stage()) == (2, None)

    def test_a_result_is_recorded_once(self, store: Store) -> None:
        submit(store)
        job = claim(store)
        score = record(store, job)
        assert score == store.scores.latest("student-01", "row-sum")
        assert store.facts.read(score.facts) is not None
        assert record(store, job) is None
        assert len(store.scores.history()) == 1
        kinds = [event.kind for event in store.jobs.events(job.id)]
        assert kinds == [
            JobEventKind.SUBMITTED,
            JobEventKind.CLAIMED,
            JobEventKind.RECORDED,
            JobEventKind.DISCARDED,
        ]

    def test_results_at_once_are_recorded_once(self, store: Store) -> None:
        submit(store)
        job = claim(store)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: record(store, job), range(4)))
        assert len([score for score in found if score is not None]) == 1
        assert len(store.scores.history()) == 1

    def test_a_result_that_cannot_be_stored_leaves_the_job_running(self, store: Store) -> None:
        submit(store)
        job = claim(store)
        unknown = new_score(submission(), facts="unknown")
        with pytest.raises(ValueError, match="not stored"):
            store.jobs.record(job.id, 1, JobRecord(facts=None, score=unknown, device="T4", seconds=1.0), NOON)
        assert state(store, job) is JobState.RUNNING

    def test_a_late_result_of_a_lost_attempt_counts(self, store: Store) -> None:
        submit(store)
        job = claim(store)
        store.jobs.lost(job.id, 1, "killed", 0.0)
        assert record(store, job) is not None
        assert state(store, job) is JobState.DONE
        assert store.jobs.claim("d", [ANY]) is None

    def test_a_lost_job_waits_and_then_fails(self, store: Store) -> None:
        submit(store)
        for attempt in range(1, MAX_ATTEMPTS + 1):
            job = claim(store)
            assert (job.attempts, job.seed) == (attempt, 2**127)
            left = store.jobs.lost(job.id, attempt, "host lost", 0.0)
            assert left is (JobState.FAILED if attempt == MAX_ATTEMPTS else JobState.WAITING)
        (failed,) = store.jobs.list([JobState.FAILED])
        assert failed.why == "host lost"
        assert store.jobs.lost(failed.id, MAX_ATTEMPTS, "again", 0.0) is None
        assert store.jobs.claim("d", [ANY]) is None
        assert store.jobs.retry(failed.id)
        assert claim(store).attempts == 1

    def test_a_lost_job_pauses(self, store: Store) -> None:
        submit(store)
        store.jobs.lost(claim(store).id, 1, "killed", 3600.0)
        assert store.jobs.claim("d", [ANY]) is None

    def test_a_loss_of_an_older_attempt_changes_nothing(self, store: Store) -> None:
        submit(store)
        store.jobs.lost(claim(store).id, 1, "killed", 0.0)
        again = claim(store)
        assert store.jobs.lost(again.id, 1, "said late", 0.0) is None
        assert state(store, again) is JobState.RUNNING

    def test_a_new_dispatcher_takes_over_what_others_ran(self, store: Store) -> None:
        jobs = [submit(store, f"s{number}") for number in range(3)]
        claim(store)
        claim(store)
        mine = store.jobs.claim("new", [ANY])
        assert mine is not None
        assert store.jobs.take_over("new") == 2
        states = [state(store, job) for job in jobs]
        assert states == [JobState.WAITING, JobState.WAITING, JobState.RUNNING]
        assert store.jobs.events(jobs[0].id)[-1].kind is JobEventKind.TAKEN_OVER

    def test_a_cancelled_job_never_runs_and_keeps_no_result(self, store: Store) -> None:
        waiting, running = submit(store, "s1"), submit(store, "s0", lane=Lane.INTERACTIVE)
        claim(store)
        assert store.jobs.cancel(running.id)
        claimed = store.jobs.find(waiting.id)
        assert claimed is not None
        assert store.jobs.cancel(waiting.id)
        assert not store.jobs.cancel(waiting.id)
        assert record(store, claimed) is None
        assert store.scores.history() == ()
        assert store.jobs.claim("d", [ANY]) is None

    def test_a_job_that_waits_is_not_retried(self, store: Store) -> None:
        assert not store.jobs.retry(submit(store).id)

    def test_jobs_are_listed_in_the_order_they_run(self, store: Store) -> None:
        later = submit(store, "s1", lane=Lane.CLASS)
        first = submit(store, "s2")
        assert store.jobs.list() == (first, later)
        assert store.jobs.list([JobState.WAITING], student="s1") == (later,)
        assert store.jobs.list([JobState.DONE]) == ()

    def test_jobs_are_listed_of_several_students(self, store: Store) -> None:
        made = {student: submit(store, student).id for student in ("ada", "bob", "cyd")}
        found = store.jobs.list(student=frozenset({"ada", "cyd", "eve"}))
        assert {job.id for job in found} == {made["ada"], made["cyd"]}
        assert store.jobs.list(student=frozenset()) == ()

    def test_a_revision_changes_with_the_jobs_in_its_states(self, store: Store) -> None:
        first, second = submit(store, "ada"), submit(store, "ada", "newer", replaces=False)
        ended = [JobState.CANCELLED]
        seen = [store.jobs.revisions(ended)]
        for job in (first, second):
            store.jobs.cancel(job.id)
            seen.append(store.jobs.revisions(ended))
        store.jobs.retry(first.id)
        seen.append(store.jobs.revisions(ended))
        assert seen == [
            {},
            {"ada": (1, first.id)},
            {"ada": (2, first.id + second.id)},
            {"ada": (1, second.id)},
        ]

    def test_forgetting_a_student_removes_their_jobs(self, store: Store) -> None:
        mine, theirs = submit(store), submit(store, "student-02")
        store.forget("student-01")
        assert store.jobs.list() == (theirs,)
        assert store.jobs.events(mine.id) == ()
        assert record(store, mine) is None


class WorkersContract:
    """What every ``Workers`` does."""

    def test_workers_are_those_of_the_last_list(self, store: Store) -> None:
        device = ComputeDevice(
            id="GPU-1", engine="cuda", model="NVIDIA H100", memory_mib=81559, capability=(9, 0)
        )
        one = WorkerEntry(name="a", host="h2", device=device, since=NOON, job=7)
        two = WorkerEntry(name="b", host="h1", device=device, since=NOON, set_aside="fell off the bus")
        store.workers.replace([one])
        store.workers.replace([one, two])
        assert store.workers.list() == (two, one)
        store.workers.replace([])
        assert store.workers.list() == ()

    def test_two_workers_of_one_name_are_refused(self, store: Store) -> None:
        entry = WorkerEntry(name="a", host="h", device=ComputeDevice(id="cpu", engine="emulator"), since=NOON)
        with pytest.raises(UserError):
            store.workers.replace([entry, entry])
