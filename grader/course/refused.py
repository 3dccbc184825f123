"""What a service refuses to a person, as a statement in their language."""

from grader.errors import NotFoundError, UserError
from grader.messages import render
from grader.model.reason import Reason


class RefusedError(UserError):
    """A request is refused. ``reason`` says why; the error's own text is the same in English."""

    def __init__(self, why: Reason) -> None:
        self.reason = why
        super().__init__(render(why))


class UnknownError(RefusedError, NotFoundError):
    """What a person names does not exist for them."""
