"""A process tree finds all processes below a worker at little cost, and ends them without a pause."""

import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from grader.sandbox import descendants as module
from grader.sandbox.port import LossCause
from grader.sandbox.process_tree import END_SECONDS, ProcessTree

FAMILY = """
import subprocess, sys, threading, time
sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
nested = f"import subprocess; subprocess.Popen({sleep!r}).wait()"
thread = threading.Thread(target=lambda: subprocess.Popen([sys.executable, "-c", nested]).wait())
thread.start()
subprocess.Popen(sleep)
print("started", flush=True)
time.sleep(60)
"""
"""A process with a child of its main thread, and a child and a grandchild of another thread."""

WITHOUT_A_WAIT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""
"""A parent that does not ask for its child's exit code, as a forkserver."""


@pytest.fixture
def family() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE, text=True) as root:
        assert root.stdout is not None
        root.stdout.readline()
        until = time.monotonic() + 20
        while len(psutil.Process(root.pid).children(recursive=True)) < 3 and time.monotonic() < until:
            time.sleep(0.01)
        yield root
        if root.poll() is None:
            ProcessTree(root.pid, memory_bytes=0, processes=0).kill()


@pytest.mark.parametrize("lists", [True, False], ids=["by the kernel's lists", "by a search"])
def test_all_descendants_count(
    family: subprocess.Popen[str], *, lists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[int] = []
    search = module.descendants

    def counted(process: psutil.Process) -> list[psutil.Process]:
        searches.append(process.pid)
        return search(process)

    monkeypatch.setattr(module, "descendants", counted)
    if not lists:
        monkeypatch.setattr(module, "LISTS", "no-such-file")
    assert ProcessTree(family.pid, memory_bytes=0, processes=4).breach() is None
    assert ProcessTree(family.pid, memory_bytes=0, processes=3).breach() is LossCause.OVER_PROCESSES
    assert bool(searches) is not lists


def test_the_whole_family_is_killed(family: subprocess.Popen[str]) -> None:
    below = psutil.Process(family.pid).children(recursive=True)
    tree = ProcessTree(family.pid, memory_bytes=0, processes=0)
    tree.kill()
    assert family.wait(10) != 0
    assert [each for each in below if each.is_running() and each.status() != psutil.STATUS_ZOMBIE] == []


def test_a_kill_does_not_wait_for_the_parent_to_reap() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WITHOUT_A_WAIT], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        started = time.monotonic()
        ProcessTree(child.pid, memory_bytes=0, processes=0).kill()
        seconds = time.monotonic() - started
        assert child.status() == psutil.STATUS_ZOMBIE
        parent.kill()
    assert seconds < END_SECONDS
