"""How a build step says that a student's file cannot be built: caught at the room's door, never outside it."""

from grader.model.diagnostic import Diagnostic
from grader.model.run import Fault
from grader.model.verdict import Verdict


class BuildFailed(Exception):  # noqa: N818 - it is an outcome, not an error of ours
    """A student outcome on its way to the ``BuildOutcome``: the fault, and what the compiler said besides."""

    def __init__(self, reason: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.reason = reason
        self.diagnostics = diagnostics
        super().__init__(reason)

    @property
    def fault(self) -> Fault:
        """The failure as a value."""
        return failed_to_build(self.reason)


def failed_to_build(reason: str) -> Fault:
    """A ``failed to build`` fault."""
    return Fault(verdict=Verdict.FAILED_TO_BUILD, reason=reason)
