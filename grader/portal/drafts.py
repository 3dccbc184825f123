"""Files that were uploaded for a preview: each belongs to one person, and is kept for a day."""

import hashlib
import re
import secrets
import shutil
import time
from pathlib import Path

from grader.errors import NotFoundError
from grader.portal.asked import Asked, Upload

_DAY = 24 * 60 * 60
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_UNSAFE = re.compile(r"[^\w. ()+-]+")
_LONGEST = 100


def keep(asked: Asked, upload: Upload) -> str:
    """Keep ``upload`` for the visitor. Returns: a token, by which ``find`` finds it."""
    root = _root(asked)
    _remove_old(root.parent)
    token = secrets.token_urlsafe(16)
    folder = root / token
    folder.mkdir(parents=True, mode=0o700)
    (folder / _file_name(upload.name)).write_bytes(upload.data)
    return token


def find(asked: Asked, token: str) -> Path:
    """The file that the visitor uploaded. Raises: ``NotFoundError`` if there is none any more."""
    folder = _root(asked) / token
    if _TOKEN.fullmatch(token) is None or not folder.is_dir():
        msg = "The uploaded file is gone. Upload it again."
        raise NotFoundError(msg)
    (file,) = folder.iterdir()
    return file


def drop(asked: Asked, token: str) -> None:
    """Remove the file: it was used."""
    shutil.rmtree(find(asked, token).parent)


def _root(asked: Asked) -> Path:
    owner = hashlib.sha256(asked.visitor.person.encode()).hexdigest()[:16]
    return asked.workspace.config.base / ".grader" / "uploads" / owner


def _file_name(name: str) -> str:
    """``name`` as a file name here; it keeps its ending, by which formats are recognised."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return _UNSAFE.sub("_", last).lstrip(".")[-_LONGEST:] or "file"


def _remove_old(folder: Path) -> None:
    """Remove what was kept for a day, of everybody."""
    for old in folder.glob("*/*"):
        if old.stat().st_mtime < time.time() - _DAY:
            shutil.rmtree(old, ignore_errors=True)
