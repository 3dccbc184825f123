"""Regrade sets: make one, see what it would change, apply or discard it."""

from starlette.responses import Response

from grader.course import regrade as service
from grader.course.course_labs import student_labs
from grader.course.regrade import RegradeFilter
from grader.course.regrade_start import start
from grader.course.rules import course_of
from grader.course.staff import Staff
from grader.errors import NotFoundError, UserError
from grader.model.verdict import Verdict
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, done_or_again
from grader.portal.page import Page

_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_MAX_REASON = 1000
_MAX_NAMES = 20_000


def regrades(asked: Asked, failed: Failed = NOT_FAILED) -> Response:
    """Every set, and the form of a new one."""
    return page(
        asked,
        "regrades.html.j2",
        regrades=tuple(reversed(service.regrades(asked.workspace))),
        labs=student_labs(asked.workspace, course_of(asked.workspace)),
        verdicts=tuple(_VERDICTS),
        chosen=_chosen(asked, failed),
        may_grade=asked.visitor.may(Scope.GRADE),
        failed=failed,
    )


def _chosen(asked: Asked, failed: Failed) -> dict[str, tuple[str, ...]]:
    """The labs and verdicts that are ticked: those of a form that was refused, or of the address."""
    if failed.form:
        return {name: asked.texts(name) for name in ("lab", "verdict")}
    return {name: tuple(filter(None, [asked.query.get(name)])) for name in ("lab", "verdict")}


def make(asked: Asked) -> Response:
    """Make a set of the newest results that the form takes."""

    def act() -> str:
        wanted = RegradeFilter(
            labs=asked.texts("lab"),
            students=_names(asked, "students"),
            sections=_names(asked, "sections"),
            verdicts=tuple(_VERDICTS[word] for word in asked.texts("verdict") if word in _VERDICTS),
            findings=_names(asked, "findings"),
        )
        staff = Staff(because=asked.text("because", _MAX_REASON), by=asked.visitor.name)
        made = service.new(asked.workspace, wanted, staff, fresh=asked.ticked("fresh"))
        return f"/regrades/{made.regrade.id}"

    return done_or_again(asked, "new", act, regrades)


def regrade(asked: Asked, failed: Failed = NOT_FAILED) -> Response:
    """One set: how far it is, and what it would change."""
    found = service.preview(asked.workspace, _number(asked), ())
    return page(
        asked,
        "regrade.html.j2",
        preview=found,
        may_grade=asked.visitor.may(Scope.GRADE),
        failed=failed,
    )


def run(asked: Asked) -> Response:
    """Do what waits in the set, in a process of its own."""

    def act() -> str:
        start(asked.workspace, _number(asked))
        return f"/regrades/{_number(asked)}"

    return done_or_again(asked, "run", act, regrade)


def close(asked: Asked) -> Response:
    """Apply or discard the ticked rows; all of them: the whole set."""

    def act() -> str:
        number = _number(asked)
        ticked = asked.texts("student")
        changed = {each.report.student for each in service.preview(asked.workspace, number, ()).changes}
        if changed and not ticked:
            msg = "No row is ticked."
            raise UserError(msg)
        service.close(
            asked.workspace,
            number,
            apply=asked.choice("do", {"apply": True, "discard": False}),
            students=() if changed <= set(ticked) else ticked,
            because=asked.text("because", _MAX_REASON, default=""),
            by=asked.visitor.name,
        )
        return f"/regrades/{number}"

    return done_or_again(asked, "close", act, regrade)


def _number(asked: Asked) -> int:
    """The number in the address. Raises: ``NotFoundError`` if there is no such set."""
    known = {str(each.id) for each in service.regrades(asked.workspace)}
    if asked.path["number"] not in known:
        msg = "There is no such regrade."
        raise NotFoundError(msg)
    return int(asked.path["number"])


def _names(asked: Asked, field: str) -> tuple[str, ...]:
    """The names in a field, apart by commas, semicolons or lines."""
    text = asked.text(field, _MAX_NAMES, default="").replace(";", ",").replace("\n", ",")
    return tuple(name.strip() for name in text.split(",") if name.strip())


ROUTES = (
    Page(path="/regrades", endpoint=regrades, scope=Scope.READ_COURSE, label="staff-regrades"),
    Page(path="/regrades", endpoint=make, scope=Scope.GRADE, methods=("POST",)),
    Page(path="/regrades/{number}", endpoint=regrade, scope=Scope.READ_COURSE),
    Page(path="/regrades/{number}/run", endpoint=run, scope=Scope.GRADE, methods=("POST",)),
    Page(path="/regrades/{number}/close", endpoint=close, scope=Scope.GRADE, methods=("POST",)),
)
