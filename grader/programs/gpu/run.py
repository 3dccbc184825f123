"""Runs a program on a real GPU: as it is, with a record of its work, or under a tool."""

import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.model.program import ProgramRun
from grader.programs.call_sites import CallSites
from grader.programs.gpu.records import Recorded, read_records
from grader.programs.language import Command, ProgramSources
from grader.programs.start import Start
from grader.programs.time_limit import TimeLimit

_MOST_RECORDED = 64 << 20
_PROGRAM = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuRunRequest:
    """How to run a program: with which arguments, and for how many seconds of wall time.

    ``recorder`` is the library that records its work; ``None``: it runs unrecorded. ``tool`` is a command that the
    program's command is appended to.
    """

    arguments: Sequence[str] = ()
    seconds: float = 60.0
    recorder: bytes | None = None
    tool: Sequence[str] = ()


class GpuProgram(Protocol):
    """A program that can be started on a GPU."""

    def install(self, folder: Path) -> Command:
        """Write into ``folder`` what the program needs."""

    def recorded(self, text: str, folder: Path, sources: ProgramSources) -> Recorded:
        """What a recorder wrote about the program that was installed in ``folder``."""


@dataclass(frozen=True, slots=True)
class Executable:
    """An executable that is linked with NVIDIA's runtime."""

    data: bytes

    def install(self, folder: Path) -> Command:
        """See ``GpuProgram.install``."""
        program = folder / _PROGRAM
        program.write_bytes(self.data)
        program.chmod(0o755)
        return Command(words=[str(program)])

    def recorded(self, text: str, folder: Path, sources: ProgramSources) -> Recorded:
        """See ``GpuProgram.recorded``."""
        with CallSites(folder / _PROGRAM, sources.lines) as sites:
            return read_records(text, sites)


def run_on_gpu(
    program: GpuProgram, sources: ProgramSources, request: GpuRunRequest, start: Start
) -> ProgramRun:
    """Run ``program`` to its end; ``start`` starts it, in a sandbox or without one."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-run-")))
        installed = program.install(folder)
        variables = dict(installed.variables)
        file = os.memfd_create("records")
        stack.callback(os.close, file)
        if request.recorder is not None:
            library = folder / "recorder.so"
            library.write_bytes(request.recorder)
            variables |= {"CUDA_INJECTION64_PATH": str(library), "GRADER_RECORDS": str(file)}
        command = [*request.tool, *installed.words, *request.arguments]
        with start(command, folder, variables, (file,)) as child, TimeLimit(request.seconds).over(child):
            code = child.wait()
        text = os.pread(file, min(os.fstat(file).st_size, _MOST_RECORDED), 0).decode(errors="replace")
        recorded = program.recorded(text, folder, sources) if text else Recorded()
        return ProgramRun(
            exit_code=code,
            activities=recorded.activities,
            seconds=recorded.seconds,
            calls=recorded.calls,
            launches=recorded.launches,
            is_measured=True,
            is_checked=False,
        )
