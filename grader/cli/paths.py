"""Paths on the command line: the files that a command writes."""

import os
from pathlib import Path

from grader.errors import UserError


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
