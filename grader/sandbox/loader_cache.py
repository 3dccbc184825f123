"""The libraries that the loader's cache names on this machine."""

import re
import subprocess
from pathlib import Path

_LINKER = "/sbin/ldconfig"
_LINKER_SECONDS = 10


def cached_libraries() -> list[Path]:
    """Every library in the cache; none on a system without ``ldconfig``."""
    if not Path(_LINKER).is_file():
        return []
    listing = subprocess.run(  # noqa: S603 - a system command
        [_LINKER, "-p"], capture_output=True, text=True, check=False, timeout=_LINKER_SECONDS
    )
    return [Path(name) for name in re.findall(r"=> (/.*)$", listing.stdout, re.MULTILINE)]
