"""The ports of the store: one small protocol for each idea, and ``Store``, which holds them.

Several processes may use one store at once. Every method raises ``UserError``, one line with a hint, if the store
cannot be read or written. When a method that writes returns, the change survives the end of the process and, if the
disk honours flushes, of the machine. No method deletes what it cannot read.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Protocol

from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import SourceFile, Submission
from grader.store.account_ports import Accounts, Sessions, Tokens
from grader.store.attempts import Attempt, RecordedAttempt
from grader.store.device_links import DeviceLinks
from grader.store.job_ports import Jobs, Workers
from grader.store.lti_ports import Platforms, Pushes
from grader.store.people import IdSystem, Person
from grader.store.person_data import PersonData
from grader.store.regrade_tables import RowState
from grader.store.regrades import Closing, Proposal, Regrade, RegradeRow
from grader.store.values import (
    Claim,
    Decision,
    Event,
    FactsKey,
    Flagged,
    NewScore,
    Score,
    StoredFacts,
    StoredSubmission,
    Students,
    SubmissionKey,
)


class Submissions(Protocol):
    """Received submissions and their files, by content."""

    def put(self, submission: Submission, at: datetime) -> StoredSubmission:
        """Keep ``submission``, received ``at``. The same work again only adds files that were missing."""

    def find(self, key: SubmissionKey) -> StoredSubmission | None:
        """The submission with exactly this key."""

    def list(self, lab: str | None = None, student: Students = None) -> tuple[StoredSubmission, ...]:
        """Every submission, of a lab and of students or of all; in the order they came."""

    def files(self, key: SubmissionKey) -> tuple[SourceFile, ...]:
        """The files of a submission; none if it is unknown or an older release kept no copy."""


class LabVersions(Protocol):
    """The parts of each version of a lab's code or rubric, so that a change can be named."""

    def put(self, digest: str, parts: Mapping[str, str]) -> None:
        """Keep the digests of the ``parts`` of the version ``digest``, by name."""

    def parts(self, digest: str) -> Mapping[str, str]:
        """The digests of the parts of a version; empty if it is unknown."""


class FactsStore(Protocol):
    """Facts about submissions: one document for each key."""

    def put(self, facts: StoredFacts, *, replace: bool = False) -> StoredFacts:
        """Keep ``facts``. Returns: what is stored under the key, which is the older document unless ``replace``."""

    def find(self, key: FactsKey) -> StoredFacts | None:
        """The facts with exactly this key."""

    def read(self, digest: str) -> StoredFacts | None:
        """The facts with this digest of their key."""

    def known(self, keys: Iterable[FactsKey]) -> frozenset[FactsKey]:
        """Those of ``keys`` that have facts, without reading the facts."""


class Scores(Protocol):
    """Scores with their reports. A score that is put later is newer."""

    def put(self, score: NewScore, at: datetime) -> Score:
        """Store ``score`` as the newest.

        Raises: ``ValueError`` if its submission or facts are not stored, or its report cannot be stored faithfully (a
        number that is not finite, text that is not Unicode).
        """

    def put_all(self, scores: Collection[NewScore], at: datetime) -> tuple[Score, ...]:
        """Store ``scores`` in their order, all of them or none. Raises: ``ValueError`` as ``put`` does."""

    def find(self, key: SubmissionKey, facts: str | None, rubric: str) -> Score | None:
        """The newest score of a submission from these facts by this rubric."""

    def latest(self, student: str, lab: str) -> Score | None:
        """The newest score of one student's work on one lab."""

    def latest_all(self, lab: str | None = None, engine: EngineKind | None = None) -> tuple[Score, ...]:
        """The newest score of every student and lab, of one lab or on one engine; by lab and student."""

    def history(self, lab: str | None = None, student: Students = None) -> tuple[Score, ...]:
        """Every score, of a lab and of students or of all; the newest first."""

    def comparable(self, lab: str | None = None, student: str | None = None) -> tuple[Score, ...]:
        """The newest score of every submission to the current version of its lab, one for each device.

        Of one lab or student or all.

        A lab's current version is the ``lab_code`` of its newest score: a changed case or rung changes the speedups of
        the same work. Of two scores of one submission on one device the newer counts, so that a submission which a
        newer grader rejects does not stay accepted. The newest score comes first.
        """

    def left_out(self, lab: str | None = None) -> int:
        """How many scores are of an older version of their lab, so that they cannot be compared."""

    def boards(self, lab: str | None = None) -> tuple[Score, ...]:
        """Of the comparable accepted scores, each student's fastest for a board; the fastest first.

        A board has one lab version, language, engine, device and kind of speedup.
        """

    def flagged(self, lab: str | None = None) -> tuple[Flagged, ...]:
        """The comparable scores with a flag, and the decisions about each; the oldest score first."""

    def report(self, score: Score) -> Report:
        """The report of ``score``."""

    def reports(self, scores: Collection[Score]) -> Mapping[int, Report]:
        """The reports of ``scores`` by ``Score.id``."""


