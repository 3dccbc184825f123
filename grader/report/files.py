"""Writing a report so that a reader sees the whole old file or the whole new one, never half of either."""

import contextlib
import os
import secrets
from pathlib import Path

from grader.errors import UserError
from grader.report.text import safe_text


def write_atomically(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path`` by a rename within its folder, which is made if it is missing.

    A symbolic link is followed; a device or a pipe (``/dev/stdout``) is written as it is, since a rename would
    replace it. Raises: ``UserError`` where the path cannot be written.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, data)
    except OSError as error:
        problem = f"Cannot write {safe_text(str(path))}: {error.strerror or error}."
        raise UserError(problem, hint="Name a file in a folder that you may write to.") from error


def _replace(target: Path, data: bytes) -> None:
    temporary = target.parent / f".grader-{secrets.token_hex(8)}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
