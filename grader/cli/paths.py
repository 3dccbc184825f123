"""The paths that people type: what was handed in at one, and the files that a command writes."""

import os
from pathlib import Path

from grader.cli.console import warn
from grader.cli.workspace import Workspace
from grader.errors import UserError
from grader.intake import Intake, collect


def require_exists(path: Path) -> Path:
    """``path``, if there is something. Raises: ``UserError``."""
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
    """Everything handed in at ``path``, for ``lab`` where it is named; what was skipped is warned about.

    Raises: ``UserError`` where there is nothing.
    """
    labs = workspace.registry.labs
    require_exists(path)
    try:
        intake = collect(path, labs=labs, lab=lab, limits=workspace.config.limits)
    except UserError as error:
        if lab in labs and path.is_dir() and error.hint is not None:
            # Of a folder for a known lab that is said only where nothing is in it, with how a class names its files.
            raise UserError(error.problem, hint="Put a .cu or .py file into it.") from error
        raise
    for warning in intake.warnings:
        warn(warning)
    return intake


def require_distinct(**files: Path | None) -> None:
    """Hold what a command writes apart; each file by its option. Raises: ``UserError`` where two are one."""
    options: dict[str, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        real = _file_at(path)
        if real is not None and options.setdefault(real, option) != option:
            msg = f"--{options[real]} and --{option} both write {relative(path)}."
            raise UserError(msg, hint="Name a file of its own for each.")


def relative(path: Path) -> str:
    """``path`` as it is short to read: from the current directory on where it lies below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _file_at(path: Path) -> str | None:
    """The file that ``path`` leads to.

    ``None`` for a device or a pipe, which takes any number of files, and for what cannot be looked at.
    """
    try:
        return os.path.realpath(path) if path.is_file() or not path.exists() else None
    except OSError:
        return None
