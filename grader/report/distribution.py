"""How the points of a class are spread, for each lab and each line of its rubric."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from grader.model.reason import Reason, reason
from grader.model.report import Part, Report
from grader.model.verdict import Verdict
from grader.report.quantities import title
from grader.report.summary import has_score, verdict_counts

BINS = 11
"""Tenths of the possible points, and one more bin for full points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Points of many submissions on one scale from 0 to ``most``; ``counts`` has ``BINS`` bins."""

    title: Reason
    most: float
    median: float | None
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSummary:
    """All submissions to one lab. Submissions that were not gradable have no points and are in no distribution."""

    lab: str
    submissions: int
    verdicts: tuple[tuple[Verdict, int], ...]
    score: Distribution
    parts: tuple[Distribution, ...]


def lab_summaries(reports: Iterable[Report]) -> tuple[LabSummary, ...]:
    """One summary for each lab, in the order in which the labs occur."""
    by_lab: dict[str, list[Report]] = {}
    for report in reports:
        by_lab.setdefault(report.lab, []).append(report)
    return tuple(_summary(lab, found) for lab, found in by_lab.items())


def _summary(lab: str, reports: Sequence[Report]) -> LabSummary:
    scored = [report for report in reports if has_score(report)]
    parts: dict[str, list[Part]] = {}
    for report in scored:
        for part in report.parts:
            parts.setdefault(part.name, []).append(part)
    return LabSummary(
        lab=lab,
        submissions=len(reports),
        verdicts=verdict_counts(reports),
        score=_distribution(reason("column-score"), scored),
        parts=tuple(_distribution(title(found[0]), found) for found in parts.values()),
    )


def _distribution(shown: Reason, results: Sequence[Report] | Sequence[Part]) -> Distribution:
    counts = [0] * BINS
    for result in results:
        counts[_bin(result.score, result.max_score)] += 1
    return Distribution(
        title=shown,
        most=max((result.max_score for result in results), default=0.0),
        median=median(result.score for result in results) if results else None,
        counts=tuple(counts),
    )


def _bin(score: float, most: float) -> int:
    if score >= most:
        return BINS - 1
    return max(0, min(BINS - 2, int((BINS - 1) * score / most)))
