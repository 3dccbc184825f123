"""Write what each student may read about their submissions: a page and a text."""

from collections.abc import Collection
from itertools import groupby
from pathlib import Path

from grader.course.language import spoken
from grader.course.records import Records
from grader.course.results import results_of
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import natural_key
from grader.report import feedback_text
from grader.report.files import plain_name, write_atomically
from grader.report.pages import feedback_page


def feedback(
    workspace: Workspace,
    folder: Path,
    language: str | None,
    *,
    labs: Collection[str] = (),
    students: Collection[str] = (),
) -> tuple[Path, ...]:
    """Write ``STUDENT.html`` and ``STUDENT.txt`` into ``folder`` with the latest results of every student.

    Only those of ``labs`` and ``students``, if any are named. Of a hidden case a student reads only that it failed.
    ``language`` is that of all, by default each student's own.
    Returns: the files. Raises: ``UserError`` if there is nothing to write, or for a file that cannot be written.
    """
    for lab in labs:
        workspace.registry.get(lab)
    written = []
    with Records(workspace) as records:
        results = sorted(
            records.latest_all(labs, students), key=lambda each: natural_key(each.score.key.student)
        )
        for student, theirs in groupby(results, key=lambda each: each.score.key.student):
            listed = tuple(theirs)
            found = results_of(listed[0].score.engine, listed, records.files)
            chosen = spoken(language, workspace.config, student=student, terminal=False).language
            page = feedback_page.render(student, found.document, found.sources, chosen)
            text = feedback_text.render(student, found.document, chosen)
            for suffix, content in ((".html", page), (".txt", text)):
                path = folder / f"{plain_name(student)}{suffix}"
                write_atomically(path, content.encode())
                written.append(path)
    if not written:
        msg = "No result of these students and labs is stored."
        raise UserError(msg, hint="Grade submissions with `grader grade PATH`.")
    return tuple(written)
