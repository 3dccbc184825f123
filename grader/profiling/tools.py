"""Running one of NVIDIA's tools over kernels: apart from grading, untimed, and ended with all that it started."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.errors import InfrastructureError, UserError
from grader.model.run import LaunchJob
from grader.profiling.target import written

SECONDS = 300
"""For one run of a tool: it starts Python and a CUDA context, and slows kernels down many times."""

_ELSEWHERE = (Path("/usr/local/cuda/bin"), Path("/opt/cuda/bin"))
"""Where CUDA toolkits put their programs, if they are not on the PATH."""

_INSTALLED = (Path("/opt/nvidia"), Path("/opt/cuda"))
"""Where they keep what those programs need."""

_NOT_ALLOWED = "ERR_NVGPUCTRPERM"

_ALLOW = (
    "An administrator must let everybody read the GPU's counters: put `options nvidia "
    "NVreg_RestrictProfilingToAdminUsers=0` into a file below /etc/modprobe.d and load the driver again."
)

_LAST_LINES = 3


class Runner(Protocol):
    """How a tool is run: in a sandbox or not."""

    def run(self, command: Sequence[str], folder: Path, software: Sequence[Path], seconds: float) -> int:
        """The exit code of ``command``, which writes into ``folder`` and needs ``software``, folders, to be seen."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of NVIDIA's; ``source`` says where it comes from."""

    program: str
    title: str
    source: str

    def find(self) -> str:
        """Where it is. Raises: ``UserError`` where it is not installed."""
        found = shutil.which(self.program) or next(
            (str(folder / self.program) for folder in _ELSEWHERE if (folder / self.program).is_file()), None
        )
        if found is None:
            msg = f"{self.title} ({self.program}) is not installed."
            raise UserError(msg, hint=f"It is part of {self.source}; put its folder on the PATH.")
        return found


@contextmanager
def running(
    runner: Runner, tool: Tool, options: Sequence[str], output: str, jobs: Sequence[LaunchJob]
) -> Iterator[Path]:
    """Within it the file that ``tool`` wrote after ``output``, an option of it, while ``jobs`` were launched.

    Raises: ``UserError`` where the tool is missing or not allowed to work, ``InfrastructureError`` where it fails.
    """
    command = tool.find()
    with tempfile.TemporaryDirectory(prefix="grader-profile-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        asked, log, result = folder / "jobs", folder / "log", folder / "result.ncu-rep"
        written(jobs, asked)
        try:
            code = runner.run(
                [
                    *(command, *options, "--log-file", str(log), output, str(result)),
                    *(sys.executable, "-I", "-m", "grader.profiling.target", str(asked)),
                ],
                folder,
                _software(command),
                SECONDS,
            )
        except InfrastructureError as error:
            msg = f"{tool.title} failed: {error}"
            raise InfrastructureError(msg) from error
        told = log.read_text("utf-8", "replace") if log.is_file() else ""
        if _NOT_ALLOWED in told:
            msg = f"{tool.title} may not read the counters of this GPU."
            raise UserError(msg, hint=_ALLOW)
        if code or not result.is_file():
            last = " ".join(told.splitlines()[-_LAST_LINES:]) or "without a word"
            msg = f"{tool.title} ended with {code}: {last}"
            raise InfrastructureError(msg)
        yield result


def _software(command: str) -> list[Path]:
    """The folders that a tool's own files are in, beside the program, which may be a link or a script."""
    return [Path(command).resolve().parent.parent, *(folder for folder in _INSTALLED if folder.is_dir())]
