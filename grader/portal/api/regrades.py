"""The API for staff: regrade sets. A set of the same results that is open already is not made again."""

from grader.api.decisions import ClosedRows, NewRegrade, Regrade, RegradeClosing, Regrades
from grader.course import regrade as service
from grader.course.regrade import RegradeFilter
from grader.course.regrade_document import regrade_document
from grader.course.staff import Staff
from grader.policy.access import Scope
from grader.portal.api.answering import number_in
from grader.portal.api.route import Route
from grader.portal.asked import Asked


def list_regrades(asked: Asked) -> Regrades:
    """Every regrade set, the oldest first."""
    return Regrades(regrades=tuple(map(regrade_document, service.regrades(asked.workspace))))


def create_regrade(asked: Asked, wanted: NewRegrade) -> Regrade:
    """Make a set of the newest results that the fields choose. Nothing changes before it is applied."""
    chosen = RegradeFilter(
        labs=wanted.labs,
        students=wanted.students,
        sections=wanted.sections,
        verdicts=wanted.verdicts,
        findings=wanted.findings,
    )
    staff = Staff(because=wanted.because, by=asked.visitor.person)
    return regrade_document(service.new(asked.workspace, chosen, staff, fresh=wanted.fresh).regrade)


def close_regrade(asked: Asked, wanted: RegradeClosing) -> ClosedRows:
    """Apply or discard a set, or the rows of some students."""
    closed = service.close(
        asked.workspace,
        number_in(asked, "regrade"),
        apply=wanted.apply,
        students=wanted.students,
        because=wanted.because,
        by=asked.visitor.person,
    )
    return ClosedRows(closed=len(closed))


_STAFF = (Scope.GRADE,)

ROUTES = (
    Route(path="/regrades", endpoint=list_regrades, scopes=_STAFF, gives=Regrades),
    Route(
        path="/regrades",
        endpoint=create_regrade,
        scopes=_STAFF,
        method="POST",
        takes=NewRegrade,
        gives=Regrade,
        status=201,
    ),
    Route(
        path="/regrades/{regrade}/close",
        endpoint=close_regrade,
        scopes=_STAFF,
        method="POST",
        takes=RegradeClosing,
        gives=ClosedRows,
    ),
)
