"""Score stored facts by the rubric that applies now; nothing runs."""

from collections.abc import Collection
from datetime import UTC, datetime

from grader.course.versions import LabVersions
from grader.course.workspace import Workspace
from grader.judge.score import score
from grader.model.facts import FACTS_VERSION, decode_facts
from grader.model.report import Report
from grader.model.submission import SubmissionIdentity
from grader.store.ports import Store
from grader.store.values import NewScore, Score, StoredFacts, SubmissionKey


class Scorer:
    """Scores facts of a store by the rubrics of a workspace."""

    def __init__(self, workspace: Workspace, store: Store, labs: LabVersions) -> None:
        self._workspace = workspace
        self._store = store
        self._labs = labs
        self._kept: set[str] = set()

    def report(self, identity: SubmissionIdentity, facts: StoredFacts) -> Report | None:
        """The report on a submission by the rubric that applies now; ``None`` if another release stored the facts."""
        if facts.version != FACTS_VERSION:
            return None
        return score(
            decode_facts(facts.data),
            self._workspace.registry.get(identity.lab).manifest,
            identity,
            modelled_counts=self._workspace.config.scoring.modelled_speedups,
        )

    def new_score(self, key: SubmissionKey, facts: StoredFacts, report: Report) -> NewScore:
        """``report`` as a score to store."""
        return NewScore(
            key=key,
            facts=facts.key.digest,
            lab_code=facts.key.lab_code,
            rubric=self._labs.rubric(key.lab).digest,
            engine=facts.key.engine,
            report=report,
        )

    def keep(self, scores: Collection[NewScore]) -> tuple[Score, ...]:
        """Store ``scores`` as the newest of their students, with the versions that they are by."""
        for lab in {new.key.lab for new in scores}:
            self.keep_versions(lab)
        return self._store.scores.put_all(scores, datetime.now(UTC))

    def keep_versions(self, lab: str) -> None:
        """Store the parts of the lab's code and rubric, so that a later change can be named."""
        for version in (self._labs.code(lab), self._labs.rubric(lab)):
            if version.digest not in self._kept:
                self._store.lab_versions.put(version.digest, version.parts)
                self._kept.add(version.digest)
