"""Everything that is stored: back it up, restore it, and forget a student."""

from dataclasses import dataclass
from pathlib import Path

from grader.config import Config
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.reason import Reason, reason
from grader.store import backup as archive
from grader.store.archive import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a backup holds, and when it was made (ISO 8601 in UTC)."""

    submissions: int
    scores: int
    decisions: int
    created_at: str

    @property
    def in_words(self) -> tuple[Reason, ...]:
        """How much of each kind it holds."""
        return (
            reason("submissions-count", count=self.submissions),
            reason("results-count", count=self.scores),
            reason("decisions-count", count=self.decisions),
        )


def backup(config: Config, file: Path) -> Content:
    """Write everything in the store to ``file``. Raises: ``UserError`` if ``file`` exists or the store is empty."""
    return _content(archive.backup(config, file))


def restore(config: Config, file: Path) -> Content:
    """Fill the empty store from ``file``. Raises: ``UserError`` if it is not empty, or ``file`` is damaged."""
    return _content(archive.restore(file, config))


def forget(workspace: Workspace, student: str, lab: str | None, *, confirmed: bool) -> int:
    """Remove everything about a student's work on one lab or all. Returns: how many results that were.

    Raises: ``UserError`` if nothing is stored, or without being ``confirmed``.
    """
    where = "" if lab is None else f" for {lab}"
    with Records(workspace) as records:
        submissions = records.store.submissions.list(lab, student)
        decisions = records.store.decisions.list(lab, student)
        attempts = records.store.attempts.list(lab, student)
        person = records.store.people.find(student) if lab is None else None
        if not (submissions or decisions or attempts or person):
            msg = f"Nothing of {student}{where} is stored."
            raise UserError(msg, hint="Check the spelling of the name.")
        if not confirmed:
            msg = (
                f"This removes {len(submissions)} submissions of {student}{where} and their results for good."
            )
            raise UserError(msg, hint="Add --yes to do it.")
        return records.store.forget(student, lab)


def _content(manifest: Manifest) -> Content:
    rows = {table.name: table.rows for table in manifest.tables}
    return Content(
        submissions=rows.get("submissions", 0),
        scores=rows.get("scores", 0),
        decisions=rows.get("decisions", 0),
        created_at=manifest.created_at,
    )
