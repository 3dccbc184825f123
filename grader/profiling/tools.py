"""Runs one of NVIDIA's tools on kernels, apart from grading and untimed, and ends all its processes."""

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
"""Time limit of a run: a tool starts Python and a CUDA context, and slows kernels down many times."""

_TOOLKIT_FOLDERS = (Path("/usr/local/cuda/bin"), Path("/opt/cuda/bin"))
"""Folders of CUDA toolkits' programs, where they are not on the PATH."""

_SOFTWARE_FOLDERS = (Path("/opt/nvidia"), Path("/opt/cuda"))
"""Folders with the files that those programs need."""

_NOT_ALLOWED = "ERR_NVGPUCTRPERM"

_ALLOW = (
    "An administrator must allow all users to read the GPU's counters: put `options nvidia "
    "NVreg_RestrictProfilingToAdminUsers=0` into a file in /etc/modprobe.d and reload the driver."
)

_LAST_LINES = 3


class Runner(Protocol):
    """Runs a tool, in a sandbox or not."""

    def run(self, command: Sequence[str], folder: Path, software: Sequence[Path], seconds: float) -> int:
        """Run ``command`` in ``folder`` with the folders ``software`` visible; its exit code."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of NVIDIA's; ``source`` names the packages that contain it."""

    program: str
    title: str
    source: str

    def find(self) -> str:
        """Its path. Raises: ``UserError`` where it is not installed."""
        found = shutil.which(self.program) or next(
            (str(folder / self.program) for folder in _TOOLKIT_FOLDERS if (folder / self.program).is_file()),
            None,
        )
        if found is None:
            msg = f"{self.title} ({self.program}) is not installed."
            raise UserError(msg, hint=f"It is part of {self.source}; put its folder on the PATH.")
        return found


@contextmanager
def running(
    runner: Runner, tool: Tool, options: Sequence[str], output: str, jobs: Sequence[LaunchJob]
) -> Iterator[Path]:
    """Context manager: run ``tool`` on ``jobs``; the report file, passed by the tool's option ``output``.

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
                software_of(command),
                SECONDS,
            )
        except InfrastructureError as error:
            msg = f"{tool.title} failed: {error}"
            raise InfrastructureError(msg) from error
        output_text = log.read_text("utf-8", "replace") if log.is_file() else ""
        if _NOT_ALLOWED in output_text:
            msg = f"{tool.title} may not read the counters of this GPU."
            raise UserError(msg, hint=_ALLOW)
        if code or not result.is_file():
            last = " ".join(output_text.splitlines()[-_LAST_LINES:]) or "without output"
            msg = f"{tool.title} ended with {code}: {last}"
            raise InfrastructureError(msg)
        yield result


def software_of(command: str) -> list[Path]:
    """The folders of a tool's files; the program itself may be a link or a script."""
    return [
        Path(command).resolve().parent.parent,
        *(folder for folder in _SOFTWARE_FOLDERS if folder.is_dir()),
    ]
