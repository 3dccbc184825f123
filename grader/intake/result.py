"""What intake hands on: submissions, hand-ins that cannot be graded as they are, and warnings."""

from dataclasses import dataclass

from grader.model.submission import Language, Submission
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A hand-in that cannot become a ``Submission``; its student is known and still gets a verdict.

    ``language`` is what the name of the hand-in says, CUDA C where it says nothing. ``verdict`` is
    ``over the limit`` or ``failed to build`` for the student's own doing, ``not gradable`` where a person must
    look first: two hand-ins under one name, a file this machine cannot read.
    """

    student: str
    lab: str
    language: Language
    path: str
    reason: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Everything found, in the order of lab and student. A warning is one printable line."""

    submissions: tuple[Submission, ...]
    rejected: tuple[Rejected, ...] = ()
    warnings: tuple[str, ...] = ()
