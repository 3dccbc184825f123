"""Reports as JUnit XML, which continuous integration and editors read: a suite a submission, a test a case."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from grader.messages import ENGLISH, Speech
from grader.model.reason import Reason
from grader.model.report import KernelReport, Report
from grader.model.verdict import Verdict
from grader.report.files import write_atomically
from grader.report.text import MESSAGE_LIMIT, safe_text


@dataclass(frozen=True, slots=True)
class _Test:
    """One ``testcase``: ``group`` is its ``classname``."""

    group: str
    name: str
    verdict: Verdict
    reason: Reason


def dump(reports: Iterable[Report], speech: Speech = ENGLISH) -> bytes:
    """``reports`` as JUnit XML in UTF-8. Redact them first if a student reads it.

    ``message`` is in the language of ``speech``; ``type`` is the verdict as programs know it.

    A verdict other than ``accepted`` is a ``failure``; ``not gradable`` is an ``error``, because the machine failed.
    """
    root = ET.Element("testsuites", name="grader")
    suites = [_suite(root, report, speech) for report in reports]
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.attrib[count]) for suite in suites)))
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def write(path: Path, reports: Iterable[Report], speech: Speech = ENGLISH) -> None:
    """Write ``reports`` to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, dump(reports, speech))


def _suite(root: ET.Element, report: Report, speech: Speech) -> ET.Element:
    tests = list(_tests(report))
    errors = sum(test.verdict is Verdict.NOT_GRADABLE for test in tests)
    failures = sum(test.verdict is not Verdict.ACCEPTED for test in tests) - errors
    suite = ET.SubElement(
        root,
        "testsuite",
        name=f"{safe_text(report.lab)}: {safe_text(report.student)}",
        tests=str(len(tests)),
        failures=str(failures),
        errors=str(errors),
    )
    for test in tests:
        shown = ET.SubElement(suite, "testcase", classname=safe_text(test.group), name=safe_text(test.name))
        if test.verdict is not Verdict.ACCEPTED:
            kind = "error" if test.verdict is Verdict.NOT_GRADABLE else "failure"
            message = safe_text(speech(test.reason), MESSAGE_LIMIT)
            ET.SubElement(shown, kind, type=test.verdict.value, message=message)
    return suite


def _tests(report: Report) -> Iterator[_Test]:
    """The cases of each kernel; what failed as a whole is a test named after the kernel or the file."""
    if not report.kernels:
        yield _Test(report.lab, report.file, report.verdict, report.reason)
    for kernel in report.kernels:
        group = f"{report.lab}.{kernel.name}"
        for case in kernel.cases:
            yield _Test(group, case.name, case.verdict, case.reason)
        if not _explained(kernel):
            yield _Test(group, kernel.name, kernel.verdict, kernel.reason)


def _explained(kernel: KernelReport) -> bool:
    """Whether the cases show the kernel's verdict: one without cases did not build, one may fail after them."""
    return any(case.verdict is kernel.verdict for case in kernel.cases)
