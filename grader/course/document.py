"""Reports as a document; a student's check makes one without a store."""

from collections.abc import Iterable
from datetime import UTC, datetime

from grader import __version__
from grader.model.report import EngineInfo, Report, ResultsDocument


def results_document(engine: EngineInfo, reports: Iterable[Report]) -> ResultsDocument:
    """``reports`` as a document of this grader, made now."""
    return ResultsDocument(
        grader_version=__version__,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        engine=engine,
        reports=tuple(reports),
    )
