"""Result of intake: submissions, rejections, and warnings."""

from dataclasses import dataclass

from grader.model.reason import Reason
from grader.model.submission import Language, Submission
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A file or folder that cannot become a ``Submission``; its student is known and still gets a verdict.

    ``language`` is that of the file name's suffix, or the default one. ``verdict`` is ``over the limit`` or
    ``failed to build`` if the student can fix the problem, ``not gradable`` if staff must act first: names that
    differ and read alike, a file that the grader cannot read.
    """

    student: str
    lab: str
    language: Language
    path: str
    reason: Reason
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Everything that was found, ordered by lab and student, and what was not taken or needs a look."""

    submissions: tuple[Submission, ...]
    rejected: tuple[Rejected, ...] = ()
    warnings: tuple[Reason, ...] = ()
