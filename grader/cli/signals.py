"""The signals that ask the program to end, and the exit codes that say so."""

import os
import signal
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_ASKED_TO_END = (signal.SIGHUP, signal.SIGTERM)

_ASK_AGAIN_SECONDS = 0.02


class AskedToEndError(KeyboardInterrupt):
    """The terminal was closed, or another program asks this one to end; handled like Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def exit_code(stopped: KeyboardInterrupt) -> int:
    """The exit code after ``stopped``, by the convention of shells: 130 for Ctrl-C."""
    return 128 + _number(stopped)


def raise_when_asked_to_end() -> None:
    """Raise ``AskedToEndError`` in the main thread for each such signal that is not ignored.

    Python drops what is raised inside a finalizer. An interrupt that comes there is sent again.
    """
    for number in _ASKED_TO_END:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _raise)
    sys.unraisablehook = _send_again


def _send_again(dropped: "UnraisableHookArgs") -> None:
    if not isinstance(dropped.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
        return
    # A thread sends it: sent from here, it would be dropped again.
    again = threading.Timer(_ASK_AGAIN_SECONDS, os.kill, (os.getpid(), _number(dropped.exc_value)))
    again.daemon = True
    again.start()


def _raise(number: int, frame: FrameType | None) -> None:
    del frame
    raise AskedToEndError(number)


def _number(stopped: KeyboardInterrupt) -> int:
    return stopped.number if isinstance(stopped, AskedToEndError) else signal.SIGINT
