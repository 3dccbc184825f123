"""Whole programs on a real GPU: their output as it is, a measured timeline, and compute-sanitizer's findings."""

import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from grader.model.diagnostic import DiagnosticKind
from grader.model.program import Lane, ProgramRun
from grader.profiling.program_sanitizer import read_findings, sanitizer_command
from grader.programs.build import Sources
from grader.programs.gpu.compile import compile_for_gpu
from grader.programs.gpu.device import gpu_device
from grader.programs.gpu.recorder import find_cupti, recorder
from grader.programs.gpu.run import Executable, GpuRunRequest, run_on_gpu
from grader.programs.toolchain import find_toolchain
from grader.sandbox.program_start import unconfined
from tests.gpu.commands import environment
from tools.paths import CHECKOUT

pytestmark = pytest.mark.gpu

PROGRAM = CHECKOUT / "tests" / "gpu" / "programs" / "faults.cu"
SOURCES = Sources(files={PROGRAM.name: PROGRAM.read_bytes()})
COMMAND = "from grader.cli.app import main; main()"

BOXED = ["--trust"] if shutil.which("bwrap") is None else []
"""Options of a run in the sandbox where there is one."""


def ran(*options: str, arguments: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
    """``grader run`` of the program on this machine's GPU, with 7 on its standard input."""
    command = [sys.executable, "-c", COMMAND, "run", str(PROGRAM), "--engine", "cuda", *BOXED, *options]
    return subprocess.run(
        [*command, "--", *arguments],
        input="7\n",
        env=environment(),
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_output_input_arguments_and_exit_code_are_the_programs() -> None:
    done = ran(arguments=("5",))
    assert (done.stdout, done.returncode) == ("1048576 7 5\n", 5), done.stderr


def test_the_timeline_is_measured_and_has_lines() -> None:
    tools = find_toolchain()
    executable = compile_for_gpu(SOURCES, tools, gpu_device().arch)
    request = GpuRunRequest(recorder=recorder(tools, find_cupti(tools)))
    run: ProgramRun = run_on_gpu(Executable(executable), SOURCES, request, unconfined)
    work = [each for each in run.activities if each.lane is not Lane.HOST]
    assert (run.exit_code, run.is_measured, run.launches) == (0, True, 1)
    assert [(each.lane, each.location.line) for each in work] == [
        (Lane.COPY_IN, 12),
        (Lane.KERNELS, 13),
        (Lane.COPY_OUT, 14),
    ]
    assert work[0].name is not None
    assert work[0].name.code == "work-copy-pinned"
    assert 5e9 < work[0].moved_bytes / (work[0].end - work[0].start) < 500e9
    assert all(before.end <= after.start for before, after in pairwise(work))


def test_a_timeline_is_shown(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = ran("--timeline", "--html", str(page), arguments=("0",))
    assert done.returncode == 0, done.stderr
    assert "measured" in done.stderr
    assert "add_one" in page.read_text(encoding="utf-8")


def test_the_sanitizer_names_lines_of_host_code_and_kernels(tmp_path: Path) -> None:
    report = tmp_path / "findings.xml"
    executable = compile_for_gpu(SOURCES, find_toolchain(), gpu_device().arch)
    request = GpuRunRequest(arguments=("0", "x"), tool=sanitizer_command(report), seconds=120)
    run_on_gpu(Executable(executable), SOURCES, request, unconfined)
    found = {(each.kind, each.line) for each in read_findings(report, SOURCES.lines)}
    assert {(DiagnosticKind.RUNTIME_ERROR, 19), (DiagnosticKind.OUT_OF_BOUNDS, 4)} <= found


def test_findings_of_the_sanitizer_are_shown() -> None:
    done = ran("--sanitize", arguments=("3",))
    assert (done.stdout, done.returncode) == ("1048576 7 3\n", 3), done.stderr
    assert "Leaked 1000 bytes" in done.stderr


NUMBA = CHECKOUT / "tests" / "gpu" / "data" / "numba_add.py"


def ran_numba(*options: str, arguments: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
    """``grader run`` of a Numba program on this machine's GPU."""
    command = [sys.executable, "-c", COMMAND, "run", str(NUMBA), "--engine", "cuda", *BOXED, *options]
    return subprocess.run(
        [*command, "--", *arguments],
        env=environment(),
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_numba_program_runs_with_numba_and_the_driver_as_they_are() -> None:
    done = ran_numba(arguments=("5",))
    assert (done.stdout, done.returncode) == ("[5. 6. 7.]\n", 3), done.stderr


def test_compute_sanitizer_finds_the_line_of_a_numba_kernel() -> None:
    done = ran_numba("--sanitize", arguments=("0", "beyond"))
    assert "out of bounds" in done.stderr, done.stderr
    assert "numba_add.py" in done.stderr
