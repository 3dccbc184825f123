"""Kernels that read a clock, by which they could tell when they are timed.

Computing takes none, though some of CUDA's own waiting does. So a time that was measured of such a kernel waits for a
person.
"""

from grader.compile.messages import location_prefix
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import BuiltKernel
from grader.model.run import Comparison

_READS = "it reads a clock, or the number of its launch"


def clock_warning(kernel: BuiltKernel) -> tuple[Diagnostic, ...]:
    """What its student should know before it is timed; empty where it reads no clock."""
    place = kernel.clock_reading
    if place is None:
        return ()
    return (
        Diagnostic(
            kind=DiagnosticKind.CLOCK_READING,
            severity=Severity.WARNING,
            message=f"{_READS}, so that a speed measured on a GPU counts only when a person has looked at it",
            advice="take clock() or the like out before you hand in, for the grader times your kernel; where none is "
            "there, it is in what you call: cuda::barrier and a cuda::pipeline that a block shares read one to wait",
            kernel=kernel.name,
            file=place.file,
            line=place.line,
        ),
    )


def told_by_a_clock(comparison: Comparison, kernel: BuiltKernel) -> str:
    """Why ``comparison`` is not to be trusted: ``kernel`` could tell when it was timed; empty where it could not.

    What is modelled needs no trust.
    """
    place = kernel.clock_reading
    if comparison.modelled or place is None:
        return ""
    return f"{location_prefix(place.file, place.line)}{_READS}, and could tell when it is timed"
