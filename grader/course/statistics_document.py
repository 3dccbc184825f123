"""The statistics of a lab as the document that programs read."""

from datetime import UTC, datetime

from grader import __version__
from grader.course.mistakes import Mistake
from grader.course.statistics import LabStatistics
from grader.messages import ENGLISH
from grader.report.distribution import Distribution
from grader.report.statistics_json import (
    SCHEMA_VERSION,
    CaseCount,
    MistakeCluster,
    Spread,
    StatisticsDocument,
    VerdictCount,
)


def statistics_document(found: LabStatistics) -> StatisticsDocument:
    """``found`` as it is now."""
    summary = found.summary
    return StatisticsDocument(
        schema_version=SCHEMA_VERSION,
        grader_version=__version__,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        lab=summary.lab,
        submissions=summary.submissions,
        verdicts=tuple(VerdictCount(verdict=each.value, count=count) for each, count in summary.verdicts),
        score=_spread(summary.score),
        parts=tuple(map(_spread, summary.parts)),
        cases=tuple(
            CaseCount(kernel=case.kernel, case=case.case, failed=case.failed, ran=case.ran)
            for case in found.cases
        ),
        mistakes=tuple(map(_mistake, found.mistakes)),
    )


def _spread(found: Distribution) -> Spread:
    return Spread(title=ENGLISH(found.title), most=found.most, median=found.median, counts=found.counts)


def _mistake(found: Mistake) -> MistakeCluster:
    return MistakeCluster(
        kind=found.kind.value,
        severity=found.severity.value,
        code=found.message.code,
        message=ENGLISH(found.message),
        file=found.location.file,
        line=found.location.line,
        source=found.source,
        students=found.students,
    )
