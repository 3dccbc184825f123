"""Runs Parsl's pool, and ends every process that it leaves: ``python -m grader.execution.pool_guard COMMAND``.

A pool that is killed or asked to end leaves helper processes and workers; they become children of this process, which
kills them. The pool dies with this process.
"""

import signal
import subprocess
import sys
from collections.abc import Sequence

import psutil

from grader.worker.limits import adopt_orphans


def main(command: Sequence[str]) -> int:
    """Run ``command`` to its end. Returns: its exit code, or 128 and the signal that ended it."""
    adopt_orphans()
    process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command])  # noqa: S603, S607 - Parsl's own program
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda received, _: process.send_signal(received))
    code = process.wait()
    while left := psutil.Process().children(recursive=True):
        for each in left:
            each.kill()
        psutil.wait_procs(left)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
