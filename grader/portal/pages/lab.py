"""A lab of a student: handout, starter files, the form to submit, and the attempts."""

import secrets

from starlette.responses import Response

from grader.course.my_labs import MyLab, handout, my_lab, starter, starters
from grader.course.submit import submit
from grader.course.uploads import Upload, UploadedFile
from grader.errors import NotFoundError
from grader.policy.access import Scope
from grader.portal.answers import download, page, redirect
from grader.portal.asked import Asked
from grader.portal.attempt_links import OwnLinks
from grader.portal.markdown import to_html
from grader.portal.page import Page
from grader.portal.rates import UPLOAD
from grader.portal.times import Times

_MOST_TEXT = 1_000_000


def lab(asked: Asked) -> Response:
    """The page of the lab."""
    mine = _opened(asked, must_be_open=False)
    text = handout(asked.workspace, mine.lab, asked.visitor.language) if mine.has_opened else ""
    return page(
        asked,
        "lab.html.j2",
        mine=mine,
        handout=to_html(text),
        starters=starters(asked.workspace, mine.lab) if mine.has_opened else (),
        key=secrets.token_hex(16),
        times=Times.of(asked),
        links=OwnLinks(lab=mine.lab),
    )


def start(asked: Asked) -> Response:
    """A starter file."""
    mine = _opened(asked)
    found = starter(asked.workspace, mine.lab, asked.path["name"])
    if found is None:
        msg = "There is no such file."
        raise NotFoundError(msg)
    return download(found.name, found.data)


def send(asked: Asked) -> Response:
    """Submit; then the page of the attempt."""
    upload = Upload(
        files=tuple(UploadedFile(name=each.name, data=each.data) for each in asked.files("file")),
        text=asked.text("text", _MOST_TEXT, default=""),
        lab=asked.path["lab"],
    )
    made = submit(asked.workspace, asked.visitor.person, upload, key=asked.text("key", default=""))
    return redirect(asked, f"/attempts/{made.attempt}")


def _opened(asked: Asked, *, must_be_open: bool = True) -> MyLab:
    mine = my_lab(asked.workspace, asked.visitor.person, asked.path["lab"], asked.now)
    if must_be_open and not mine.has_opened:
        msg = "The lab has not opened yet."
        raise NotFoundError(msg)
    return mine


ROUTES = (
    Page(path="/labs/{lab}", endpoint=lab, scope=Scope.READ_OWN),
    Page(path="/labs/{lab}/starter/{name}", endpoint=start, scope=Scope.READ_OWN),
    Page(
        path="/labs/{lab}/attempts",
        endpoint=send,
        scope=Scope.SUBMIT,
        methods=("POST",),
        takes_files=True,
        rate=UPLOAD,
    ),
)
