"""The magics: ``%%grader check LAB``, ``%%grader submit LAB``, ``%grader status``, ``%grader board LAB``."""

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class
from rich.text import Text

from grader.client import credentials
from grader.client.course_server import CourseServer
from grader.client.errors import UnreachableError
from grader.client.files import lab_of
from grader.course import check as check_service
from grader.course.check import CheckRequest
from grader.course.document import results_document
from grader.course.language import spoken
from grader.course.select import submissions_at
from grader.course.workspace import Workspace, open_workspace
from grader.errors import GraderError
from grader.jupyter.arguments import parsed
from grader.jupyter.view import COLUMNS, Notebook, ReportView, TextView, plain
from grader.model.reason import as_written, reason
from grader.report.pages import submission_page
from grader.report.redact import Audience
from grader.report.terminal.overview import leaderboards
from grader.report.terminal.submission import single_report

_View = ReportView | TextView | None


@magics_class
class GraderMagics(Magics):
    """``%grader`` and ``%%grader``; the text of a cell is a submission in Numba."""

    @line_cell_magic
    def grader(self, line: str, cell: str | None = None) -> _View:
        """Check or submit the cell, or look at attempts. Raises: ``UsageError``, which a notebook shows as one line."""
        arguments = parsed(line, cell=cell is not None)
        try:
            workspace = open_workspace()
            shown = Notebook(spoken(None, workspace.config))
            if cell is None:
                return _LINES[arguments.command](arguments, shown)
            return _CELLS[arguments.command](arguments, cell, workspace, shown)
        except GraderError as error:
            raise UsageError(str(error)) from error


def _check(arguments: argparse.Namespace, cell: str, workspace: Workspace, shown: Notebook) -> _View:
    """Run the cell on the public cases, here."""
    with tempfile.TemporaryDirectory(prefix="grader-cell-") as folder:
        path = Path(folder, _file_name(arguments.lab))
        path.write_text(cell, encoding="utf-8")
        intake = submissions_at(path, workspace, arguments.lab)
        request = CheckRequest(intake=intake, cases=tuple(arguments.case))
        if arguments.seed is not None:
            request = replace(request, seed=arguments.seed)
        (checked,) = check_service.check(workspace, request, shown)
    shown.note(reason("inputs-of-seed", option=f"--seed {request.seed}"))
    files = checked.submission.files
    report, audience = checked.report, Audience.STUDENT
    return ReportView(
        text=plain(single_report(report, checked.engine, files, audience, speech=shown.speech)),
        page=submission_page.render(
            results_document(checked.engine, [report]),
            {(report.student, report.lab): files},
            audience,
            shown.speech.language,
        ),
    )


def _submit(arguments: argparse.Namespace, cell: str, workspace: Workspace, shown: Notebook) -> _View:
    """Submit the cell to the server of the course, and watch it."""
    del workspace
    server = _server(shown)
    lab = lab_of([], [each.name for each in server.labs().labs], arguments.lab)
    attempt = server.submit(lab, {_file_name(lab): cell.encode()})
    shown.note(reason("attempt-received", lab=lab, number=attempt.number, attempt=attempt.id))
    try:
        return _watched(server, attempt.id, shown)
    except KeyboardInterrupt:
        shown.note(reason("attempt-goes-on", command=f"`%grader status {attempt.id}`"))
        return None


def _status(arguments: argparse.Namespace, shown: Notebook) -> _View:
    """Watch one attempt, or list the newest."""
    server = _server(shown)
    if arguments.attempt is not None:
        return _watched(server, arguments.attempt, shown)
    lines = [f"{each.id}  {each.lab}  {each.state.text}" for each in server.attempts().attempts]
    return TextView("\n".join(lines) or shown.speech.says("no-attempts"))


def _board(arguments: argparse.Namespace, shown: Notebook) -> _View:
    """The boards of a lab."""
    return TextView(plain(leaderboards(_server(shown).board(arguments.lab).boards, speech=shown.speech)))


def _watched(server: CourseServer, attempt: int, shown: Notebook) -> _View:
    with shown.status(reason("attempt-watched", attempt=attempt)) as show:
        last = server.watch(attempt, lambda state: show(as_written(state.text)))
    if last.verdict is None:
        return TextView(last.text)
    text = Text.from_ansi(server.report(attempt, COLUMNS)).plain
    return ReportView(text=text, page=server.report_page(attempt))


def _server(shown: Notebook) -> CourseServer:
    login = credentials.load()

    def lost(error: UnreachableError) -> None:
        shown.note(reason("connection-lost", server=login.server, why=error.why))

    return CourseServer(login, shown.speech.language, lost)


def _file_name(lab: str) -> str:
    return f"{lab.replace('-', '_')}.py"


_CELLS: dict[str, Callable[[argparse.Namespace, str, Workspace, Notebook], _View]] = {
    "check": _check,
    "submit": _submit,
}
_LINES: dict[str, Callable[[argparse.Namespace, Notebook], _View]] = {"status": _status, "board": _board}
