"""Whether a lab's speed rules suit a device: what each rule requires, and what the lab's ladder reaches."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.ladder import LadderReport, Provenance
from grader.model.submission import Language


class Judgement(StrEnum):
    """How a threshold suits one device and one language."""

    UNREACHABLE = "unreachable"
    TRIVIAL = "trivial"
    SOUND = "sound"


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """One threshold of a speed rule in one language, in multiples of the speed of rung ``over``.

    ``over`` is ``None`` for a share of the roofline. ``naive`` is the ratio of the lab's baseline, ``best`` that of
    ``best_rung``, the kernel's fastest rung. ``proposed`` lies between two rungs; it is ``None`` if they are too close
    for any threshold to separate them.
    """

    lab: str
    kernel: str
    language: Language
    over: str | None
    asked: float
    naive: float
    best: float
    best_rung: str
    judgement: Judgement
    proposed: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The ladders of some labs, timed on one engine, and their thresholds as judged by these ladders."""

    made: Provenance
    ladders: tuple[LadderReport, ...]
    thresholds: tuple[Threshold, ...]
