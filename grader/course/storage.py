"""Everything that is stored: back it up, and restore it."""

from dataclasses import dataclass
from pathlib import Path

from grader.config import Config
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


def _content(manifest: Manifest) -> Content:
    rows = {table.name: table.rows for table in manifest.tables}
    return Content(
        submissions=rows.get("submissions", 0),
        scores=rows.get("scores", 0),
        decisions=rows.get("decisions", 0),
        created_at=manifest.created_at,
    )
