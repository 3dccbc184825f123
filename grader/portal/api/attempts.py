"""The API about attempts: submit, list, watch, and read what came of one."""

from grader.api.attempts import Attempt, AttemptPage, NewAttempt, Source, State
from grader.course import submit as service
from grader.course.attempt_list import MOST, attempt_list
from grader.course.attempt_view import AttemptView, attempt_view
from grader.course.uploads import Upload, UploadedFile
from grader.course.withdraw import withdraw
from grader.messages import Speech
from grader.policy.access import Scope
from grader.portal.api.answering import number_in
from grader.portal.api.attempt_documents import attempt_of, line_state, source_of
from grader.portal.api.route import Query, Route
from grader.portal.asked import Asked
from grader.portal.rates import UPLOAD
from grader.report.redact import Audience


def submit_attempt(asked: Asked, wanted: NewAttempt | None) -> Attempt:
    """Submit for a lab. The same idempotency key again gives the same attempt."""
    submitted = service.submit(
        asked.workspace,
        asked.visitor.person,
        _form(asked) if wanted is None else _upload(wanted),
        client=service.API,
        key=asked.headers.get("idempotency-key", ""),
    )
    view = attempt_view(
        asked.workspace,
        submitted.attempt,
        asked.now,
        owner=asked.visitor.person,
        audience=Audience.STUDENT,
    )
    return attempt_of(view.student, view.lab, view.line, Speech(asked.visitor.language))


def list_attempts(asked: Asked) -> AttemptPage:
    """Attempts, the newest first: your own, or with `read:course` those of the class."""
    query = asked.query
    found = attempt_list(
        asked.workspace,
        asked.now,
        audience(asked),
        student=owner(asked) or query.get("student"),
        lab=query.get("lab"),
        before=int(query["before"]) if "before" in query else None,
        most=int(query.get("limit", MOST)),
    )
    speech = Speech(asked.visitor.language)
    return AttemptPage(
        attempts=tuple(attempt_of(each.student, each.lab, each.line, speech) for each in found.attempts),
        next=None if found.next is None else str(found.next),
    )


def get_attempt(asked: Asked) -> Attempt:
    """One attempt, and where it is."""
    view = viewed(asked)
    return attempt_of(view.student, view.lab, view.line, Speech(asked.visitor.language))


def get_attempt_state(asked: Asked) -> State:
    """Where an attempt is; with an entity tag, so that asking again costs little."""
    return line_state(viewed(asked).line, Speech(asked.visitor.language))


def get_attempt_source(asked: Asked) -> Source:
    """The files of an attempt."""
    return source_of(viewed(asked))


def withdraw_attempt(asked: Asked) -> None:
    """Withdraw your own attempt, which waits."""
    withdraw(asked.workspace, viewed(asked).line.id)


def viewed(asked: Asked) -> AttemptView:
    """The attempt in the path. Raises: ``NotFoundError`` if there is none that the visitor may know of."""
    return attempt_view(
        asked.workspace,
        number_in(asked, "attempt"),
        asked.now,
        owner=owner(asked),
        audience=audience(asked),
    )


def owner(asked: Asked) -> str | None:
    """The student with the attempts that the visitor may see; ``None``: staff see all."""
    return None if asked.visitor.may(Scope.READ_COURSE) else asked.visitor.person


def audience(asked: Asked) -> Audience:
    """As whom the visitor reads."""
    return Audience.STAFF if asked.visitor.may(Scope.READ_COURSE) else Audience.STUDENT


def _form(asked: Asked) -> Upload:
    files = tuple(UploadedFile(name=each.name, data=each.data) for each in asked.files("file"))
    return Upload(files=files, lab=asked.text("lab", default=""))


def _upload(wanted: NewAttempt) -> Upload:
    files = tuple(UploadedFile(name=each.name, data=each.text.encode()) for each in wanted.files)
    return Upload(files=files, lab=wanted.lab)


READERS = (Scope.READ_OWN, Scope.READ_COURSE)
"""Who may read attempts: students their own, staff all."""

_SUBMIT = (Scope.SUBMIT,)
_ATTEMPT = "/attempts/{attempt}"

ROUTES = (
    Route(
        path="/attempts",
        endpoint=list_attempts,
        scopes=READERS,
        gives=AttemptPage,
        query=(
            Query(name="lab", meaning="Only attempts at this lab."),
            Query(name="student", meaning="Only attempts of this student; for staff."),
            Query(
                name="before", meaning="The cursor `next` of the page before.", kind=int, low=1, high=10**17
            ),
            Query(name="limit", meaning="How many attempts at most.", kind=int, low=1, high=MOST),
        ),
    ),
    Route(
        path="/attempts",
        endpoint=submit_attempt,
        scopes=_SUBMIT,
        method="POST",
        takes=NewAttempt,
        takes_files=True,
        gives=Attempt,
        status=201,
        rate=UPLOAD,
    ),
    Route(path=_ATTEMPT, endpoint=get_attempt, scopes=READERS, gives=Attempt),
    Route(path=f"{_ATTEMPT}/state", endpoint=get_attempt_state, scopes=READERS, gives=State),
    Route(path=f"{_ATTEMPT}/source", endpoint=get_attempt_source, scopes=READERS, gives=Source),
    Route(
        path=f"{_ATTEMPT}/withdraw",
        endpoint=withdraw_attempt,
        scopes=_SUBMIT,
        method="POST",
        gives=None,
        status=204,
    ),
)
