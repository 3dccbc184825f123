"""A report as check50 writes its results: a check for each case, and one for the build that the others depend on."""

from collections.abc import Iterator
from typing import Any

from grader import __version__
from grader.messages import ENGLISH, Speech
from grader.model.reason import Reason
from grader.model.report import KernelReport, Report
from grader.model.verdict import Verdict
from grader.report.json_files import dump
from grader.report.text import MESSAGE_LIMIT, safe_text


def document(report: Report, speech: Speech = ENGLISH) -> dict[str, Any]:
    """``report`` in the form of check50's ``--output json``. Redact it first if a student reads it.

    ``passed`` is true, false, or null for what did not run: behind a build that failed, or because the machine failed.
    """
    return {
        "slug": safe_text(report.lab),
        "version": __version__,
        "results": list(_results(report, speech)),
    }


def encoded(report: Report, speech: Speech = ENGLISH) -> bytes:
    """``document`` as JSON."""
    return dump(document(report, speech))


def _results(report: Report, speech: Speech) -> Iterator[dict[str, Any]]:
    if not report.kernels:
        yield _check(report.file, report.verdict, report.reason, speech)
    for kernel in report.kernels:
        builds = kernel.verdict is not Verdict.FAILED_TO_BUILD
        name = f"{kernel.name}: builds"
        yield _check(name, Verdict.ACCEPTED if builds else kernel.verdict, kernel.reason, speech)
        for case in kernel.cases:
            checked = f"{kernel.name}: {case.name}"
            yield _check(checked, case.verdict if builds else None, case.reason, speech, name)
        if builds and not _explained(kernel):
            yield _check(kernel.name, kernel.verdict, kernel.reason, speech, name)


def _explained(kernel: KernelReport) -> bool:
    """Whether the cases show the kernel's verdict; one may fail after them."""
    return any(case.verdict is kernel.verdict for case in kernel.cases)


def _check(
    name: str, verdict: Verdict | None, said: Reason, speech: Speech, dependency: str | None = None
) -> dict[str, Any]:
    ran = verdict not in {None, Verdict.NOT_GRADABLE}
    passed = verdict is Verdict.ACCEPTED if ran else None
    rationale = None if passed else safe_text(speech(said), MESSAGE_LIMIT)
    return {
        "name": safe_text(name),
        "description": safe_text(name),
        "passed": passed,
        "log": [],
        "cause": None if rationale is None else {"rationale": rationale, "help": None},
        "data": {} if verdict is None else {"verdict": verdict.value},
        "dependency": None if dependency is None else safe_text(dependency),
    }
