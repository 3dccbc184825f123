"""What can go wrong between a client and its server."""

from grader.api.problems import Problem
from grader.errors import InfrastructureError, UserError
from grader.model.text import printable


class RefusedError(UserError):
    """The server refuses the request; ``code`` is its stable reason."""

    def __init__(self, problem: Problem, status: int) -> None:
        self.code = problem.code
        self.status = status
        super().__init__(printable(problem.message), hint=printable(problem.hint) or None)


class UnreachableError(InfrastructureError):
    """The server does not answer, or answers that it is not ready: the same request may succeed later."""

    def __init__(self, server: str, why: str) -> None:
        self.why = printable(why)
        super().__init__(f"{printable(server)} does not answer: {self.why}. Try again later.")
