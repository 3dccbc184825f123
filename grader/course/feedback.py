"""Write what each student may read about their submissions: a page and a text."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from grader.course.language import for_reader
from grader.course.records import Records
from grader.course.results import results_of
from grader.course.rules import course_of
from grader.course.visibility import visible_scores
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import natural_key
from grader.report import feedback_text
from grader.report.files import plain_name, write_atomically
from grader.report.pages import feedback_page


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentFeedback:
    """What one student may read: the same as a page and as a text."""

    student: str
    page: bytes
    text: bytes

    @property
    def by_suffix(self) -> tuple[tuple[str, bytes], ...]:
        """The contents by the suffix of a file name."""
        return ((".html", self.page), (".txt", self.text))


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
    written = []
    with Records(workspace) as records:
        for each in student_feedback(workspace, records, language, labs=labs, students=students):
            for suffix, content in each.by_suffix:
                path = folder / f"{plain_name(each.student)}{suffix}"
                write_atomically(path, content)
                written.append(path)
    if not written:
        raise nothing_to_write()
    return tuple(written)


def student_feedback(
    workspace: Workspace,
    records: Records,
    language: str | None,
    *,
    labs: Collection[str] = (),
    students: Collection[str] = (),
) -> Iterator[StudentFeedback]:
    """Yield the feedback of every student with a result, in the order of their names.

    A result that the course does not show to the student yet is left out. Raises: ``UserError`` for an unknown lab.
    """
    for lab in labs:
        workspace.registry.get(lab)
    course = course_of(workspace)
    shown = visible_scores(workspace, records, labs, students)
    spoken = {person.id: person.language for person in records.store.people.list()}
    results = sorted(
        (
            each
            for each in records.latest_all(labs, students)
            if (each.score.key.student, each.score.key.lab) in shown
        ),
        key=lambda each: natural_key(each.score.key.student),
    )
    for student, theirs in groupby(results, key=lambda each: each.score.key.student):
        listed = tuple(theirs)
        found = results_of(listed[0].score.engine, listed, records.files)
        chosen = for_reader(language, workspace.config, student, spoken.get(student) or course.language)
        page = feedback_page.render(student, found.document, found.sources, chosen)
        text = feedback_text.render(student, found.document, chosen)
        yield StudentFeedback(student=student, page=page.encode(), text=text.encode())


def nothing_to_write() -> UserError:
    """The error where no result is stored."""
    msg = "No result of these students and labs is stored and shown to students."
    return UserError(msg, hint="Grade submissions with `grader grade PATH`, or see `grader publish --help`.")
