"""The program that a tool profiles: it launches the given jobs once each, without output.

``python -m grader.profiling.target FILE``: ``FILE`` holds jobs written by ``written``. The exit code is always 0, as
the tool reports what the kernels do. No job is launched after one that loses the CUDA context.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from grader.engines.cuda.engine import CudaEngine
from grader.model.run import LaunchJob, RunOptions

_SECONDS = 120.0
"""Time limit of one job: under a tool, a kernel takes many times as long."""


def written(jobs: Iterable[LaunchJob], path: Path) -> None:
    """Write ``jobs`` to ``path`` for this program. Raises: ``OSError``."""
    path.write_bytes(msgspec.msgpack.encode(list(jobs)))


def main() -> None:
    """Launch the jobs, and exit without waiting for kernels that never end."""
    jobs = msgspec.msgpack.decode(Path(sys.argv[1]).read_bytes(), type=list[LaunchJob])
    engine = CudaEngine()
    for job in jobs:
        if not engine.poisoned:
            engine.run(job, RunOptions(timeout=_SECONDS))
    os._exit(0)


if __name__ == "__main__":
    main()
