"""A student's work on a lab, as staff or as the student sees it, and the forms of every decision about it."""

from collections.abc import Callable
from urllib.parse import quote

from starlette.responses import Response

from grader.course.attempt_view import AttemptView, preview
from grader.course.comments import comment, named
from grader.course.decide import excuse, override, review
from grader.course.document import results_document
from grader.course.extensions import extend
from grader.course.requests import answer
from grader.course.staff import Staff
from grader.course.staff_views import WorkView, work_view
from grader.errors import NotFoundError, UserError
from grader.messages import Speech
from grader.model.review import Decision as FlagDecision
from grader.model.verdict import Verdict
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.attempt_links import PreviewLinks
from grader.portal.forms import NOT_FAILED, Failed, done_or_again
from grader.portal.page import Page
from grader.portal.pages import attempt
from grader.portal.report_page import report_page
from grader.report.annotate import annotate, findings
from grader.report.lead import lead
from grader.report.pages import submission_page
from grader.report.redact import Audience

_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_OUTCOMES = {outcome.value: outcome for outcome in FlagDecision}
_MAX_TEXT = 4000
_MAX_DAYS = 365


def work(asked: Asked, failed: Failed = NOT_FAILED) -> Response:
    """The work, at the attempt in the address or the newest graded one; or that attempt as the student sees it."""
    found = _found(asked)
    if _as_student(asked):
        links = PreviewLinks(
            student=found.person.id, name=found.person.name or found.person.id, lab=found.lab
        )
        return attempt.shown(asked, _preview(asked), links)
    report = None if found.result is None else found.result.report
    said = () if report is None else findings(report)
    word_of = Speech(asked.visitor.language).word
    return page(
        asked,
        "work.html.j2",
        found=found,
        report=report,
        lead=None if report is None else lead(report, found.files),
        findings=said,
        sources=[annotate(file, said, None) for file in found.files],
        may_grade=asked.visitor.may(Scope.GRADE),
        line=asked.query.get("line", ""),
        file=asked.query.get("file", ""),
        verdicts=[(word, word_of(word)) for word in _VERDICTS],
        files=[(file.name, file.name) for file in found.files],
        templates=[(name, name) for name in asked.workspace.config.results.comments],
        failed=failed,
    )


def report(asked: Asked) -> Response:
    """The whole report: for staff with every case, or as the student sees it."""
    if _as_student(asked):
        return attempt.whole_report(asked, _preview(asked))
    found = _found(asked)
    if found.result is None:
        msg = "The attempt has no report."
        raise NotFoundError(msg)
    document = results_document(found.result.score.engine, [found.result.report])
    sources = {(found.person.id, found.lab): found.files}
    return report_page(submission_page.render(document, sources, Audience.STAFF, asked.visitor.language))


def file(asked: Asked) -> Response:
    """A file of the attempt, as it was submitted."""
    return attempt.file_of(asked, _found(asked).files)


def decide_override(asked: Asked) -> Response:
    """Replace points or verdict; with neither, an earlier override is withdrawn."""

    def act(student: str, lab: str) -> None:
        points, verdict = asked.text("points", default=""), asked.text("verdict", default="")
        override(
            asked.workspace,
            student,
            lab,
            _staff(asked),
            points=_number(points) if points else None,
            verdict=asked.choice("verdict", _VERDICTS) if verdict else None,
            comment=asked.text("comment", _MAX_TEXT, default=""),
        )

    return _decided(asked, "override", act)


def decide_excuse(asked: Asked) -> Response:
    """Excuse the student from the lab, or withdraw that."""
    return _decided(
        asked,
        "excuse",
        lambda student, lab: excuse(
            asked.workspace, student, lab, _staff(asked), withdraw=asked.ticked("withdraw")
        ),
    )


def decide_extension(asked: Asked) -> Response:
    """Give more time until a moment or for some days; with neither, an extension is withdrawn."""

    def act(student: str, lab: str) -> None:
        until, days = asked.text("until", default=""), asked.text("days", default="")
        if until and days:
            msg = "Give a time or days, not both."
            raise UserError(msg)
        extend(
            asked.workspace,
            student,
            lab,
            _staff(asked),
            until=until.replace("T", " ") or None,
            days=asked.number("days", 0, _MAX_DAYS) if days else 0,
        )

    return _decided(asked, "extension", act)


def decide_comment(asked: Asked) -> Response:
    """Put a text beside a line of the newest submission; an empty one withdraws what stands there."""

    def act(student: str, lab: str) -> None:
        chosen = asked.text("template", default="")
        text = named(asked.workspace, chosen) if chosen else asked.text("text", _MAX_TEXT, default="")
        location = f"{asked.text('file')}:{asked.number('line', 1, 1_000_000)}"
        comment(asked.workspace, student, lab, location, text=text, by=asked.visitor.name)

    return _decided(asked, "comment", act)


def decide_answer(asked: Asked) -> Response:
    """Answer the student's request."""
    outcomes = {"accepted": True, "declined": False}
    return _decided(
        asked,
        "answer",
        lambda student, lab: answer(
            asked.workspace, student, lab, _staff(asked), accepted=asked.choice("outcome", outcomes)
        ),
    )


def decide_review(asked: Asked) -> Response:
    """Decide about a flag."""

    def act(student: str, lab: str) -> None:
        review(asked.workspace, student, lab, asked.choice("outcome", _OUTCOMES), _staff(asked))

    return _decided(asked, "review", act)


def _decided(asked: Asked, form: str, act: Callable[[str, str], None]) -> Response:
    student, lab = asked.path["student"], asked.path["lab"]

    def decide() -> str:
        _found(asked)
        act(student, lab)
        return f"/class/{quote(student, safe='')}/{quote(lab, safe='')}"

    return done_or_again(asked, form, decide, work)


def _found(asked: Asked) -> WorkView:
    return work_view(asked.workspace, asked.path["student"], asked.path["lab"], _chosen(asked))


def _preview(asked: Asked) -> AttemptView:
    return preview(asked.workspace, asked.path["student"], asked.path["lab"], _chosen(asked), asked.now)


def _chosen(asked: Asked) -> int | None:
    number = asked.query.get("attempt", "")
    return int(number) if number.isascii() and number.isdigit() else None


def _as_student(asked: Asked) -> bool:
    return asked.query.get("as") == "student"


def _staff(asked: Asked) -> Staff:
    return Staff(because=asked.text("because", _MAX_TEXT), by=asked.visitor.name)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError as error:
        msg = f"{text} is no number of points."
        raise UserError(msg) from error


_HERE = "/class/{student}/{lab}"

ROUTES = (
    Page(path=_HERE, endpoint=work, scope=Scope.READ_COURSE),
    Page(path=f"{_HERE}/report", endpoint=report, scope=Scope.READ_COURSE),
    Page(path=f"{_HERE}/file", endpoint=file, scope=Scope.READ_COURSE),
    *(
        Page(path=f"{_HERE}/{form}", endpoint=endpoint, scope=Scope.GRADE, methods=("POST",))
        for form, endpoint in (
            ("override", decide_override),
            ("excuse", decide_excuse),
            ("extension", decide_extension),
            ("comment", decide_comment),
            ("answer", decide_answer),
            ("review", decide_review),
        )
    ),
)
