"""The languages in which a program lab can be solved, and how a submission in each of them is built."""

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.compile.messages import compiler_diagnostic, quoted
from grader.grading.programs.sandbox import ProgramSandbox
from grader.labs.program import ProgramRequest
from grader.model.diagnostic import Severity
from grader.model.reason import reason
from grader.model.submission import Language
from grader.programs.build import Sources
from grader.programs.compile_error import CompileError
from grader.programs.harness.sources import harness_sources
from grader.programs.language import Program, ProgramSources
from grader.programs.python.outline import Outline
from grader.programs.python.program import PythonProgram, PythonSources, driver_library

_OUTLINE = "grader.programs.python.outline"
_SECONDS = 60.0
_INTERPRETED_RUNS = 3
"""The host code of an interpreter takes a tenth longer or shorter from one run to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A program that can be started, and its files.

    ``runs``: how often it runs at least to be timed (``repeats``); the fastest counts.
    """

    program: Program
    sources: ProgramSources
    runs: int = 1


Build = Callable[[ProgramRequest, Mapping[str, bytes], ProgramSandbox], Built]
"""Builds files, by name, to the program that a lab asks for. Raises: ``CompileError``, ``InfrastructureError``."""


def _build_cpp(request: ProgramRequest, files: Mapping[str, bytes], sandbox: ProgramSandbox) -> Built:
    """An executable; where the lab asks for a function, a ``main`` of ours calls it."""
    harness = {} if request.function is None else harness_sources(request.function, request.params)
    sources = Sources(files=files, harness=harness)
    try:
        return Built(program=sandbox.build(sources), sources=sources)
    except CompileError as error:
        if any(name.split("(")[0] == request.name for name in error.lacking):
            why = reason("program-lacks-function", signature=request.signature)
            raise CompileError(why, error.diagnostics) from error
        raise


def _build_numba(request: ProgramRequest, files: Mapping[str, bytes], sandbox: ProgramSandbox) -> Built:
    """The files as they are: Numba compiles while the program runs."""
    found = _outline(files, sandbox)
    if found.problems:
        messages = (
            compiler_diagnostic(Severity.ERROR, quoted(each.text), Path(each.file).name, each.line)
            for each in found.problems
        )
        raise CompileError(reason("program-does-not-compile"), tuple(messages))
    program = PythonProgram(
        script=_called(request, found) if request.function else _run(files, found),
        sources=PythonSources(files=files),
        library=driver_library(),
        is_called=request.function is not None,
    )
    return Built(program=program, sources=program.sources, runs=_INTERPRETED_RUNS)


def _outline(files: Mapping[str, bytes], sandbox: ProgramSandbox) -> Outline:
    """What the files define, read in the sandbox. Raises: ``CompileError`` for what no parser can read."""
    with tempfile.TemporaryDirectory(prefix="grader-outline-") as made:
        folder = Path(made)
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        done = sandbox.tool([sys.executable, "-m", _OUTLINE, *files], folder, folder, _SECONDS)
    try:
        return msgspec.json.decode(done.output, type=Outline)
    except msgspec.DecodeError:
        raise CompileError(reason("program-does-not-compile")) from None


def _called(request: ProgramRequest, found: Outline) -> str:
    """The file with the function that the lab asks for. Raises: ``CompileError``."""
    if not found.takes(request.name, len(request.params)):
        names = ", ".join(param.name for param in request.params)
        raise CompileError(reason("program-lacks-python-function", signature=f"{request.name}({names})"))
    return found.names[request.name][0]


def _run(files: Mapping[str, bytes], found: Outline) -> str:
    """The file to run: the only one, or the only one with a part for the main program. Raises: ``CompileError``."""
    candidates = list(files) if len(files) == 1 else list(found.mains)
    if len(candidates) != 1:
        raise CompileError(reason("program-main-unclear", files=tuple(sorted(files))))
    return candidates[0]


BUILDS: Mapping[Language, Build] = {Language.CUDA_C: _build_cpp, Language.NUMBA: _build_numba}

MEASURED = frozenset({Language.CUDA_C})
"""The languages of programs that are timed on a real GPU; the times of others are modelled there too."""
