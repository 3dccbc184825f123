"""Result files: atomic writes, so that a reader sees the whole old file or the whole new one, and names."""

import contextlib
import hashlib
import os
import re
import secrets
from pathlib import Path

from grader.errors import UserError
from grader.report.text import safe_text


def is_stream(path: Path) -> bool:
    """Whether ``path`` is a device or a pipe, such as ``/dev/stdout``."""
    return path.exists() and not path.is_file() and not path.is_dir()


_PLAIN = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")
_LONGEST = 60
"""Characters of a name in a file name; in UTF-8 two of them and a digest fit the 255 bytes of a file name."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to a temporary file beside ``path``, then rename it. Creates missing folders.

    Follows symbolic links. Writes a device or a pipe (``/dev/stdout``) directly, since a rename would replace it.

    Raises: ``UserError`` where the path cannot be written.
    """
    try:
        if is_stream(path):
            path.write_bytes(data)
            return
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, data)
    except OSError as error:
        problem = f"Cannot write {safe_text(str(path))}: {error.strerror or error}."
        raise UserError(problem, hint="Name a file in a folder that you can write to.") from error


def plain_name(name: str) -> str:
    """``name`` as part of a file name, safe on any file system and unique in any case.

    A plain name stays; of another the letters and digits stay, with a digest that keeps it unique.
    """
    if len(name) <= _LONGEST and _PLAIN.fullmatch(name):
        return name
    letters = "".join(char if char.isascii() and char.isalnum() else "_" for char in name[:_LONGEST])
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{re.sub('_+', '_', letters).strip('_').lower() or '_'}~{digest[:8]}"


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
