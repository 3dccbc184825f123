"""Where a command writes a file: never over a file that is there, unless the user says so."""

from pathlib import Path

from grader.errors import UserError
from grader.model.text import printable
from grader.report.files import is_stream


def require_free(path: Path, *, overwrite: bool) -> Path:
    """``path``, if writing it destroys nothing. Raises: ``UserError`` if a file is there and may not be replaced."""
    if path.exists() and not is_stream(path) and not overwrite:
        msg = f"{printable(str(path))} is there already."
        raise UserError(msg, hint="Replace it with --overwrite, or name another file with --output.")
    return path
