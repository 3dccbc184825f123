"""Where the emulator keeps what takes long to make."""

import os
from pathlib import Path

import platformdirs

VARIABLE = "GRADER_CACHE_DIR"
"""The environment variable that names another folder."""


def cache_folder() -> Path:
    """The folder for caches: what ``GRADER_CACHE_DIR`` says, else this user's own."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else Path(platformdirs.user_cache_dir("grader"))
