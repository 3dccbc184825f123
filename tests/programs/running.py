"""Builds and runs a program of the tests, and keeps what it prints."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from grader.model.devices import H200
from grader.model.program import ProgramRun
from grader.programs.build import BuiltProgram, Sources, build
from grader.programs.run import RunRequest, run
from grader.programs.toolchain import find_toolchain
from tools import seeded_faults

DATA = Path(__file__).parent / "data"


def cases(name: str) -> list[str]:
    """The numbers of the cases of a program of the folder ``data``."""
    return seeded_faults.cases(DATA / name)


def expected(name: str, number: str) -> set[tuple[str, int]]:
    """The codes and lines that the comments of a case name."""
    return seeded_faults.expected(DATA / name, number)


@dataclass(frozen=True, slots=True)
class Ran:
    """A run, and what the program printed."""

    run: ProgramRun
    printed: str


@cache
def sources(name: str) -> Sources:
    """A program of the folder ``data``."""
    return Sources(files={name: (DATA / name).read_bytes()})


@cache
def built(name: str) -> BuiltProgram:
    """The program, compiled."""
    return build(sources(name), find_toolchain())


def ran(name: str, *arguments: str, seconds: float = 60, **options: Any) -> Ran:
    """Run a program of the folder ``data`` with ``arguments``, and ``options`` of ``RunRequest``."""
    return ran_as(built(name), sources(name), *arguments, seconds=seconds, **options)


def ran_as(
    program: BuiltProgram, files: Sources, *arguments: str, seconds: float = 60, **options: Any
) -> Ran:
    """Run a built program, with ``options`` of ``RunRequest``."""
    start = Captured()
    request = replace(RunRequest(device=H200, arguments=arguments, seconds=seconds), **options)
    done = run(program, files, request, start.start)
    return Ran(done, start.printed)


class Captured:
    """Starts programs as plain processes with standard output in a pipe."""

    def __init__(self) -> None:
        self.printed = ""

    @contextmanager
    def start(
        self, command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
    ) -> Iterator["subprocess.Popen[bytes]"]:
        output = folder / "output"
        with (
            output.open("wb") as file,
            subprocess.Popen(
                command, env=variables, pass_fds=inherited, stdout=file, stderr=subprocess.STDOUT, cwd=folder
            ) as process,
        ):
            try:
                yield process
            finally:
                process.kill()
                process.wait()
                self.printed = output.read_text(errors="replace")
