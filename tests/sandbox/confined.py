"""A child process under the system call filter: ``python -m tests.sandbox.confined [CALL...]``.

It reads calls as JSON from standard input, ``[[number, argument, ...], ...]``, applies the filter to itself, makes the
calls in order and prints the error number of each (0: success). The filter refuses each ``CALL`` as well.
"""

import ctypes
import json
import sys
from collections.abc import Sequence

from grader.sandbox.seccomp import bpf_program

_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_FILTER = 2
_INSTRUCTION_BYTES = 8


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def confine(refused: Sequence[str] = ()) -> None:
    """Apply the filter to this process permanently. Raises: ``OSError``."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = bpf_program(refused=refused)
    program = _Program(len(code) // _INSTRUCTION_BYTES, code)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the filter was not accepted")


def main() -> None:
    """Run the calls, as the module's docstring describes."""
    calls = json.load(sys.stdin)
    libc = ctypes.CDLL(None, use_errno=True)
    confine(sys.argv[1:])
    errors = []
    for call in calls:
        ctypes.set_errno(0)
        failed = libc.syscall(*(ctypes.c_long(value) for value in call)) == -1
        errors.append(ctypes.get_errno() if failed else 0)
    sys.stdout.write(json.dumps(errors))


if __name__ == "__main__":
    main()
