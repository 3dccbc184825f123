"""Whether the speed rules of a lab's rubric are right for a device: what each asks for, and what its ladder reaches."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.ladder import LadderReport, Provenance
from grader.model.submission import Language


class Judgement(StrEnum):
    """What a threshold is on one device, for one language."""

    UNREACHABLE = "unreachable"
    TRIVIAL = "trivial"
    SOUND = "sound"


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """One threshold of a speed rule in one language, in multiples of the speed of rung ``over``.

    ``over`` is ``None`` for a share of the roofline. ``naive`` is what the lab's baseline has itself, ``best`` what the
    fastest rung of the kernel, ``best_rung``, has. ``proposed`` lies between two rungs; it is ``None`` where they are
    too close for any value to tell them apart.
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
    """The ladders of some labs, timed on one engine, with what they say about the thresholds."""

    made: Provenance
    ladders: tuple[LadderReport, ...]
    thresholds: tuple[Threshold, ...]
