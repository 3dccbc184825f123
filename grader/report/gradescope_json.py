"""A report as Gradescope's ``results.json``: a test for each line of the rubric and for each case."""

from collections.abc import Iterator
from typing import Any

from grader.messages import ENGLISH, Speech
from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report import feedback_text, quantities
from grader.report.redact import redact
from grader.report.summary import best_speedup
from grader.report.text import MESSAGE_LIMIT, safe_text

TEXT = "text"
"""The format of every output: nothing of a submission is markup."""


def document(
    report: Report, speech: Speech = ENGLISH, *, visibility: str = "visible", leaderboard: bool = True
) -> dict[str, Any]:
    """``report`` as its student may read it. Lines of the rubric have points, and cases have a status.

    ``visibility`` is in Gradescope's words. Standard output is for staff only.
    """
    shown = redact(report)
    found: dict[str, Any] = {
        "score": report.score,
        "output": "\n".join(feedback_text.brief(shown, speech.language)),
        "output_format": TEXT,
        "test_output_format": TEXT,
        "test_name_format": TEXT,
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": [*_rubric(shown, speech), *_cases(shown, speech)],
        "extra_data": {"verdict": report.verdict.value, "lab": report.lab},
    }
    if leaderboard:
        found["leaderboard"] = list(_leaderboard(report, speech))
    return found


def limited(results: dict[str, Any], message: str, mark: str) -> dict[str, Any]:
    """The ``results`` of an earlier submission for one that is not graded, with ``message``, marked by ``mark``."""
    return {**results, "output": message, "output_format": TEXT, "extra_data": {mark: True}}


def _rubric(report: Report, speech: Speech) -> Iterator[dict[str, Any]]:
    for part in report.parts:
        yield {
            "name": safe_text(speech(quantities.title(part))),
            "score": part.score,
            "max_score": part.max_score,
            "output": safe_text(speech(part.reason), MESSAGE_LIMIT),
        }


def _cases(report: Report, speech: Speech) -> Iterator[dict[str, Any]]:
    for kernel in report.kernels:
        for case in kernel.cases:
            passed = case.verdict.earns_correctness
            yield {
                "name": safe_text(f"{kernel.name}: {case.name}"),
                "status": "passed" if passed else "failed",
                "output": safe_text(speech(case.reason), MESSAGE_LIMIT),
            }


def _leaderboard(report: Report, speech: Speech) -> Iterator[dict[str, Any]]:
    speedup = best_speedup(report)
    if report.verdict is Verdict.ACCEPTED and speedup is not None:
        yield {"name": speech.says("column-speedup"), "value": round(speedup.value, 3), "order": "desc"}