class Decisions(Protocol):
    """Decisions of staff; none is ever changed."""

    def add(self, decision: Decision) -> None:
        """Append ``decision``."""

    def list(self, lab: str | None = None, student: Students = None) -> tuple[Decision, ...]:
        """Every decision, of a lab and of students or of all; the oldest first."""

    def newest(
        self, lab: str | None = None, student: str | None = None, *, skip: int = 0, limit: int = 100
    ) -> tuple[Decision, ...]:
        """Decisions of one lab or student or all, newest first, without the first ``skip``."""

    def count(self, lab: str | None = None, student: str | None = None) -> int:
        """How many decisions there are, of one lab or student or all."""


class Events(Protocol):
    """The audit trail. The other ports write to it what they do."""

    def add(self, event: Event) -> None:
        """Append ``event``."""

    def list(
        self, lab: str | None = None, student: str | None = None, limit: int = 1000
    ) -> tuple[Event, ...]:
        """The newest ``limit`` events, of one lab or student or all, newest first."""

    def revisions(self) -> Mapping[str, tuple[int, int]]:
        """A value for each student that differs after every event about them; that of ``""`` is about no student."""


class Claims(Protocol):
    """Who works on what, so that graders on one store share the work. The database's clock decides about leases."""

    def claim(self, key: str, owner: str, seconds: float) -> bool:
        """Take ``key`` for ``owner`` for some ``seconds``, unless another owner holds it; a lapsed lease is free."""

    def extend(self, owner: str, seconds: float) -> int:
        """Renew every claim of ``owner`` to end ``seconds`` from now. Returns: how many it still holds."""

    def release(self, key: str, owner: str) -> bool:
        """Give ``key`` back. Returns: whether ``owner`` held it."""

    def holder(self, key: str) -> Claim | None:
        """The claim on ``key`` that has not lapsed."""


class Rates(Protocol):
    """Token buckets, which all processes on one store share. The database's clock fills them."""

    def take(self, key: str, burst: int, seconds: float) -> float:
        """Take one use from the bucket ``key`` of ``burst`` uses, into which one comes back in each ``seconds``.

        Returns: 0, or the seconds until there is one; then nothing was taken.
        """


class Attempts(Protocol):
    """Each time that a student submitted. Deadlines go by them; a submission is only content."""

    def put_all(self, attempts: Iterable[Attempt]) -> tuple[Attempt, ...]:
        """Add those of ``attempts`` with an unknown student, lab and source. Returns: what was added.

        All of them or none.
        """

    def list(self, lab: str | None = None, student: Students = None) -> tuple[Attempt, ...]:
        """Every attempt, of a lab and of students or of all; by time of submission."""

    def recorded(self, student: str, lab: str | None = None) -> tuple[RecordedAttempt, ...]:
        """The attempts of ``student`` with their ids, for one lab or all; by time of submission."""

    def page(
        self, most: int, before: int | None = None, lab: str | None = None, student: str | None = None
    ) -> tuple[RecordedAttempt, ...]:
        """At most ``most`` attempts with ids below ``before``, of one lab or student or all; the newest id first."""

    def find(self, attempt: int) -> RecordedAttempt | None:
        """The attempt with this id."""


