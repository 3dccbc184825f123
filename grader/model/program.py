"""The run of a whole program: how it ended, what was found, and when the device was busy."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.diagnostic import Diagnostic, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason


class Lane(StrEnum):
    """What does one thing at a time: the program's own code, a copy engine of each direction, or the device."""

    HOST = "host"
    COPY_IN = "copy-in"
    COPY_OUT = "copy-out"
    KERNELS = "kernels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Something that took time on a lane, from ``start`` to ``end`` in seconds since the program's first call.

    ``name`` is what it did, ``None`` for the program's own code.
    ``device`` numbers the devices from 0 on, and ``stream`` numbers the streams in the order of their creation, 0 is
    the default stream. ``moved_bytes`` is what a copy moves; ``is_pinned``: to or from pinned memory.
    """

    lane: Lane
    name: Reason | None
    stream: int
    start: float
    end: float
    location: SourceLocation
    moved_bytes: int = 0
    is_pinned: bool = False
    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckableCall:
    """A call that reports whether it succeeded: the first at its line. ``number`` counts all such calls of a run."""

    number: int
    name: str
    location: SourceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun:
    """How a program ran. ``exit_code`` is that of the program, negative for a signal, as in ``subprocess``.

    ``refused`` names a function of the runtime that the emulator lacks and that the program called. ``seconds`` is the
    modelled time from the first call to the last; ``calls`` counts calls of the runtime, ``launches`` those of kernels,
    ``synchronisations`` those that only wait. ``checkable`` are the calls that a program should check.
    ``uncounted_seconds`` is what its processes computed while its function ran, beyond what it says of itself.
    ``counted_seconds`` is what counted against its time limit; ``is_late``: it was ended because its time was up.
    ``is_measured``: it ran on a real GPU, where all times are measured; ``is_checked``: faults were looked for.
    """

    exit_code: int
    diagnostics: tuple[Diagnostic, ...] = ()
    activities: tuple[Activity, ...] = ()
    seconds: float = 0.0
    calls: int = 0
    launches: int = 0
    synchronisations: int = 0
    checkable: tuple[CheckableCall, ...] = ()
    refused: Reason | None = None
    uncounted_seconds: float = 0.0
    counted_seconds: float = 0.0
    is_late: bool = False
    is_measured: bool = False
    is_checked: bool = True

    @property
    def has_errors(self) -> bool:
        """Whether something that was found is an error."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)
