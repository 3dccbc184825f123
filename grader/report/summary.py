"""What a class looks like from above: the order of its reports, verdicts, which have a score, best_speedup speedups."""

from collections.abc import Iterable

from grader.model.report import Report, Speedup
from grader.model.text import natural_key
from grader.model.verdict import Verdict


def ordered(reports: Iterable[Report]) -> tuple[Report, ...]:
    """Reports by lab, then by student, in the order people expect (``student-2`` before ``student-10``)."""
    return tuple(
        sorted(reports, key=lambda r: (natural_key(r.lab), natural_key(r.student), r.lab, r.student, r.file)),
    )


def verdict_counts(reports: Iterable[Report]) -> tuple[tuple[Verdict, int], ...]:
    """How many reports ended with each verdict that occurs, in the order of ``Verdict``."""
    verdicts = [report.verdict for report in reports]
    return tuple((verdict, verdicts.count(verdict)) for verdict in Verdict if verdict in verdicts)


def trust_note(reports: Iterable[Report]) -> str:
    """A sentence on those that were graded on trust and the sandboxes they ran in; empty where there are none."""
    places = [report.isolation.sandbox for report in reports if report.isolation and report.isolation.trusted]
    if not places:
        return ""
    sandboxes = " and ".join(sorted(set(places)))
    which = "1 submission was" if len(places) == 1 else f"{len(places)} submissions were"
    return f"{which} trusted not to be hostile and ran in the {sandboxes} sandbox."


def has_score(report: Report) -> bool:
    """Whether its points say anything: what was not gradable is no zero, neither as a whole nor in a part."""
    return report.verdict is not Verdict.NOT_GRADABLE


def best_speedup(report: Report) -> Speedup | None:
    """The best speedup among the kernels that were accepted; a suspicious one waits for a person."""
    kernel = fastest(report)
    return None if kernel is None else kernel[1]


def fastest(report: Report) -> tuple[str, Speedup] | None:
    """The accepted kernel with the best speedup, by name, and that speedup."""
    accepted = [
        (kernel.name, kernel.speedup)
        for kernel in report.kernels
        if kernel.verdict is Verdict.ACCEPTED and kernel.speedup is not None
    ]
    return max(accepted, key=lambda pair: pair[1].value, default=None)
