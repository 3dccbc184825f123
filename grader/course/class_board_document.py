"""The boards of a lab as the document that programs read."""

from datetime import UTC, datetime

from grader import __version__
from grader.course.class_board import ClassBoard
from grader.report.public_leaderboard import Leaderboards, public_leaderboards


def class_board_document(found: ClassBoard, now: datetime) -> Leaderboards:
    """``found``, the names on which are public already. A frozen board keeps the time at which it was frozen."""
    made = found.frozen_at or now
    return public_leaderboards(
        found.boards,
        str,
        grader_version=__version__,
        created_at=made.astimezone(UTC).isoformat(timespec="seconds"),
    )
