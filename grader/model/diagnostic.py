"""What a compiler or an engine noticed, at a line of the student's own file."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """``error`` decides a verdict; ``warning`` should be mended; ``note`` explains where time goes."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class DiagnosticKind(StrEnum):
    """What was noticed."""

    COMPILER = "compiler"
    LAUNCH_DIRECTIVE = "launch directive"
    HOST_CODE_IGNORED = "host code ignored"
    OUT_OF_BOUNDS = "out of bounds"
    MISALIGNED = "misaligned access"
    NULL_ACCESS = "null access"
    UNINITIALISED = "uninitialised read"
    SHARED_RACE = "shared-memory race"
    GLOBAL_RACE = "global-memory race"
    DIVERGENT_BARRIER = "divergent barrier"
    ENDLESS_LOOP = "endless loop"
    TRAP = "trap"
    INVALID_LAUNCH = "invalid launch"
    UNSUPPORTED = "unsupported on the emulator"
    UNCOALESCED = "uncoalesced access"
    BANK_CONFLICT = "bank conflict"
    DEVICE_FAULT = "device fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding, summed over ``count`` occurrences. ``line`` is 1-based; both are ``None`` where unknown."""

    kind: DiagnosticKind
    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None
    count: int = 1
