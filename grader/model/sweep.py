"""Parameter sweeps: one variable of a kernel takes several values; each value has a result."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.reason import Reason
from grader.model.report import EngineInfo, SpeedupKind
from grader.model.submission import Language
from grader.model.verdict import Verdict


class SweepFigure(StrEnum):
    """The quantity that a sweep plots against its variable."""

    TIME = "time"
    BANDWIDTH = "bandwidth"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRow:
    """Result for one value. ``reason`` says why it has no time: it does not build, cannot be launched, or is wrong.

    ``speedup`` is over the lab's baseline on the same case; ``useful_bytes`` are the bytes that the threads requested.
    Registers and spills are per thread, shared memory per block.
    """

    value: int
    verdict: Verdict
    reason: Reason
    seconds: float | None = None
    speedup: float | None = None
    useful_bytes: int | None = None
    registers: int | None = None
    spill_bytes: int | None = None
    shared_bytes: int | None = None
    threads_per_block: int | None = None
    occupancy: float | None = None
    limiter: str | None = None

    @property
    def bandwidth(self) -> float | None:
        """Useful bytes per second."""
        if self.seconds is None or self.useful_bytes is None:
            return None
        return self.useful_bytes / self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """A whole sweep: ``over`` is a macro or a size, ``sizes`` are those of the timed case."""

    lab: str
    file: str
    language: Language
    kernel: str
    over: str
    shows: SweepFigure
    engine: EngineInfo
    kind: SpeedupKind
    baseline: str
    case: str
    sizes: dict[str, int]
    rows: tuple[SweepRow, ...]

    @property
    def best(self) -> SweepRow | None:
        """The row of a correct value with the least time or the highest bandwidth."""
        known = [row for row in self.rows if row.seconds is not None]
        if self.shows is SweepFigure.BANDWIDTH:
            return max(known, key=lambda row: row.bandwidth or 0.0, default=None)
        return min(known, key=lambda row: row.seconds or 0.0, default=None)
