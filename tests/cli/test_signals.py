"""An interrupt ends the command, wherever it comes."""

import signal
import subprocess
import sys

import pytest

INTERRUPTED_IN_A_FINALIZER = """
import os, signal, sys, time
from grader.cli.signals import exit_code, raise_when_asked_to_end

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
raise_when_asked_to_end()

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(1)

try:
    finalized = Finalized()
    del finalized
    time.sleep(60)
except KeyboardInterrupt as stopped:
    sys.exit(exit_code(stopped))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGHUP])
def test_an_interrupt_in_a_finalizer_is_not_lost(how: signal.Signals) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IN_A_FINALIZER, str(int(how))],
        capture_output=True,
        timeout=50,
        check=False,
    )
    assert ended.returncode == 128 + how
    assert ended.stderr == b""