class People(Protocol):
    """The roster: the students of the course, and who they are in other systems."""

    def put_all(self, people: Collection[Person]) -> None:
        """Add ``people``, and replace those of the same id as a whole; all or none.

        Raises: ``ValueError`` if two people would have one id of another system.
        """

    def find(self, id: str) -> Person | None:  # noqa: A002 - the field's name
        """The person with this id."""

    def list(self) -> tuple[Person, ...]:
        """Everybody, by id."""

    def by_id(self, system: IdSystem) -> Mapping[str, Person]:
        """The people whom ``system`` knows, by their ids there."""


class Regrades(Protocol):
    """Regrade sets: new scores beside those that count, until they are applied or discarded, by row or all."""

    def create(
        self, scores: Collection[Score], who: str, why: str, at: datetime, *, fresh: bool
    ) -> int | None:
        """Make a set of the newest ``scores``. Returns: its id; ``None`` if one of them is in an open set already."""

    def list(self) -> tuple[Regrade, ...]:
        """Every set, the oldest first."""

    def rows(self, regrade: int) -> tuple[RegradeRow, ...]:
        """The rows of a set, by lab and student; none if it is unknown."""

    def state(self, row: RegradeRow) -> RowState | None:
        """The state of ``row`` now; ``None`` if it was erased."""

    def propose(self, row: RegradeRow, proposal: Proposal) -> bool:
        """Store what a run proposes for ``row``. Returns: whether the row was waiting; else nothing changes."""

    def settle(self, row: RegradeRow, state: RowState) -> bool:
        """Close ``row`` as unchanged or superseded. Returns: whether it was waiting; else nothing changes."""

    def apply(self, regrade: int, closing: Closing) -> tuple[RegradeRow, ...]:
        """Let the proposed scores count, all or none: each becomes the newest of its student, in the audit list.

        A row is superseded if its student has a newer score since. Applying again does nothing.
        Returns: the rows that this call closed.
        """

    def discard(self, regrade: int, closing: Closing) -> tuple[RegradeRow, ...]:
        """Close rows without a change, proposed ones in the audit list. Returns: the rows that this call closed."""


class Store(Protocol):
    """All ports on one database."""

    @property
    def submissions(self) -> Submissions:
        """Received submissions and their files."""

    @property
    def lab_versions(self) -> LabVersions:
        """The parts of versions of labs."""

    @property
    def facts(self) -> FactsStore:
        """Facts about submissions."""

    @property
    def scores(self) -> Scores:
        """Scores with their reports."""

    @property
    def decisions(self) -> Decisions:
        """Decisions of staff."""

    @property
    def regrades(self) -> Regrades:
        """Regrade sets."""

    @property
    def events(self) -> Events:
        """The audit trail."""

    @property
    def claims(self) -> Claims:
        """Who works on what."""

    @property
    def rates(self) -> Rates:
        """How often somebody may do something."""

    @property
    def attempts(self) -> Attempts:
        """Each time that a student submitted."""

    @property
    def people(self) -> People:
        """The roster."""

    @property
    def jobs(self) -> Jobs:
        """The queue."""

    @property
    def workers(self) -> Workers:
        """The workers that the dispatcher knows."""

    @property
    def platforms(self) -> Platforms:
        """Course systems that speak LTI."""

    @property
    def pushes(self) -> Pushes:
        """The grades on their way to course systems."""

    @property
    def accounts(self) -> Accounts:
        """Who may sign in."""

    @property
    def sessions(self) -> Sessions:
        """Browsers that are signed in."""

    @property
    def tokens(self) -> Tokens:
        """Programs that act for a person."""

    @property
    def device_links(self) -> DeviceLinks:
        """Programs that wait until a person confirms them."""

    def forget(self, student: str, lab: str | None = None, record: Decision | None = None) -> int:
        """Remove everything about a student's work on one lab or all. Returns: how many scores that were.

        Without a lab the student also leaves the roster. If something was there, ``record`` is added in the same
        transaction.
        """

    def person_data(self, student: str) -> PersonData:
        """Every row about a student, and the files that they submitted; of nobody else."""

    def prune(self, keep: int) -> int:
        """Remove all but the newest ``keep`` scores of each student's work on a lab, and facts that no score has left.

        Returns: how many scores were removed. Submissions and decisions stay.
        """

    def close(self) -> None:
        """Close connections and files."""
