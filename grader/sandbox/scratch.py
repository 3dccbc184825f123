"""Scratch folders of workers, and those that a killed grader left behind."""

import os
import platform
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from grader.sandbox.child import os_operation
from grader.sandbox.process_identity import is_dead, is_of_an_earlier_boot, own_identity

PREFIX = f"grader-worker-{platform.node()}-"
"""Of a scratch folder's name, before its grader's; temporary files may be shared with other machines."""


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """An empty folder that carries its grader's name. Raises: ``InfrastructureError``."""
    prefix = f"{PREFIX}{own_identity()}-"
    with os_operation("make a scratch folder"):
        return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def remove_leftovers(folder: Path | None = None) -> int:
    """Remove what dead graders of this user left in ``folder``, by default the temporary files; how many there were."""
    found = 0
    with os.scandir(folder or tempfile.gettempdir()) as entries:
        left = [entry for entry in entries if _is_left(entry)]
    for entry in left:
        shutil.rmtree(entry.path, ignore_errors=True)
        found += not Path(entry.path).exists()
    return found


def _is_left(entry: os.DirEntry[str]) -> bool:
    if not entry.name.startswith(PREFIX):
        return False
    owner = entry.name.removeprefix(PREFIX).rpartition("-")[0]
    if not (is_dead(owner) or is_of_an_earlier_boot(owner)):
        return False
    # Another grader may be sweeping, too.
    with suppress(FileNotFoundError):
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False
