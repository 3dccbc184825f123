"""Scores as rows, and rows as scores."""

from typing import Any

from sqlalchemy import Row

from grader.model import results_v1
from grader.model.fastest import fastest
from grader.model.reason import Reason
from grader.model.report import EngineInfo, Report, Speedup
from grader.model.verdict import Verdict
from grader.store.documents import DamagedError, decode, decompress, encode
from grader.store.values import BestKernel, Flag, NewScore, Score, SubmissionKey

REPORT_VERSION = 2
"""Version of the stored reports; it rises when a reader of the old version would misread the new one.

Version 1 was the published results document of schema 1.
"""


def row_of(score: NewScore) -> dict[str, object]:
    """The columns of ``score`` apart from its id, submission and time. Raises: ``ValueError`` as ``Scores.put``."""
    report = score.report
    return {
        "student": score.key.student,
        "lab": score.key.lab,
        "facts": score.facts,
        "lab_code": score.lab_code,
        "lab_version": report.lab_version,
        "rubric": score.rubric,
        "engine": score.engine.kind,
        "device": score.engine.device,
        "verdict": report.verdict,
        "reason": _reason_text(report.reason),
        "score": report.score,
        "max_score": report.max_score,
        **_flag_columns(report),
        **_best_columns(report),
    }


def score_of(row: Row[Any]) -> Score:
    """The score in ``row``. Raises: ``DamagedError``."""
    return Score(
        id=row.id,
        key=SubmissionKey(student=row.student, lab=row.lab, digest=row.digest),
        language=row.language,
        path=row.path,
        facts=row.facts,
        lab_code=row.lab_code,
        lab_version=row.lab_version,
        rubric=row.rubric,
        engine=EngineInfo(kind=row.engine, device=row.device),
        verdict=row.verdict,
        reason=_reason(row.reason),
        score=row.score,
        max_score=row.max_score,
        flag=None
        if row.flag_kernel is None
        else Flag(kernel=row.flag_kernel, reason=_reason(row.flag_reason)),
        best=_best(row),
        created_at=row.created_at,
    )


def report_of(row: Row[Any]) -> Report:
    """The report in ``row`` of ``REPORTS``. Raises: ``DamagedError``."""
    data = decompress(row.data)
    if row.version == results_v1.SCHEMA_VERSION:
        return results_v1.report_value(decode(data, results_v1.Report))
    if row.version != REPORT_VERSION:
        msg = f"it has version {row.version}, and this grader reads version {REPORT_VERSION}"
        raise DamagedError(msg)
    return decode(data, Report)


def _reason_text(reason: Reason) -> str:
    return encode(reason, Reason).decode()


def _reason(text: str) -> Reason:
    return decode(text.encode(), Reason)


def _flag_columns(report: Report) -> dict[str, object]:
    kernel = next((each for each in report.kernels if each.verdict is Verdict.SUSPICIOUS), None)
    return {
        "flag_kernel": None if kernel is None else kernel.name,
        "flag_reason": None if kernel is None else _reason_text(kernel.reason),
    }


def _best_columns(report: Report) -> dict[str, object]:
    best = fastest(report)
    if best is None:
        return {}
    kernel, speedup = best
    return {
        "best_kernel": kernel,
        "speedup": speedup.value,
        "speedup_low": speedup.low,
        "speedup_high": speedup.high,
        "speedup_kind": speedup.kind,
        "speedup_baseline": speedup.baseline,
        "timed_engine": report.engine and report.engine.kind,
        "timed_device": report.engine and report.engine.device,
    }


def _best(row: Row[Any]) -> BestKernel | None:
    if row.best_kernel is None:
        return None
    speedup = Speedup(
        value=row.speedup,
        low=row.speedup_low,
        high=row.speedup_high,
        kind=row.speedup_kind,
        baseline=row.speedup_baseline,
    )
    engine = None if row.timed_engine is None else EngineInfo(kind=row.timed_engine, device=row.timed_device)
    return BestKernel(kernel=row.best_kernel, speedup=speedup, engine=engine)
