"""One student's feedback as plain text, in the student's language."""

from collections.abc import Iterator
from functools import partial

from grader.messages import render as render_reason
from grader.messages.rendering import render_location, word
from grader.model.reason import Param, Reason
from grader.model.report import KernelReport, Report, ResultsDocument
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.report import quantities
from grader.report.annotate import Finding, findings
from grader.report.feedback import moment, reports_of
from grader.report.summary import has_score
from grader.report.text import MESSAGE_LIMIT, safe_text


def render(student: str, document: ResultsDocument, language: str = "en") -> str:
    """The student's submissions in ``document``, redacted. Raises: ``ValueError`` for an unknown language."""
    return "\n".join(_Writer(language).lines(student, document)) + "\n"


class _Writer:
    """Writes in one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._word = partial(word, language=language)

    def lines(self, student: str, document: ResultsDocument) -> Iterator[str]:
        yield self._label("feedback-for", student=student)
        yield self._label("feedback-as-of", moment=moment(document))
        if document.engine.kind is EngineKind.EMULATOR:
            yield self._label("feedback-modelled")
        reports = reports_of(student, document)
        if not reports:
            yield from ("", self._label("feedback-nothing"))
        for report in reports:
            yield ""
            yield from self._report(report)

    def _report(self, report: Report) -> Iterator[str]:
        most = quantities.points(report.max_score)
        points = (
            self._label("feedback-points", score=quantities.score(report), most=most)
            if has_score(report)
            else self._label("feedback-no-grade")
        )
        yield f"{safe_text(report.lab)}: {self._word(report.verdict)}, {points}"
        yield f"  {self._say(report.reason)}"
        found = findings(report)
        if found:
            yield f"  {self._label('feedback-findings')}"
        for finding in found:
            yield from self._finding(finding)
        if report.parts:
            yield f"  {self._label('feedback-rubric')}"
        for part in report.parts:
            score = quantities.points(part.score) if has_score(report) else quantities.NOTHING
            yield (
                f"    {score} / {quantities.points(part.max_score)}  "
                f"{safe_text(part.name, MESSAGE_LIMIT)}: {self._say(part.reason)}"
            )
        for kernel in report.kernels:
            yield from self._kernel(kernel)

    def _finding(self, finding: Finding) -> Iterator[str]:
        diagnostic = finding.diagnostic
        where = f", {safe_text(render_location(finding.location, self._language))}" if diagnostic.line else ""
        kernel = f" ({safe_text(finding.kernel)})" if finding.kernel else ""
        yield f"    {self._word(diagnostic.severity)}: {self._word(diagnostic.kind)}{where}{kernel}"
        yield f"      {self._say(diagnostic.message)}"
        if diagnostic.advice:
            yield f"      {self._label('finding-try')} {self._say(diagnostic.advice)}"

    def _kernel(self, kernel: KernelReport) -> Iterator[str]:
        time = "" if kernel.seconds is None else f", {quantities.seconds(kernel.seconds)}"
        speedup = kernel.speedup
        if speedup is not None:
            over = self._label("feedback-over", baseline=speedup.baseline)
            time += f", {quantities.times(speedup.value)} {self._word(speedup.kind)} {over}"
        yield f"  {safe_text(kernel.name)}: {self._word(kernel.verdict)}{time}"
        for case in kernel.cases:
            if case.verdict is not Verdict.ACCEPTED:
                yield f"    {safe_text(case.name)}: {self._say(case.reason)}"

    def _label(self, code: str, /, **params: Param) -> str:
        return self._say(Reason(code=code, params=params))

    def _say(self, said: Reason) -> str:
        return safe_text(render_reason(said, self._language), MESSAGE_LIMIT)
