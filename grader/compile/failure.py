"""Build failures caused by a submission. They do not leave this package as exceptions."""

from grader.model.diagnostic import Diagnostic
from grader.model.reason import Reason
from grader.model.run import Fault
from grader.model.verdict import Verdict


class BuildFailed(Exception):  # noqa: N818 - a result of the submission, not an error of the grader
    """The submission cannot be built: the reason for the ``BuildOutcome``, and the compiler's messages."""

    def __init__(self, reason: Reason, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.reason = reason
        self.diagnostics = diagnostics
        super().__init__(reason.code)

    @property
    def fault(self) -> Fault:
        """The failure as a ``Fault``."""
        return failed_to_build(self.reason)


def failed_to_build(reason: Reason) -> Fault:
    """A fault with the verdict ``failed to build``."""
    return Fault(verdict=Verdict.FAILED_TO_BUILD, reason=reason)
