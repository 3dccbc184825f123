"""Where what can be made again is kept between runs (compiled emulator code)."""

import os
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "GRADER_CACHE_DIR"
"""Environment variable that names another cache folder."""


def cache_folder() -> Path:
    """The per-user cache folder of this package; it may not exist yet."""
    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("grader"))


def writable_cache_folder() -> Path | None:
    """The same, made if need be; ``None`` where it may be read only, as in a container."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
