"""The boards of a lab: for the class, and for staff, who freeze them."""

from collections.abc import AsyncIterator, Mapping

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from grader.course.class_board import ClassBoard, choose_name, class_board, freeze
from grader.course.course_labs import require_lab
from grader.course.rules import course_of
from grader.course.staff import Staff
from grader.languages import installed
from grader.policy.access import Scope
from grader.portal.answers import page, redirect
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.templating import render
from grader.portal.times import Times

_MOST_NAME = 100
_END = ServerSentEvent(event="end", data="end")


def board(asked: Asked) -> Response:
    """The boards as a student sees them."""
    return _board(asked, is_staff=False)


def staff_board(asked: Asked) -> Response:
    """The boards as staff see them."""
    return _board(asked, is_staff=True)


def name(asked: Asked) -> Response:
    """Take part under a nickname, or no more."""
    lab = require_lab(asked.workspace, course_of(asked.workspace), asked.path["lab"])
    shown = asked.ticked("shown")
    nickname = asked.text("nickname", _MOST_NAME, default="")
    choose_name(asked.workspace, asked.visitor.person, nickname, shown=shown)
    return redirect(asked, f"/labs/{lab}/board")


def stop(asked: Asked) -> Response:
    """Freeze the boards, or let them go on."""
    lab = asked.path["lab"]
    staff = Staff(because=asked.text("because"), by=asked.visitor.person)
    freeze(asked.workspace, lab, staff, frozen=asked.ticked("frozen"))
    return redirect(asked, f"/boards/{lab}")


def board_events(asked: Asked) -> Response:
    """The boards as a student sees them, again after each change; the last event is named ``end``."""
    return _stream(asked, is_staff=False)


def staff_board_events(asked: Asked) -> Response:
    """The boards as staff see them, again after each change; the last event is named ``end``."""
    return _stream(asked, is_staff=True)


def _found(asked: Asked, *, is_staff: bool) -> ClassBoard:
    return class_board(asked.workspace, asked.path["lab"], asked.visitor.person, asked.now, is_staff=is_staff)


def _board(asked: Asked, *, is_staff: bool) -> Response:
    found = _found(asked, is_staff=is_staff)
    return page(
        asked, "board.html.j2", found=found, labels=_labels(), times=Times.of(asked), is_staff=is_staff
    )


def _stream(asked: Asked, *, is_staff: bool) -> Response:
    found = _found(asked, is_staff=is_staff)
    return EventSourceResponse(_events(asked, found.lab) if found.is_open else _nothing())


async def _events(asked: Asked, lab: str) -> AsyncIterator[ServerSentEvent]:
    async for found in asked.server.boards.follow(asked.workspace, lab):
        text = render(
            asked,
            "parts/boards.html.j2",
            is_open=True,
            boards=found.boards,
            own_name=found.names.get(asked.visitor.person, ""),
            labels=_labels(),
        )
        yield ServerSentEvent(data=text, id=found.version)
    yield _END


async def _nothing() -> AsyncIterator[ServerSentEvent]:
    yield _END


def _labels() -> Mapping[str, str]:
    return {key: each.label for key, each in installed().items()}


ROUTES = (
    Page(path="/labs/{lab}/board", endpoint=board, scope=Scope.READ_OWN),
    Page(path="/labs/{lab}/board/events", endpoint=board_events, scope=Scope.READ_OWN),
    Page(path="/labs/{lab}/board", endpoint=name, scope=Scope.SUBMIT, methods=("POST",)),
    Page(path="/boards/{lab}", endpoint=staff_board, scope=Scope.READ_COURSE),
    Page(path="/boards/{lab}/events", endpoint=staff_board_events, scope=Scope.READ_COURSE),
    Page(path="/boards/{lab}", endpoint=stop, scope=Scope.GRADE, methods=("POST",)),
)
