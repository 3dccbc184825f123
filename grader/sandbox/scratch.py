"""Scratch folders of workers, and the removal of those that killed graders left behind."""

import os
import platform
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from grader.sandbox.child import os_operation
from grader.sandbox.process_identity import is_dead, is_of_an_earlier_boot, own_identity

PREFIX = f"grader-worker-{platform.node()}-"
"""Prefix of a scratch folder's name, with the host name: the temporary folder may be shared between machines."""


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """Make an empty folder named after its grader. Raises: ``InfrastructureError``."""
    prefix = f"{PREFIX}{own_identity()}-"
    with os_operation("make a scratch folder"):
        return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def remove_leftovers(folder: Path | None = None) -> int:
    """Remove what this user's ended graders left in ``folder`` (default: the temporary folder); returns the number."""
    found = 0
    with os.scandir(folder or tempfile.gettempdir()) as entries:
        leftovers = [entry for entry in entries if _is_leftover(entry)]
    for entry in leftovers:
        shutil.rmtree(entry.path, ignore_errors=True)
        found += not Path(entry.path).exists()
    return found


def _is_leftover(entry: os.DirEntry[str]) -> bool:
    if not entry.name.startswith(PREFIX):
        return False
    owner = entry.name.removeprefix(PREFIX).rpartition("-")[0]
    if not (is_dead(owner) or is_of_an_earlier_boot(owner)):
        return False
    # Another grader may be removing it at the same time.
    with suppress(FileNotFoundError):
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False
