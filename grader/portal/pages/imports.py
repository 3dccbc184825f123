"""Submissions from other systems: an archive is shown with what it holds before it is taken in, and then graded."""

from starlette.responses import Response

from grader.course import queue
from grader.course.course_labs import student_labs
from grader.course.queue import QueueRequest
from grader.course.receive import receive
from grader.course.received_work import received_work
from grader.course.reception import ReceiveRequest, Reception
from grader.course.rules import course_of
from grader.course.select import Selection
from grader.lms.archives.registry import installed
from grader.policy.access import Scope
from grader.portal import drafts
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, chosen_file, done_or_again, shown_or_again
from grader.portal.page import Page

_HERE = "/imports"


def imports(
    asked: Asked,
    failed: Failed = NOT_FAILED,
    *,
    found: Reception | None = None,
    token: str = "",
    sheet: str = "",
) -> Response:
    """The form, and what an archive holds."""
    return page(
        asked,
        "imports.html.j2",
        labs=student_labs(asked.workspace, course_of(asked.workspace)),
        systems=tuple(installed()),
        found=found,
        fresh=0 if found is None else sum(each.is_new for each in found.arrivals),
        token=token,
        sheet=sheet,
        values=dict(asked.form.fields),
        failed=failed,
    )


def upload(asked: Asked) -> Response:
    """Show what the uploaded archive holds."""

    def show() -> Response:
        token = drafts.keep(asked, chosen_file(asked, "file"))
        sheets = asked.files("sheet")
        sheet = drafts.keep(asked, sheets[0]) if sheets else ""
        found = receive(asked.workspace, _request(asked, token, sheet, dry_run=True))
        return imports(asked, found=found, token=token, sheet=sheet)

    return shown_or_again(asked, "upload", show, imports)


def take(asked: Asked) -> Response:
    """Take in what was shown, and put it into the queue if that was wished."""

    def act() -> str:
        token, sheet = asked.text("token"), asked.text("sheet", default="")
        taken = receive(asked.workspace, _request(asked, token, sheet, dry_run=False))
        drafts.drop(asked, token)
        if asked.ticked("grade") and taken.arrivals:
            labs = {each.attempt.lab for each in taken.arrivals}
            students = {each.attempt.student for each in taken.arrivals}
            selection = Selection(labs=tuple(labs), students=tuple(students))
            queue.submit(
                asked.workspace, QueueRequest(intake=received_work(asked.workspace, selection).intake)
            )
        return "/class"

    return done_or_again(asked, "upload", act, imports)


def _request(asked: Asked, token: str, sheet: str, *, dry_run: bool) -> ReceiveRequest:
    return ReceiveRequest(
        path=drafts.find(asked, token),
        lab=asked.text("lab", default="") or None,
        system=asked.text("system", default="") or None,
        sheet=drafts.find(asked, sheet) if sheet else None,
        file_times=asked.ticked("file_times"),
        dry_run=dry_run,
    )


ROUTES = (
    Page(path=_HERE, endpoint=imports, scope=Scope.EXPORT),
    Page(path=_HERE, endpoint=upload, scope=Scope.EXPORT, methods=("POST",), takes_files=True),
    Page(path=f"{_HERE}/take", endpoint=take, scope=Scope.EXPORT, methods=("POST",)),
)
