"""What staff and students decide or ask about submissions: the content of decisions, as values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from grader.model.report import EngineInfo
from grader.model.review import Decision as FlagDecision
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagReview:
    """A decision about a flag. It holds for one version of the lab's code on one device, where the flag was seen.

    ``lab_code`` is ``None`` in reviews of schema 1, because its versions cannot be compared with those of today: such a
    review holds for any.
    """

    outcome: FlagDecision
    lab_code: str | None
    engine: EngineInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """Points or a verdict that replace the graded ones; ``None`` leaves them. ``comment`` is for the student.

    ``max_points`` is what the lab gave when staff decided; decisions of earlier releases do not say it.
    """

    points: float | None = None
    max_points: float | None = None
    verdict: Verdict | None = None
    comment: str = ""

    @property
    def changes_nothing(self) -> bool:
        """Whether it withdraws an earlier override or excuse."""
        return self.points is None and self.verdict is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excuse:
    """The lab does not count for the student."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """A later due date: a moment, or whole days after the lab's own; neither withdraws an earlier extension."""

    until: datetime | None = None
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LineComment:
    """A comment of staff beside a line (1-based) of a submitted file; an empty text withdraws those at the line."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeRequest:
    """A student asks staff to look at the result again; the reason of the decision is the student's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeAnswer:
    """The answer of staff to the request; the reason of the decision is what the student reads."""

    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeOutcome:
    """A row of the regrade set ``regrade`` was applied, or discarded."""

    regrade: int
    applied: bool
    before: float
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """Staff publish the scores of a lab, or withdraw that; the decision is about no student."""

    published: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChoice:
    """A student appears on boards under ``nickname``, or on none; the decision is about no lab."""

    nickname: str
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFreeze:
    """Staff stop the board of a lab at the time of the decision, or let it go on; the decision is about no student."""

    frozen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureRequest:
    """A person asks staff to erase everything that is stored about them; the decision is about no lab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """A person was erased; the decision says neither who it was nor what was stored."""


Ruling = (
    FlagReview
    | Override
    | Excuse
    | Extension
    | LineComment
    | RegradeRequest
    | RegradeAnswer
    | RegradeOutcome
    | Publication
    | BoardChoice
    | BoardFreeze
    | ErasureRequest
    | Erasure
)
"""The content of a decision."""


class RulingKind(StrEnum):
    """The kinds of decisions."""

    REVIEW = "review"
    OVERRIDE = "override"
    EXCUSE = "excuse"
    EXTENSION = "extension"
    COMMENT = "comment"
    REQUEST = "request"
    ANSWER = "answer"
    REGRADE = "regrade"
    PUBLICATION = "publication"
    BOARD_CHOICE = "board-choice"
    BOARD_FREEZE = "board-freeze"
    ERASURE_REQUEST = "erasure-request"
    ERASURE = "erasure"
