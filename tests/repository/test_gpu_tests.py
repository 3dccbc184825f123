"""How the tests for a GPU share the processes that run them, seen without a GPU: there they are all skipped."""

import re
import subprocess
import sys
from collections import defaultdict

from tools.paths import CHECKOUT

_RAN = re.compile(r"\[(gw\d+)\] \[ *\d+%\] \w+ \S+::\w+\[(\S+ \S+) ", re.MULTILINE)


def test_tests_of_one_case_share_a_process() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests/gpu/test_labs.py",
        "-k",
        "row-sum or transpose",
        "-v",
        "-n",
        "3",
    ]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    processes: dict[str, set[str]] = defaultdict(set)
    for process, case in _RAN.findall(done.stdout):
        processes[case].add(process)
    assert len(processes) > 10
    assert {case: len(found) for case, found in processes.items() if len(found) > 1} == {}
    assert len(set().union(*processes.values())) == 3
