"""The course that applies here: where its file is, and its rules."""

import time
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from grader.course.local_zone import local_zone
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.policy.course_file import FILE_NAME, CourseFile, read_course
from grader.policy.rules import Course, Keep, LabRule
from grader.policy.times import written

Stamp = tuple[int, int, int]
"""Changes with a file: its time in nanoseconds, size and inode."""

_SETTLED_NS = 1_000_000_000
"""A file that is younger may change again without another time."""


def course_path(workspace: Workspace) -> Path | None:
    """The file ``course.toml`` that applies: beside ``grader.toml``, or where the command runs, or above."""
    base = workspace.config.base
    return next((path for folder in (base, *base.parents) if (path := folder / FILE_NAME).is_file()), None)


def course_file(workspace: Workspace) -> CourseFile:
    """The course that applies, with its mistakes. Raises: ``UserError`` if there is no file, or it is no TOML."""
    path = course_path(workspace)
    if path is None:
        msg = f"There is no {FILE_NAME} here."
        raise UserError(msg, hint="Write one with `grader course new`.")
    return _read(path, workspace)


def stamp_of(path: Path) -> Stamp:
    """The stamp of the file at ``path``."""
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read(path: Path, workspace: Workspace) -> CourseFile:
    """The file as it is now; a server asks for it with every request."""
    stamp, labs = stamp_of(path), frozenset(workspace.registry.labs)
    if time.time_ns() - stamp[0] < _SETTLED_NS:
        return read_course(path, labs)
    return _read_once(path, labs, stamp)


@lru_cache(maxsize=8)
def _read_once(path: Path, labs: frozenset[str], _stamp: Stamp) -> CourseFile:
    return read_course(path, labs)


def course_of(workspace: Workspace) -> Course:
    """The course that applies. Without a file nothing is ever late, and the last attempt counts.

    Raises: ``UserError`` if the file cannot be read, or has a mistake.
    """
    if course_path(workspace) is None:
        return Course(zone=local_zone(), others=LabRule(keep=Keep.LAST))
    found = course_file(workspace)
    if found.mistakes:
        more = len(found.mistakes) - 1
        hint = f"`grader course check` lists {more} more." if more else None
        raise UserError(found.mistakes[0], hint=hint)
    return found.course


def moment(course: Course, option: str, text: str) -> datetime:
    """The time that a user gave with ``option``, on the clocks of the course. Raises: ``UserError``."""
    try:
        return written(text, course.zone)
    except ValueError as error:
        msg = f"{option} {printable(text)} is no time: {error}."
        raise UserError(msg, hint='Write one such as "2026-06-18 23:59", or 2026-06-18.') from error
