"""What a compiler or an engine noticed, at a line of the student's own file."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.location import SourceLocation
from grader.model.reason import AS_WRITTEN, Reason


class Severity(StrEnum):
    """``error`` decides a verdict; ``warning`` should be fixed; ``note`` explains where time goes."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """Position in the order of severity, the most severe first."""
        return list(Severity).index(self)


class DiagnosticKind(StrEnum):
    """What was noticed."""

    COMPILER = "compiler"
    LAUNCH_DIRECTIVE = "launch directive"
    HOST_CODE_IGNORED = "host code ignored"
    PARAMETERS = "parameters"
    HOST_LAUNCH = "launch in host code"
    CLOCK_READING = "clock reading"
    DEVICE_PROBE = "device probe"
    OUT_OF_BOUNDS = "out of bounds"
    MISALIGNED = "misaligned access"
    NULL_ACCESS = "null access"
    UNINITIALISED = "uninitialised read"
    SHARED_RACE = "shared-memory race"
    GLOBAL_RACE = "global-memory race"
    LANE_HAZARD = "missing warp synchronisation"
    INACTIVE_LANE = "inactive lane"
    DIVERGENT_BARRIER = "divergent barrier"
    ENDLESS_WAIT = "wait between blocks"
    ORDER_DEPENDENCE = "order dependence"
    READ_ONLY_WRITE = "write to read-only memory"
    STACK_OVERFLOW = "stack overflow"
    HEAP = "device heap"
    ENDLESS_LOOP = "endless loop"
    TRAP = "trap"
    INVALID_LAUNCH = "invalid launch"
    UNSUPPORTED = "unsupported on the emulator"
    UNCOALESCED = "uncoalesced access"
    BANK_CONFLICT = "bank conflict"
    DIVERGENCE = "branch divergence"
    ATOMIC_CONTENTION = "atomic contention"
    OCCUPANCY = "occupancy"
    DEVICE_FAULT = "device fault"
    HOST_COPY = "copy"
    HOST_MEMORY = "host memory"
    MISSING_WAIT = "missing wait"
    STREAM_RACE = "race of two streams"
    SERIALISATION = "default stream"
    LEAK = "leak"
    RUNTIME_ERROR = "runtime error"
    SLOW_COPY = "slow copy"
    STAFF_COMMENT = "comment by staff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding, summed over ``count`` occurrences. ``line`` is 1-based; both are ``None`` where unknown.

    ``message`` says what happened, with an example of the threads and blocks involved, and ``advice`` what to do about
    it. The parameter ``subject`` of a message is the same for every occurrence, others may differ.
    ``kernel`` is the kernel that was running, as the lab spells it, ``related`` the other lines of a pair or group, and
    ``threads`` how many different threads were involved (0: unknown). ``case`` is the test
    case that showed it, a public one if there is any; ``None`` if it depends on no case.
    """

    kind: DiagnosticKind
    severity: Severity
    message: Reason
    advice: Reason | None = None
    kernel: str = ""
    file: str | None = None
    line: int | None = None
    related: tuple[SourceLocation, ...] = ()
    threads: int = 0
    count: int = 1
    case: str | None = None

    @property
    def order(self) -> tuple[int, str, int]:
        """What to sort by where people read it: the most severe first, then by file and line."""
        return self.severity.rank, self.file or "", self.line or 0

    @property
    def identity(self) -> tuple[object, ...]:
        """What two findings that are the same thing share, whatever threads and numbers they saw it in."""
        return self.kernel, *self.cause

    @property
    def cause(self) -> tuple[object, ...]:
        """What the findings of one mistake share, also in several kernels that call one function."""
        said = self.message
        about = said.params.get("subject")
        if said.code == AS_WRITTEN:  # a compiler's message differs after its first comma
            about = str(said.params["text"]).partition(", ")[0]
        return self.kind, self.file, self.line, self.related, said.code, about

    @property
    def lines(self) -> frozenset[SourceLocation]:
        """All lines that the finding names."""
        return frozenset({SourceLocation(file=self.file, line=self.line), *self.related})

    def shares_cause(self, other: "Diagnostic") -> bool:
        """Whether both come from one mistake. Exchanges within a warp do if they share a line, in any array."""
        if self.kind is other.kind is DiagnosticKind.LANE_HAZARD:
            return bool(self.lines & other.lines)
        return self.cause == other.cause
