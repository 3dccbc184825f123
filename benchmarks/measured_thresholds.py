"""What the labs' speed thresholds are worth on an H200, by the ladders that were measured there, and on an H100.

``python -m benchmarks.measured_thresholds`` makes the tables in the documentation: of ``results/gpu-ladder.json``, and
of what ``grader calibrate`` stored on the H100. That judges in the same way, by intervals where the first has medians.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks import pages
from benchmarks.rung_figures import Figures, figures_of
from grader.grading.calibration import judge
from grader.labs.lab import Lab
from grader.labs.manifest import SpeedRule
from grader.model.calibration import Calibration, Judgement, Threshold
from grader.model.submission import Language
from grader.report import calibrations
from tests.gpu.ladder import labs

PAGE = pages.ROOT / "docs" / "calibration.md"
SECTION = "thresholds"

CALIBRATION = pages.RESULTS / "calibration-h100.json"
CALIBRATED = "calibration"

NEAR = 0.005
"""How far from 1 a speedup may be that is called near it."""

HEADER = ("lab", "thresholds", "sound", "trivial", "unreachable", "best rung over what is asked, at least")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One threshold in one language: what is ``asked``, what the ``best`` rung reaches, and what that makes of it."""

    lab: str
    kernel: str
    language: Language
    asked: float
    best: float
    judgement: Judgement


def judged(lab: Lab) -> Iterator[Judged]:
    """Every threshold over a rung, in every language in which rungs of its kernel were timed."""
    figures = [figure for figure in figures_of(lab) if figure.seconds is not None]
    for rule in lab.manifest.rubric.speed:
        for language in Language:
            yield from _of_rule(lab, rule, language, [each for each in figures if each.language is language])


def _of_rule(lab: Lab, rule: SpeedRule, language: Language, figures: Sequence[Figures]) -> Iterator[Judged]:
    own = [figure.seconds for figure in figures if figure.kernel == rule.kernel and figure.seconds]
    over = _seconds(figures, rule.over, rule.kernel)
    baseline = _seconds(figures, lab.manifest.baseline, rule.kernel)
    if not own or over is None or baseline is None:
        return
    best = over / min(own)
    for asked in rule.targets:
        yield Judged(
            lab=lab.name,
            kernel=rule.kernel,
            language=language,
            asked=asked,
            best=best,
            judgement=judge(asked, best, over / baseline),
        )


def _seconds(figures: Sequence[Figures], rung: str | None, kernel: str) -> float | None:
    """Of the rung's own kernel, or of its first where it lacks that one, as in grading."""
    of_rung = [figure for figure in figures if figure.rung == rung]
    own = [figure for figure in of_rung if figure.kernel == kernel] or of_rung
    return own[0].seconds if own else None


def calibrated(found: Calibration) -> str:
    """What was calibrated where, and the table of it."""
    devices = " and ".join(dict.fromkeys(ladder.engine.device for ladder in found.ladders))
    made = f"{devices}, at commit `{found.made.commit[:7]}`, {found.made.created_at[:10]}"
    return f"By `grader calibrate` on {made}.\n\n{table(found.thresholds)}\n\n{beside_themselves(found)}"


def beside_themselves(found: Calibration) -> str:
    """How near the speedups of baselines over themselves come to 1, which they are."""
    same = [
        speedup
        for ladder in found.ladders
        for row in ladder.rows
        for speedup in row.speedups
        if row.rung == ladder.baseline == speedup.baseline
    ]
    holding = sum(speedup.low <= 1 <= speedup.high for speedup in same)
    near = sum(abs(speedup.value - 1) <= NEAR for speedup in same)
    most = max(abs(speedup.value - 1) for speedup in same)
    return (
        f"Of {len(same)} baselines beside themselves {holding} intervals hold 1, and {near} speedups lie within "
        f"{NEAR:.1%} of it; the farthest is {most:.1%} off."
    )


def table(every: Sequence[Judged | Threshold]) -> str:
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


_ORDER = (Judgement.SOUND, Judgement.TRIVIAL, Judgement.UNREACHABLE)


def main() -> None:
    """Make the page."""
    measured = table([each for lab in labs() for each in judged(lab)])
    pages.write({SECTION: measured, CALIBRATED: calibrated(calibrations.read(CALIBRATION))}, PAGE)


if __name__ == "__main__":
    main()
