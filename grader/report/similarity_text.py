"""How similarities are said, in a terminal and on a page."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from grader.languages import installed
from grader.messages import Speech
from grader.model.reason import Reason, first_of, reason
from grader.model.similarity import (
    ComparedWork,
    Lines,
    Measure,
    SimilarityDistribution,
    SimilarityReport,
    SimilarPair,
    View,
)
from grader.report import quantities

VIEW_TITLES = {
    View.TOKENS: reason("view-tokens"),
    View.PTX: reason("view-ptx"),
    View.OPERATIONS: reason("view-operations"),
}
"""The name of each view."""

_NAMED = 8
"""Submissions that a note names before it counts the others."""


def name(work: ComparedWork) -> str:
    """The student, with the former term."""
    return f"{work.student} ({work.term})" if work.term else work.student


def measure(pair: SimilarPair, view: View) -> Measure | None:
    """The measure of ``pair`` in ``view``, if it has one."""
    return next((each for each in pair.measures if each.view is view), None)


def cell(found: Measure | None, speech: Speech) -> str:
    """``87 % (+11.2)``: how alike, and how far above the median."""
    if found is None:
        return quantities.NOTHING
    return f"{speech.figure(quantities.percent(found.similarity))} ({deviation(found, speech)})"


def deviation(found: Measure, speech: Speech) -> str:
    """``+11.2``, in robust standard deviations."""
    return speech.figure(f"{found.deviation:+.1f}".replace("-", "−"))


def distribution_title(shown: SimilarityDistribution) -> Reason:
    """The view, and the language of what it compares."""
    title = VIEW_TITLES[shown.view]
    if shown.language is None:
        return title
    label = installed()[shown.language].label if shown.language in installed() else shown.language.value
    return reason("view-of-language", view=title, language=label)


def distribution_text(shown: SimilarityDistribution) -> Reason:
    """How many pairs there are, and how alike half of them are."""
    return reason(
        "similarity-spread",
        count=shown.pairs,
        median=quantities.percent(shown.median),
        outlying=quantities.percent(min(1.0, shown.outlying)),
    )


def ranges(lines: Sequence[int]) -> str:
    """``12–18, 21``."""
    runs = groupby(enumerate(lines), key=lambda each: each[1] - each[0])
    ends = [(found[0], found[-1]) for found in ([line for _, line in run] for _, run in runs)]
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ends)


def location(found: Sequence[Lines], *, short: bool = False) -> str:
    """``matmul.cu 12–18, 21``; of several files each with its lines. ``short``: a single file is not named."""
    if short and len(found) == 1:
        return ranges(found[0].lines)
    return "; ".join(f"{each.file} {ranges(each.lines)}" for each in found)


def uncompared(report: SimilarityReport) -> Iterator[Reason]:
    """For each view and cause, which submissions are not compared."""

    def cause(found: tuple[View, Reason, ComparedWork]) -> tuple[str, str]:
        return found[0].value, repr(found[1])

    listed = sorted(((each.view, each.reason, each.work) for each in report.uncompared), key=cause)
    for _, group in groupby(listed, key=cause):
        same = list(group)
        yield reason(
            "not-compared",
            count=len(same),
            view=VIEW_TITLES[same[0][0]],
            students=first_of([work.student for _, _, work in same], _NAMED),
            why=same[0][1],
        )
