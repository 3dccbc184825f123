"""The program that a tool watches: launches what it is given, once each, and says nothing.

``python -m grader.profiling.target FILE``: ``FILE`` holds works as ``written`` makes them. It ends with 0 whatever the
kernels do; what they do is for the tool to tell. The context may be lost to one of them: none is launched after that.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from grader.engines.cuda.engine import CudaEngine
from grader.model.run import LaunchJob, RunOptions

_SECONDS = 120.0
"""For one work: under a tool, a kernel takes many times as long."""


def written(jobs: Iterable[LaunchJob], path: Path) -> None:
    """Write ``jobs`` to ``path`` for this program. Raises: ``OSError``."""
    path.write_bytes(msgspec.msgpack.encode(list(jobs)))


def main() -> None:
    """Launch them, and leave without waiting for what never ends."""
    jobs = msgspec.msgpack.decode(Path(sys.argv[1]).read_bytes(), type=list[LaunchJob])
    engine = CudaEngine()
    for job in jobs:
        if not engine.poisoned:
            engine.run(job, RunOptions(timeout=_SECONDS))
    os._exit(0)


if __name__ == "__main__":
    main()
