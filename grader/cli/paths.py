"""Paths on the command line: the submissions at one, and the files that a command writes."""

import os
from pathlib import Path

from grader.cli.console import warn
from grader.cli.workspace import Workspace
from grader.errors import UserError
from grader.intake import Intake, collect


def require_exists(path: Path) -> Path:
    """``path``, if it exists. Raises: ``UserError``."""
    try:
        there = path.exists()
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    if not there:
        msg = f"There is nothing at {path}."
        raise UserError(msg, hint="Check the path.")
    return path


def read_submissions(path: Path, workspace: Workspace, lab: str | None) -> Intake:
    """The submissions at ``path``, for ``lab`` if it is given, with a warning for each skipped file.

    Raises: ``UserError`` if there is none.
    """
    labs = workspace.registry.labs
    require_exists(path)
    try:
        intake = collect(path, labs=labs, lab=lab, limits=workspace.config.limits)
    except UserError as error:
        if lab in labs and path.is_dir() and error.hint is not None:
            # For a folder of a known lab the error can only mean that the folder is empty.
            raise UserError(error.problem, hint="Put a .cu or .py file in it.") from error
        raise
    for warning in intake.warnings:
        warn(warning)
    return intake


def require_distinct(**files: Path | None) -> None:
    """Check that ``files``, by option name, are different. Raises: ``UserError`` if two are the same file."""
    options: dict[str, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        real = _file_at(path)
        if real is not None and options.setdefault(real, option) != option:
            msg = f"--{options[real]} and --{option} both write {relative(path)}."
            raise UserError(msg, hint="Name a file of its own for each.")


def relative(path: Path) -> str:
    """``path`` relative to the current directory if it lies below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _file_at(path: Path) -> str | None:
    """The file that ``path`` leads to.

    ``None`` for a device or a pipe, which takes any number of files, and for what cannot be read.
    """
    try:
        return os.path.realpath(path) if path.is_file() or not path.exists() else None
    except OSError:
        return None
