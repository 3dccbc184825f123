"""Files that only this user can read."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from grader.errors import UserError
from grader.model.text import printable


def write_private(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` so that only this user can read it. Raises: ``UserError``."""
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        msg = f"{printable(str(path))} cannot be written: {error.strerror}."
        raise UserError(msg, hint="Check the permissions of the folder.") from error
