"""Processes that a server starts know it, and end with it, however it ends."""

import os
import signal

from grader.sandbox.process_identity import own_identity
from grader.worker.limits import end_with_parent

_VARIABLE = "GRADER_STARTED_BY"
_SERVER = "GRADER_SERVER"


def start_processes() -> None:
    """Let the processes that this one starts know which one that is."""
    os.environ.update({_VARIABLE: str(os.getpid()), _SERVER: own_identity()})


def server_identity() -> str:
    """The name of the process that started the server, which all its processes share."""
    return os.environ.get(_SERVER) or own_identity()


def end_with_starter() -> None:
    """If a server started this process, end with it as if an operator asked; at once if it has ended already."""
    starter = int(os.environ.get(_VARIABLE, "0"))
    if starter not in {0, os.getpid()}:
        end_with_parent(starter, signal.SIGTERM)
