"""Open what a course downloaded: a zip file or a folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from pathlib import Path

from grader.errors import UserError
from grader.lms.archives.folder_files import files_below
from grader.lms.archives.limits import ArchiveLimits, Budget
from grader.lms.archives.tree import Tree, tree_of
from grader.lms.archives.zip_files import DamagedZipError, files_of, opened_zip
from grader.model.text import printable

_LIMITS = ArchiveLimits()


@contextmanager
def open_tree(path: Path, zone: tzinfo, limits: ArchiveLimits = _LIMITS) -> Iterator[Tree]:
    """Context manager: the files at ``path``, which can be read until it ends. Times in a zip are those of ``zone``.

    Raises: ``UserError`` if ``path`` is neither a folder nor a whole zip file, cannot be read, or is too large.
    """
    shown = printable(str(path))
    try:
        if path.is_dir():
            yield tree_of(path.resolve().name, *files_below(path, limits))
            return
        with path.open("rb") as file, opened_zip(file) as archive:
            if len(archive.infolist()) > limits.entries:
                msg = f"{shown} holds more than {limits.entries} files."
                raise UserError(msg, hint="Download one assignment at a time.")
            yield tree_of(path.stem, *files_of(archive, zone, Budget(limits)))
    except DamagedZipError as error:
        msg = f"{shown} is no zip file, or not a whole one."
        hint = "Download it again. Unpack archives of other kinds, and name the folder."
        raise UserError(msg, hint=hint) from error
    except OSError as error:
        msg = f"{shown} cannot be read: {error.strerror}."
        raise UserError(msg, hint="Check the path and its permissions.") from error
