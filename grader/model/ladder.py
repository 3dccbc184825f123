"""The timed ladder of a lab: each rung compared with the rungs that grading compares with."""

from dataclasses import dataclass, field

from grader.model.reason import Reason
from grader.model.report import EngineInfo, Resources, Speedup, SpeedupKind
from grader.model.submission import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class RungTiming:
    """One kernel of one rung in one language on one case of ``sizes``.

    ``seconds`` are its times in the comparison with the lab's baseline, one per pair; empty if ``reason`` says why
    there are none. ``speedups`` starts with the speedup over the baseline. ``share`` is the fraction that it reaches
    of the roofline of a kernel that moves every byte of its arrays once; it exceeds 1 if they fit in a cache and is
    ``None`` if unknown. ``graded_share`` is the fraction of the roofline at the kernel's intensity, as graded.
    """

    rung: str
    kernel: str
    language: Language
    case: str
    sizes: dict[str, int]
    seconds: tuple[float, ...] = ()
    speedups: tuple[Speedup, ...] = ()
    share: float | None = None
    graded_share: float | None = None
    resources: Resources | None = None
    reason: Reason | None = None

    def over(self, rung: str) -> Speedup | None:
        """Its speedup over ``rung``, if the two were compared."""
        return next((known for known in self.speedups if known.baseline == rung), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderReport:
    """All rungs of one lab, timed on one engine. ``digest`` covers the lab's folder and its rungs."""

    lab: str
    version: str
    digest: str
    engine: EngineInfo
    kind: SpeedupKind
    baseline: str
    rows: tuple[RungTiming, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every rung has a time."""
        return not any(row.reason for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How a table of times was made, apart from the engine and the device.

    ``created_at`` is ISO 8601 in UTC. ``driver`` is the GPU driver's release and ``gpu`` the device's UUID, both empty
    on the emulator. ``packages`` are the releases of the packages that build and run kernels. ``commit`` is that
    of the labs' checkout, empty without one; ``changed``: whether files there differ from it.
    """

    created_at: str
    grader_version: str
    grader_digest: str
    driver: str
    system: str
    python: str
    commit: str
    changed: bool
    gpu: str = ""
    packages: dict[str, str] = field(default_factory=dict)
