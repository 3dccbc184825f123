"""The commands of Parsl's own programs.

They are started as modules: the scripts of its package do not start from a folder with a space in its name, because an
installer writes the folder into their first line as it is.
"""

import shlex
import sys
from collections.abc import Sequence

_PROGRAMS = "parsl.executors.high_throughput"

INTERCHANGE: Sequence[str] = (sys.executable, "-m", f"{_PROGRAMS}.interchange")
"""Carries tickets between a dispatcher and the pools."""

POOL: Sequence[str] = (
    *(sys.executable, "-m", "grader.execution.pool_guard"),
    *(sys.executable, "-m", f"{_PROGRAMS}.process_worker_pool"),
)
"""Starts the workers of a host, and ends what they leave."""


def launch_template(default: str) -> str:
    """Parsl's template ``default`` of a pool's command for a shell, with ``POOL`` as its program.

    Folders in it may have blanks in their names.
    """
    _, _, options = default.partition(" ")
    for folder in ("cert_dir", "logdir", "logconf"):
        options = options.replace(f"{{{folder}}}", f"'{{{folder}}}'")
    return f"{shlex.join(POOL)} {options}"
