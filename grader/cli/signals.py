"""The signals that ask the program to end, and the exit codes that say so."""

import signal
from types import FrameType

_ASKED_TO_END = (signal.SIGHUP, signal.SIGTERM)


class AskedToEndError(KeyboardInterrupt):
    """The terminal was closed, or another program asks this one to end; handled like Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def exit_code(stopped: KeyboardInterrupt) -> int:
    """The exit code after ``stopped``, by the convention of shells: 130 for Ctrl-C."""
    number = stopped.number if isinstance(stopped, AskedToEndError) else signal.SIGINT
    return 128 + number


def raise_when_asked_to_end() -> None:
    """Raise ``AskedToEndError`` in the main thread for each such signal that is not ignored."""
    for number in _ASKED_TO_END:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _raise)


def _raise(number: int, frame: FrameType | None) -> None:
    del frame
    raise AskedToEndError(number)
