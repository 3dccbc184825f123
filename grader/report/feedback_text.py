"""One student's feedback as plain text, in the student's language."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.messages import Speech
from grader.messages.rendering import render_location
from grader.model.reason import Param, Reason
from grader.model.report import KernelReport, Report, ResultsDocument
from grader.model.verdict import Verdict
from grader.report import quantities
from grader.report.annotate import Finding, findings
from grader.report.feedback import case_groups, reports_of
from grader.report.rubric import next_step, rubric_lines
from grader.report.summary import has_score
from grader.report.text import MESSAGE_LIMIT, safe_text


def render(student: str, document: ResultsDocument, language: str = "en") -> str:
    """The student's submissions in ``document``, redacted. Raises: ``ValueError`` for an unknown language."""
    return "\n".join(_Writer(Speech(language)).lines(student, document)) + "\n"


def brief(report: Report, language: str = "en") -> tuple[str, ...]:
    """The verdict on a redacted report and what follows from it, a line each."""
    return tuple(line.strip() for line in _Writer(Speech(language)).summary(report))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes lines in one language."""

    speech: Speech

    def lines(self, student: str, document: ResultsDocument) -> Iterator[str]:
        yield self._label("feedback-for", student=student)
        yield self._label(
            "feedback-as-of", moment=quantities.moment(document.created_at, self.speech.language)
        )
        if quantities.is_modelled(document.engine):
            yield self._label("feedback-modelled")
        reports = reports_of(student, document)
        if not reports:
            yield from ("", self._label("feedback-nothing"))
        for report in reports:
            yield ""
            yield from self._report(report)

    def summary(self, report: Report) -> Iterator[str]:
        figure = self.speech.figure
        most = figure(quantities.points(report.max_score))
        points = (
            self._label("feedback-points", score=figure(quantities.score(report)), most=most)
            if has_score(report)
            else self._label("feedback-no-grade")
        )
        yield f"{safe_text(report.lab)}{self.speech.colon}{self.speech.word(report.verdict)}, {points}"
        yield f"  {self._say(report.reason)}"
        if (adjusted := quantities.adjustment_note(report)) is not None:
            yield f"  {self._say(adjusted)}"
        if (waiting := quantities.waiting_note(report)) is not None:
            yield f"  {self._say(waiting)}"
        if (following := next_step(report)) is not None:
            yield f"  {self._say(following)}"

    def _report(self, report: Report) -> Iterator[str]:
        yield from self.summary(report)
        figure = self.speech.figure
        found = findings(report)
        if found:
            yield f"  {self._label('feedback-findings')}"
        for finding in found:
            yield from self._finding(finding)
        if report.parts:
            yield f"  {self._label('feedback-rubric')}"
        for part in rubric_lines(report.parts):
            score = figure(quantities.points(part.score)) if has_score(report) else quantities.NOTHING
            yield (
                f"    {score} / {figure(quantities.points(part.max_score))}  "
                f"{self._say(quantities.title(part))}{self.speech.colon}{self._say(part.reason)}"
            )
        for kernel in report.kernels:
            yield from self._kernel(kernel)

    def _finding(self, finding: Finding) -> Iterator[str]:
        diagnostic = finding.diagnostic
        where = (
            f", {safe_text(render_location(finding.location, self.speech.language))}"
            if diagnostic.line
            else ""
        )
        kernel = f" ({safe_text(finding.kernels)})" if finding.kernels else ""
        severity = f"{self.speech.word(diagnostic.severity)}{self.speech.colon}"
        yield f"    {severity}{self.speech.word(diagnostic.kind)}{where}{kernel}"
        yield f"      {self._say(diagnostic.message)}"
        if diagnostic.advice:
            yield f"      {self._label('finding-try')} {self._say(diagnostic.advice)}"

    def _kernel(self, kernel: KernelReport) -> Iterator[str]:
        time = "" if kernel.seconds is None else f", {self.speech.figure(quantities.seconds(kernel.seconds))}"
        speedup = kernel.speedup
        if speedup is not None:
            over = self._label("feedback-over", baseline=speedup.baseline)
            time += f", {self.speech.figure(quantities.times(speedup.value))} {self.speech.word(speedup.kind)} {over}"
        yield f"  {safe_text(kernel.name)}{self.speech.colon}{self.speech.word(kernel.verdict)}{time}"
        for group in case_groups(kernel.cases):
            if group.verdict is not Verdict.ACCEPTED:
                names = safe_text(", ".join(group.names), MESSAGE_LIMIT)
                said = self._say(group.reason) if group.reason else self.speech.word(group.verdict)
                yield f"    {names}{self.speech.colon}{said}"

    def _label(self, code: str, /, **params: Param) -> str:
        return self._say(Reason(code=code, params=params))

    def _say(self, said: Reason) -> str:
        return safe_text(self.speech(said), MESSAGE_LIMIT)
