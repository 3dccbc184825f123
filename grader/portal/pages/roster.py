"""The roster: who is in the course; a list is shown with what it would change before it is taken."""

from starlette.responses import Response

from grader.course.roster import Change, Import, RosterRequest, import_roster, people
from grader.lms.words import System
from grader.policy.access import Scope
from grader.portal import drafts
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, chosen_file, done_or_again, shown_or_again
from grader.portal.page import Page

_HERE = "/roster"
_CHANGES = {Change.ADDED: "staff-roster-added", Change.CHANGED: "staff-roster-changed"}
_SYSTEMS = {system.value: system for system in System}


def roster(
    asked: Asked, failed: Failed = NOT_FAILED, *, found: Import | None = None, token: str = ""
) -> Response:
    """Everybody, the form for a list, and what a list would change."""
    return page(
        asked,
        "roster.html.j2",
        people=people(asked.workspace),
        systems=tuple(_SYSTEMS),
        found=found,
        changes=_CHANGES,
        token=token,
        may_import=asked.visitor.may(Scope.ROSTER),
        failed=failed,
    )


def upload(asked: Asked) -> Response:
    """Show what the uploaded list would change."""

    def show() -> Response:
        token = drafts.keep(asked, chosen_file(asked, "file"))
        found = import_roster(asked.workspace, _request(asked, token, dry_run=True))
        return roster(asked, found=found, token=token)

    return shown_or_again(asked, "upload", show, roster)


def take(asked: Asked) -> Response:
    """Take the list that was shown."""

    def act() -> str:
        token = asked.text("token")
        import_roster(asked.workspace, _request(asked, token, dry_run=False))
        drafts.drop(asked, token)
        return _HERE

    return done_or_again(asked, "upload", act, roster)


def _request(asked: Asked, token: str, *, dry_run: bool) -> RosterRequest:
    system = asked.text("system", default="")
    return RosterRequest(
        file=drafts.find(asked, token),
        system=asked.choice("system", _SYSTEMS) if system else None,
        column=asked.text("column", default="") or None,
        dry_run=dry_run,
    )


ROUTES = (
    Page(path=_HERE, endpoint=roster, scope=Scope.READ_COURSE, label="staff-roster"),
    Page(path=_HERE, endpoint=upload, scope=Scope.ROSTER, methods=("POST",), takes_files=True),
    Page(path=f"{_HERE}/take", endpoint=take, scope=Scope.ROSTER, methods=("POST",)),
)
