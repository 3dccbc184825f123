"""Forms: what was asked is done, or the page comes again with one line about it and all that was typed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.responses import Response

from grader.errors import NotFoundError, UserError
from grader.portal.answers import redirect
from grader.portal.asked import Asked, Upload


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The ``form`` that was refused, the ``problem`` in one line, and what was typed. Without a form, none was."""

    form: str = ""
    problem: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    def said(self, form: str) -> str:
        """The problem of ``form``; empty if it has none."""
        return self.problem if self.form == form else ""

    def typed(self, form: str, name: str, default: str = "") -> str:
        """What was typed into the field ``name`` of ``form``, or ``default``."""
        return self.values.get(name, default) if self.form == form else default


NOT_FAILED = Failed()
"""For a page before any form of it was sent."""


def done_or_again(
    asked: Asked, form: str, act: Callable[[], str], again: Callable[[Asked, Failed], Response]
) -> Response:
    """Do ``act`` and go on with the path that it returns; if it refuses, answer with the page ``again``."""
    return shown_or_again(asked, form, lambda: redirect(asked, act()), again)


def shown_or_again(
    asked: Asked, form: str, show: Callable[[], Response], again: Callable[[Asked, Failed], Response]
) -> Response:
    """What ``show`` answers; if it refuses, the page ``again`` with the reason. Raises: ``NotFoundError``."""
    try:
        return show()
    except NotFoundError:
        raise
    except UserError as error:
        answer = again(asked, Failed(form=form, problem=error.problem, values=dict(asked.form.fields)))
        answer.status_code = HTTPStatus.BAD_REQUEST
        return answer


def chosen_file(asked: Asked, name: str) -> Upload:
    """The file of the field ``name``. Raises: ``UserError`` if none was chosen."""
    sent = asked.files(name)
    if not sent:
        msg = "No file is chosen."
        raise UserError(msg)
    return sent[0]
