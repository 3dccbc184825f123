"""The cache folder: what the grader can make again, kept between runs.

It holds the emulator's machine code and the built rungs of labs. Both are the same for every student and run in the
grader's own processes, so the folder is trusted. Only the grader, and workers in which no student code runs, write to
it; no sandbox for hostile code shows it to a student's code, except read-only. The process sandbox hides nothing,
which is one reason why it is for trusted code only. An entry is read only if it belongs to this user or to root, if
nobody else may write to it, and if its content has the digest that was stored with it. A damaged entry counts as
missing: one line on standard error says so, and the grader makes the entry again.
"""

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "GRADER_CACHE_DIR"
"""Environment variable that names another cache folder."""


def cache_folder() -> Path:
    """The per-user cache folder of this package; it may not exist yet."""
    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("grader"))


def writable_cache_folder() -> Path | None:
    """The cache folder, made if necessary; ``None`` where it is read-only, as in a container."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


_MAGIC = b"grader-cache-1\n"
_DIGEST_BYTES = 32
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class CacheFolder:
    """One folder of entries in the cache folder. An entry is bytes under a name of letters, digits and dashes.

    The name must cover everything that the bytes depend on, unless the folder's own name does.
    """

    def __init__(self, name: str, *, most_bytes: int | None = None) -> None:
        """``most_bytes``: above this size, writing removes the entries that were used longest ago."""
        self.path = cache_folder() / name
        self._most_bytes = most_bytes

    def read(self, name: str) -> bytes | None:
        """The entry ``name``; ``None`` if there is none that can be trusted."""
        path = self.path / name
        try:
            with path.open("rb") as file:
                status = os.fstat(file.fileno())
                whole = file.read()
        except OSError:
            return None
        if status.st_uid not in {os.geteuid(), 0} or status.st_mode & _WRITABLE_BY_OTHERS:
            _say(f"the cache entry {path} may have been written by another user; it is made again")
            return None
        head, content = whole[: len(_MAGIC) + _DIGEST_BYTES], whole[len(_MAGIC) + _DIGEST_BYTES :]
        if head != _head(name, content):
            _say(f"the cache entry {path} is damaged; it is made again")
            return None
        if self._most_bytes is not None:
            with suppress(OSError):
                os.utime(path)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Keep ``content`` under ``name``, if the folder can be written; a reader sees all of it or nothing."""
        temporary = None
        try:
            self.path.mkdir(mode=0o755, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.path, prefix=".new-", delete=False) as file:
                temporary = Path(file.name)
                file.write(_head(name, content) + content)
            # A read-only cache in a container image belongs to root and is read by other users.
            temporary.chmod(0o644)
            temporary.replace(self.path / name)
            self._prune()
        except OSError:
            if temporary is not None:
                temporary.unlink(missing_ok=True)

    def _prune(self) -> None:
        if self._most_bytes is None:
            return
        entries = [(path.stat(), path) for path in self.path.iterdir()]
        total = sum(status.st_size for status, _ in entries)
        for status, path in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._most_bytes:
                break
            path.unlink(missing_ok=True)
            total -= status.st_size


def _head(name: str, content: bytes) -> bytes:
    """What stands before the content: the format, and a digest of the name and the content."""
    return _MAGIC + hashlib.sha256(name.encode() + b"\0" + content).digest()


def _say(message: str) -> None:
    sys.stderr.write(f"grader: {message}\n")
