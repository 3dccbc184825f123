"""The ladder of a lab as it was timed: where each rung stands beside the rungs that grading compares with."""

from dataclasses import dataclass, field

from grader.model.report import EngineInfo, Resources, Speedup, SpeedupKind
from grader.model.submission import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class RungTiming:
    """One kernel of one rung in one language on one case of ``sizes``.

    ``seconds`` are its times beside the lab's baseline, one for each pair; empty where ``reason`` says why there are
    none. ``speedups`` begin with that over the baseline. ``share`` is the fraction it reaches of the roofline of a
    kernel that moves every byte of its arrays once, above 1 where they fit in a cache; ``None`` where nothing tells.
    ``graded_share`` is that of the roofline at its own intensity, as grading judges it.
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
    reason: str = ""

    def over(self, rung: str) -> Speedup | None:
        """Its speedup over ``rung``, where it was compared with it."""
        return next((known for known in self.speedups if known.baseline == rung), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderReport:
    """All rungs of one lab, timed on one engine. ``digest`` is that of the lab's folder and its rungs."""

    lab: str
    version: str
    digest: str
    engine: EngineInfo
    kind: SpeedupKind
    baseline: str
    rows: tuple[RungTiming, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What a table of times was made with, beside the engine and the device.

    ``created_at`` is ISO 8601 in UTC. ``driver`` is the GPU driver's release and ``gpu`` the device's UUID, both empty
    on the emulator. ``packages`` are the releases of what builds and runs kernels. ``commit`` is the checkout that the
    labs lie in, empty where they lie in none; ``changed``: whether files there differ from it.
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
