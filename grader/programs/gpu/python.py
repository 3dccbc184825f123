"""A Numba program on a real GPU: this Python, with numba-cuda and NVIDIA's driver as they are."""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from grader.errors import UserError
from grader.programs.gpu.records import Recorded
from grader.programs.language import Command, ProgramSources
from grader.programs.python.program import ReadPython

_PER_THREAD = "NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM"


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonOnGpu:
    """A program with its files where its user has them."""

    script: Path
    per_thread: bool

    def install(self, folder: Path) -> Command:
        """See ``GpuProgram.install``."""
        del folder
        variables = {_PER_THREAD: "1"} if self.per_thread else {}
        return Command(words=[sys.executable, str(self.script)], variables=variables)

    def recorded(self, text: str, folder: Path, sources: ProgramSources) -> Recorded:
        """See ``GpuProgram.recorded``: nothing records which line of Python asks for work."""
        del text, folder, sources
        return Recorded()


def python_on_gpu(read: ReadPython, *, per_thread: bool) -> PythonOnGpu:
    """The program. Raises: ``UserError`` where numba-cuda is missing."""
    if find_spec("numba_cuda") is None:
        msg = "The package numba-cuda is not installed, and a Numba program needs it."
        raise UserError(msg, hint="Install it with `pip install numba-cuda`.")
    return PythonOnGpu(script=read.sources.home(Path()) / read.script, per_thread=per_thread)
