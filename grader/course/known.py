"""What is known about a student's work on a lab."""

from dataclasses import dataclass

from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The latest result of a student's work on a lab: its verdict, and the digest of the submission."""

    verdict: Verdict
    submission: str
