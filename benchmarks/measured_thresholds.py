"""What the labs' speed thresholds are worth on an H200 and an H100, and how equal equal kernels were timed there.

``python -m benchmarks.measured_thresholds`` makes the tables and the list in the documentation, of what ``grader
calibrate`` stored there.
"""

from collections.abc import Sequence

from grader.model.calibration import Calibration, Judgement, Threshold
from grader.report import calibrations
from tools import pages
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "benchmarks" / "tables" / "calibrations.md"

CALIBRATED = {device: pages.RESULTS / f"calibration-{device}.json" for device in ("h200", "h100")}
"""All labs by a section of the page; both sides of a comparison had memory of their own then."""

ONE_MEMORY = pages.RESULTS / "calibration-one-memory.json"
"""Some labs, on an H100, since both sides have the same memory."""

COURSE_PACK = pages.RESULTS / "calibration-course-pack.json"
"""The labs of the course pack."""

PACK_SECTION = "course-pack"

TIMING_PAGE = CHECKOUT / "benchmarks" / "tables" / "clock.md"
THEMSELVES = "themselves"

NEAR = 0.005
"""How far from 1 a speedup may be that is called near it."""

HEADER = ("lab", "thresholds", "sound", "trivial", "unreachable", "best rung over what is asked, at least")

_ORDER = (Judgement.SOUND, Judgement.TRIVIAL, Judgement.UNREACHABLE)


def calibrated(found: Calibration) -> str:
    """What was calibrated where, and the table of it."""
    return f"By `grader calibrate` {_where(found)}.\n\n{table(found.thresholds)}"


def of_course_pack() -> str:
    """What was calibrated of the course pack, as far as a record of it is there."""
    if not COURSE_PACK.exists():
        return "Not calibrated on a GPU yet."
    return calibrated(calibrations.read(COURSE_PACK))


def _where(found: Calibration) -> str:
    devices = " and ".join(dict.fromkeys(ladder.engine.device for ladder in found.ladders))
    return f"on {devices}, at commit `{found.made.commit[:7]}`, {found.made.created_at[:10]}"


def beside_themselves(found: Calibration) -> str:
    """How near the speedups of rungs over themselves come to 1, which they are, as an item of a list."""
    same = [
        speedup
        for ladder in found.ladders
        for row in ladder.rows
        for speedup in row.speedups
        if row.rung == speedup.baseline
    ]
    holding = sum(speedup.low <= 1 <= speedup.high for speedup in same)
    near = sum(abs(speedup.value - 1) <= NEAR for speedup in same)
    most = max(abs(speedup.value - 1) for speedup in same)
    return (
        f"- {_where(found)}: of {len(same)} kernels, {holding} intervals hold 1, {near} speedups lie within "
        f"{NEAR:.1%} of it; the farthest is {most:.1%} off"
    )


def themselves() -> str:
    """The list: memory of their own first, the same memory last."""
    return "\n".join(
        beside_themselves(calibrations.read(path)) for path in (*CALIBRATED.values(), ONE_MEMORY)
    )


def table(every: Sequence[Threshold]) -> str:
    """A row for each lab."""
    lines = []
    for lab in sorted({each.lab for each in every}):
        known = [each for each in every if each.lab == lab]
        counts = [sum(each.judgement is kind for each in known) for kind in _ORDER]
        tightest = min(each.best / each.asked for each in known)
        lines.append((lab, str(len(known)), *map(str, counts), f"{tightest:.2f}"))
    total = [sum(each.judgement is kind for each in every) for kind in _ORDER]
    lines.append(("all", str(len(every)), *map(str, total), ""))
    return pages.table(HEADER, lines, 1)


def main() -> None:
    """Make the pages."""
    pages.write({name: calibrated(calibrations.read(path)) for name, path in CALIBRATED.items()}, PAGE)
    pages.write({PACK_SECTION: of_course_pack()}, PAGE)
    pages.write({THEMSELVES: themselves()}, TIMING_PAGE)


if __name__ == "__main__":
    main()
