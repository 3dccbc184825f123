"""The eight verdicts."""

from enum import StrEnum

from grader.model.reason import Reason, reason


class Verdict(StrEnum):
    """The outcome of a case, a kernel or a whole submission."""

    ACCEPTED = "accepted"
    WRONG = "wrong"
    FAILED_TO_BUILD = "failed to build"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OVER_THE_LIMIT = "over the limit"
    SUSPICIOUS = "suspicious"
    NOT_GRADABLE = "not gradable"

    @property
    def earns_correctness(self) -> bool:
        """Whether a case with this verdict counts as right (a suspicious speed may still be a right answer)."""
        return self in {Verdict.ACCEPTED, Verdict.SUSPICIOUS}


_SEVERITY = {
    Verdict.ACCEPTED: 0,
    Verdict.SUSPICIOUS: 1,
    Verdict.WRONG: 2,
    Verdict.OVER_THE_LIMIT: 3,
    Verdict.TIMED_OUT: 4,
    Verdict.CRASHED: 5,
    Verdict.FAILED_TO_BUILD: 6,
    Verdict.NOT_GRADABLE: 7,
}


def most_severe(verdicts: list[Verdict]) -> Verdict:
    """The most severe of ``verdicts``; ``accepted`` if there are none."""
    return max(verdicts, key=_SEVERITY.__getitem__, default=Verdict.ACCEPTED)


def all_cases_passed(cases: int) -> Reason:
    """The reason of the verdict ``accepted``."""
    return reason("all-cases-passed", count=cases)
