"""What the store keeps, as values: submissions, facts, scores, decisions, events and claims.

A digest is a SHA-256 in hexadecimal. Every time has a time zone; the store keeps microseconds.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from enum import StrEnum

from grader.digests import value_digest
from grader.model.reason import Reason
from grader.model.report import EngineInfo, Report, Speedup
from grader.model.submission import Language, SubmissionIdentity
from grader.model.verdict import Verdict
from grader.store.rulings import FlagReview, Ruling

Students = str | frozenset[str] | None
"""One student, several, or everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionKey:
    """One student's submission to one lab; ``digest`` is ``Submission.digest``."""

    student: str
    lab: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSubmission:
    """A submission that was received. ``path`` is its origin, for messages; ``submitted_at`` the first time it came."""

    key: SubmissionKey
    language: Language
    path: str
    submitted_at: datetime

    @property
    def identity(self) -> SubmissionIdentity:
        """The submission without its files."""
        return SubmissionIdentity(
            student=self.key.student, lab=self.key.lab, language=self.language, path=self.path
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsKey:
    """Everything that determines the facts about a submission, so that equal keys need no second run.

    ``submission`` is ``Submission.digest``: equal files of two students have the same facts. ``lab_code`` is the
    digest of what the lab runs, ``toolchain`` that of what compiles, runs and checks. ``trusted`` as in ``Isolation``.
    """

    submission: str
    lab: str
    lab_code: str
    engine: EngineInfo
    toolchain: str
    trusted: bool

    @property
    def digest(self) -> str:
        """SHA-256 over all of it."""
        return value_digest(astuple(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFacts:
    """The facts about one submission as an encoded document of ``version``; the store does not look inside.

    The inputs were drawn from ``seed``, so that another run can draw the same; ``seconds`` is the duration of the run.
    """

    key: FactsKey
    version: int
    data: bytes
    seed: int
    created_at: datetime
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewScore:
    """A report to store, and where it comes from.

    ``facts`` is the digest of the facts' key; ``rubric`` is the digest of the points and thresholds that were applied
    to them. Without facts, for example if the submission did not run, ``facts`` is ``None``.
    """

    key: SubmissionKey
    facts: str | None
    lab_code: str
    rubric: str
    engine: EngineInfo
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Why staff must review a submission: the first suspicious kernel, and its reason."""

    kernel: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BestKernel:
    """The accepted kernel with the best speedup.

    ``engine`` timed it, where that is not the one that grades: whole programs run on the device of their lab.
    """

    kernel: str
    speedup: Speedup
    engine: EngineInfo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A stored score, without its report: enough for boards, lists and tables.

    ``lab_version`` is the version in the lab's manifest, ``lab_code`` the digest of what the lab ran. A larger ``id``
    is newer.
    """

    id: int
    key: SubmissionKey
    language: Language
    path: str
    facts: str | None
    lab_code: str
    lab_version: str
    rubric: str
    engine: EngineInfo
    verdict: Verdict
    reason: Reason
    score: float
    max_score: float
    flag: Flag | None
    best: BestKernel | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of staff. ``submission`` is the digest it is about, or ``None`` for whatever the student submits."""

    student: str
    lab: str
    submission: str | None
    ruling: Ruling
    who: str
    why: str
    decided_at: datetime

    def applies_to(self, score: Score) -> bool:
        """Whether the decision is about the work behind ``score``."""
        if (self.student, self.lab) != (score.key.student, score.key.lab):
            return False
        if self.submission not in {None, score.key.digest}:
            return False
        if isinstance(self.ruling, FlagReview):
            return self.ruling.lab_code in {None, score.lab_code} and self.ruling.engine == score.engine
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A score with a flag, and every decision about it, oldest first."""

    score: Score
    decisions: Sequence[Decision]


class EventKind(StrEnum):
    """What happened."""

    SUBMITTED = "submitted"
    ATTEMPTED = "attempted"
    ENROLLED = "enrolled"
    GRADED = "graded"
    RESCORED = "rescored"
    DECIDED = "decided"
    FORGOTTEN = "forgotten"
    PRUNED = "pruned"
    INVITED = "invited"
    CONFIGURED = "configured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the audit trail. Fields that do not apply are empty."""

    kind: EventKind
    at: datetime
    student: str = ""
    lab: str = ""
    submission: str = ""
    who: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right of ``owner`` to work on ``key`` until ``lease_until``."""

    key: str
    owner: str
    lease_until: datetime
