"""Grade what waits in the queue of a small course, in this process."""

from datetime import UTC, datetime

from grader.course.job_records import CourseJobs
from grader.course.job_work import open_work
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.execution.ticket import Reply
from grader.model.needs import ComputeDevice, Needs

CPU = ComputeDevice(id="cpu", engine="emulator", model="Tesla T4")


def grade_queue(workspace: Workspace) -> int:
    """Grade every job that waits, on the emulator. Returns: how many that were."""
    done = 0
    with Records(workspace) as records, open_work(CPU) as work:
        jobs, handler = records.store.jobs, CourseJobs(workspace, records.store)
        while (job := jobs.claim("test", [*jobs.waiting_needs(), Needs()])) is not None:
            reply = Reply.decode(work(handler.ticket(job).encode()))
            assert jobs.record(job.id, job.attempts, handler.record(job, reply), datetime.now(UTC))
            done += 1
    return done
