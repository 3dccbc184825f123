"""A tool is found, run over works, and ended with what it started; what it cannot do is said."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import psutil
import pytest

from grader.errors import InfrastructureError, UserError
from grader.model.plan import LaunchPlan
from grader.model.run import LaunchJob
from grader.profiling import tools
from grader.profiling.tools import Tool, running
from grader.sandbox.tool_runner import Unconfined
from tests.engines.little_kernels import little_kernels

TOOL = Tool("a-tool", "A tool", "somebody's kit")

Install = Callable[[str], None]

ARGUMENTS = 'while [ "$1" != -I ]; do case "$1" in --log-file) log=$2;; --save) result=$2;; esac; shift; done'
"""Shell that finds the two files among a tool's arguments."""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a shell script in the tool's place."""

    def script(body: str) -> None:
        path = tmp_path / TOOL.program
        path.write_text(f"#!/bin/sh\n{ARGUMENTS}\n{body}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    return script


def one_work() -> LaunchJob:
    return LaunchJob(module=little_kernels("sm_75"), plan=LaunchPlan(buffers=(), launches=()), inputs={})


def asked(jobs: Sequence[LaunchJob] = ()) -> str:
    with running(Unconfined(), TOOL, ["--option"], "--save", jobs) as result:
        return result.read_text()


def test_the_profiled_program_gets_the_jobs(install: Install, tmp_path: Path) -> None:
    install(f'for last in "$@"; do :; done; cp "$last" {tmp_path}/jobs; echo "$@" > "$result"')
    assert "-m grader.profiling.target" in asked([one_work()])
    (found,) = msgspec.msgpack.decode((tmp_path / "jobs").read_bytes(), type=list[LaunchJob])
    assert found == one_work()


def test_a_missing_tool_is_named_with_where_it_comes_from() -> None:
    with pytest.raises(UserError, match=r"A tool \(a-tool\) is not installed\. It is part of somebody's kit"):
        asked()


def test_forbidden_counters_give_a_hint_for_the_administrator(install: Install) -> None:
    install('echo "==ERROR== ERR_NVGPUCTRPERM - no permission" > "$log"; exit 1')
    with pytest.raises(UserError, match="NVreg_RestrictProfilingToAdminUsers=0"):
        asked()


@pytest.mark.parametrize("body", ['echo bad news > "$log"; exit 3', 'echo bad news > "$log"'])
def test_one_that_fails_or_writes_nothing_is_quoted(install: Install, body: str) -> None:
    install(body)
    with pytest.raises(InfrastructureError, match=r"A tool ended with [03]: bad news"):
        asked()


def test_a_tool_over_its_time_is_killed_with_its_children(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(f"sleep 300 & echo $! > {tmp_path}/child; sleep 300")
    monkeypatch.setattr(tools, "SECONDS", 1)
    with pytest.raises(InfrastructureError, match="did not end within 1 s"):
        asked()
    child = int((tmp_path / "child").read_text())
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.05)
