"""The kinds of errors. A student's mistake is never an exception: it is a ``Verdict``."""


class GraderError(Exception):
    """Base class of all errors that this package raises deliberately."""


class UserError(GraderError):
    """An error that the user can fix: shown as one line with exit code 2, without a traceback.

    ``hint`` says how to fix it, as an imperative sentence.
    """

    def __init__(self, problem: str, *, hint: str | None = None) -> None:
        self.problem = problem
        self.hint = hint
        super().__init__(problem if hint is None else f"{problem} {hint}")


class NotFoundError(UserError):
    """It names something that does not exist, or that the user may not know of; a page answers with status 404."""


class UnavailableError(UserError):
    """What it needs does not work now, such as the database; a page answers with status 503, and one may try again."""


class InfrastructureError(GraderError):
    """A failure of the machine, not of the student: retried a few times, then recorded as ``not gradable``."""


class LabError(InfrastructureError):
    """The lab's own code or files fail, which no retry helps: recorded as ``not gradable`` at once."""
