"""The submissions of former terms: from a folder, or from a backup of the store that the term had."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.config.settings import StoreSettings
from grader.course.select import require_exists, submissions_at
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.submission import Submission
from grader.model.text import printable
from grader.store import backup
from grader.store.ports import Store
from grader.store.sql_store import open_store

_BACKUP = b"PK"
"""The first bytes of a backup, which is a zip file."""


def former_submissions(workspace: Workspace, path: Path, lab: str) -> tuple[Submission, ...]:
    """The submissions to ``lab`` at ``path``, one of each student.

    Raises: ``UserError`` if there is none, or ``path`` is neither a folder nor a backup.
    """
    if require_exists(path).is_dir():
        return submissions_at(path, workspace, lab).submissions
    if not _is_backup(path):
        msg = f"{printable(str(path))} is neither a folder of submissions nor a backup."
        raise UserError(msg, hint="Make a backup of the former term's store with `grader backup FILE`.")
    with _restored(workspace, path) as store:
        found = newest_submissions(store, lab)
    if not found:
        msg = f"The backup {printable(str(path))} has no submission to {lab}."
        raise UserError(msg, hint="Name a backup of a term that had this lab.")
    return found


def newest_submissions(store: Store, lab: str) -> tuple[Submission, ...]:
    """The newest submission of every student to ``lab``, by student; without those that the store has no files of."""
    newest = {each.key.student: each for each in store.submissions.list(lab)}
    found = (
        Submission(
            student=student,
            lab=lab,
            language=each.language,
            files=store.submissions.files(each.key),
            path=each.path,
        )
        for student, each in sorted(newest.items())
    )
    return tuple(submission for submission in found if submission.files)


@contextmanager
def _restored(workspace: Workspace, file: Path) -> Iterator[Store]:
    """Context manager: a temporary store with the content of a backup, which stays as it is."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        url = f"sqlite:///{Path(folder, 'former.sqlite')}"
        config = replace(workspace.config, store=StoreSettings(url=url))
        backup.restore(file, config)
        store = open_store(config)
        try:
            yield store
        finally:
            store.close()


def _is_backup(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_BACKUP)) == _BACKUP
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg) from error
