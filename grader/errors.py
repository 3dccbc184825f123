"""The two kinds of failure that are exceptions. What a student did is never one: it is a ``Verdict``."""


class GraderError(Exception):
    """Root of every error this package raises on purpose."""


class UserError(GraderError):
    """Something the person at the keyboard can mend: shown as one line, exit code 2, never a traceback.

    ``mend`` says what to do about it, as an imperative sentence.
    """

    def __init__(self, problem: str, *, mend: str | None = None) -> None:
        self.problem = problem
        self.mend = mend
        super().__init__(problem if mend is None else f"{problem} {mend}")


class InfrastructureError(GraderError):
    """The machine failed, not the student: retried with a cap, then recorded as ``not gradable``."""
