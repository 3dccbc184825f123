"""The two kinds of failure that are exceptions. What a student did is never one: it is a ``Verdict``."""


class GraderError(Exception):
    """Root of every error this package raises on purpose."""


class UserError(GraderError):
    """Something the person at the keyboard can hint: shown as one line, exit code 2, never a traceback.

    ``hint`` says what to do about it, as an imperative sentence.
    """

    def __init__(self, problem: str, *, hint: str | None = None) -> None:
        self.problem = problem
        self.hint = hint
        super().__init__(problem if hint is None else f"{problem} {hint}")


class InfrastructureError(GraderError):
    """The machine failed, not the student: retried with a cap, then recorded as ``not gradable``."""
