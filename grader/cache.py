"""Where what can be made again is kept between runs (compiled emulator code)."""

import os
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "GRADER_CACHE_DIR"
"""Environment variable that names another cache folder."""


def cache_folder() -> Path:
    """The per-user cache folder of this package; it may not exist yet."""
    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("grader"))
