"""The audit list: who decided what, when and why."""

from urllib.parse import urlencode

from starlette.responses import Response

from grader.course.audit import audit_page
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page


def audit(asked: Asked) -> Response:
    """One page of the list, the newest first."""
    number, student, lab = (asked.query.get(name, "") for name in ("page", "student", "lab"))
    found = audit_page(
        asked.workspace,
        int(number) if number.isascii() and number.isdigit() else 1,
        student=student or None,
        lab=lab or None,
    )

    def address(number: int) -> str:
        return f"?{urlencode({'page': number, 'student': student, 'lab': lab})}"

    return page(asked, "audit.html.j2", found=found, student=student, lab=lab, address=address)


ROUTES = (Page(path="/audit", endpoint=audit, scope=Scope.READ_COURSE),)
