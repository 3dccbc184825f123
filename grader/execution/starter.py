"""Processes that a server starts end with it, however it ends."""

import os
import signal

from grader.worker.limits import end_with_parent

_VARIABLE = "GRADER_STARTED_BY"


def start_processes() -> None:
    """Let the processes that this one starts know which one that is."""
    os.environ[_VARIABLE] = str(os.getpid())


def end_with_starter() -> None:
    """If a server started this process, end with it as if an operator asked; at once if it has ended already."""
    starter = int(os.environ.get(_VARIABLE, "0"))
    if starter not in {0, os.getpid()}:
        end_with_parent(starter, signal.SIGTERM)
