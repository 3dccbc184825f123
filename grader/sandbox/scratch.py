"""Scratch folders of workers, and those that a killed grader left behind."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from grader.sandbox.owner import is_dead, this_process

_PREFIX = "grader-worker-"


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """An empty folder that carries its grader's name."""
    prefix = f"{_PREFIX}{this_process()}-"
    return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def sweep(folder: Path | None = None) -> int:
    """Remove what dead graders of this user left in ``folder``, by default the temporary files; how many there were."""
    found = 0
    with os.scandir(folder or tempfile.gettempdir()) as entries:
        left = [entry for entry in entries if _is_left(entry)]
    for entry in left:
        shutil.rmtree(entry.path, ignore_errors=True)
        found += not Path(entry.path).exists()
    return found


def _is_left(entry: os.DirEntry[str]) -> bool:
    if not entry.name.startswith(_PREFIX) or not is_dead(_owner(entry.name)):
        return False
    # Another grader may be sweeping, too.
    with suppress(FileNotFoundError):
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def _owner(name: str) -> str:
    return name.removeprefix(_PREFIX).rpartition("-")[0]
