"""Compile and run a whole program, on the emulator or on a real GPU."""

import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.notifier import Notifier
from grader.errors import InfrastructureError, UserError
from grader.model.devices import by_name
from grader.model.program import ProgramRun
from grader.model.reason import reason
from grader.model.run import EngineKind
from grader.model.submission import SourceFile
from grader.model.text import printable
from grader.profiling.program_sanitizer import read_findings, sanitizer_command
from grader.profiling.tools import software_of
from grader.programs.cpp import CppProgram
from grader.programs.gpu.compile import compile_for_gpu
from grader.programs.gpu.device import GpuDevice, gpu_device
from grader.programs.gpu.python import python_on_gpu
from grader.programs.gpu.recorder import find_cupti, recorder
from grader.programs.gpu.run import Executable, GpuProgram, GpuRunRequest, run_on_gpu
from grader.programs.language import ReadProgram
from grader.programs.languages import language_of
from grader.programs.python.program import ReadPython
from grader.programs.run import RunRequest, run
from grader.programs.start import Start
from grader.programs.toolchain import find_toolchain
from grader.sandbox.gpu import chosen_gpu
from grader.sandbox.gpu_lock import gpu_lock
from grader.sandbox.program_start import Confined, unconfined

_PER_THREAD = "per-thread"
_DEFAULT_STREAMS = ("legacy", _PER_THREAD)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRequest:
    """A file or folder to compile and run.

    ``include`` are further folders of headers. ``trusted``: without a sandbox. ``diagnose``: with findings in kernels.
    ``devices`` is how many GPUs are imitated; ``default_stream`` is ``legacy`` or ``per-thread``, as for nvcc.
    On a real GPU, ``sanitize`` runs it under compute-sanitizer, and ``recorded`` records its timeline.
    """

    path: Path
    arguments: Sequence[str]
    device: str
    seconds: float
    include: Sequence[Path] = ()
    trusted: bool = False
    diagnose: bool = True
    devices: int = 1
    default_stream: str = "legacy"
    engine: EngineKind = EngineKind.EMULATOR
    sanitize: bool = False
    recorded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run, the name of the device that it used or imitated, and the files of the program."""

    run: ProgramRun
    device: str
    sources: tuple[SourceFile, ...]


def run_program(request: ProgramRequest, notifier: Notifier) -> Ran:
    """Run a program to its end; its standard streams are those of this process.

    Raises: ``UserError`` for files that are no program or do not compile, and where a compiler, a tool, a GPU or a
    sandbox is missing.
    """
    if request.default_stream not in _DEFAULT_STREAMS:
        msg = f"There is no default stream of kind {printable(request.default_stream)}."
        raise UserError(msg, hint="Pass `--default-stream legacy` or `--default-stream per-thread`.")
    run = _RUNNERS.get(request.engine)
    if run is None:
        msg = f"The engine {request.engine} runs no programs."
        raise UserError(msg, hint=f"Name one of: {', '.join(_RUNNERS)}.")
    read = language_of(request.path).read(request.path, request.include)
    done, device = run(request, read, notifier)
    files = tuple(SourceFile(name=Path(name).name, data=data) for name, data in read.sources.files.items())
    return Ran(run=done, device=device, sources=files)


def _emulated(request: ProgramRequest, read: ReadProgram, notifier: Notifier) -> tuple[ProgramRun, str]:
    if request.sanitize:
        if not isinstance(read, CppProgram):
            msg = "`--sanitize` builds host code in C++ with AddressSanitizer."
            raise UserError(msg, hint="Leave it out: Python checks the memory of its own arrays.")
        read = replace(read, sources=replace(read.sources, is_sanitized=True))
    device = by_name(request.device)
    start = _start(read.visible, trusted=request.trusted)
    with notifier.status(reason("compiling", file=printable(request.path.name))):
        program = read.build()
    asked = RunRequest(
        device=device,
        arguments=tuple(request.arguments),
        seconds=request.seconds,
        diagnose=request.diagnose,
        devices=request.devices,
        is_per_thread=request.default_stream == _PER_THREAD,
        is_sanitized=request.sanitize,
    )
    return run(program, read.sources, asked, start), device.name


def _on_gpu(request: ProgramRequest, read: ReadProgram, notifier: Notifier) -> tuple[ProgramRun, str]:
    if request.devices > 1:
        msg = "`--devices` imitates GPUs, and `--engine cuda` uses those of this machine."
        raise UserError(msg, hint="Leave one of the two options out.")
    if request.sanitize and request.recorded:
        msg = "`--sanitize` slows a program down many times, so it measures no timeline."
        raise UserError(msg, hint="Run the program twice, with one of the options each.")
    if request.recorded and not isinstance(read, CppProgram):
        msg = "The timeline of a Numba program is not measured on a GPU: CUPTI knows no lines of Python."
        raise UserError(msg, hint="Leave out --timeline and --html, or run it without `--engine cuda`.")
    device = gpu_device()
    cupti = find_cupti(find_toolchain()) if request.recorded else None
    with ExitStack() as stack:
        reports = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-report-")))
        report = reports / "findings.xml"
        tool = sanitizer_command(report) if request.sanitize else []
        software = [*(software_of(tool[0]) if tool else ()), *([cupti.library] if cupti else ())]
        start = _start(read.visible, trusted=request.trusted, gpu=True, software=software, reports=[reports])
        with notifier.status(reason("compiling", file=printable(request.path.name))):
            program = _for_gpu(request, read, device)
            library = recorder(find_toolchain(), cupti) if cupti else None
        asked = GpuRunRequest(
            arguments=tuple(request.arguments), seconds=request.seconds, recorder=library, tool=tool
        )
        stack.enter_context(gpu_lock(threading.Event()))
        done = run_on_gpu(program, read.sources, asked, start)
        if request.sanitize:
            done = replace(done, diagnostics=read_findings(report, read.sources.lines), is_checked=True)
    return done, device.name


def _for_gpu(request: ProgramRequest, read: ReadProgram, device: GpuDevice) -> GpuProgram:
    """The program as this machine's GPU runs it. Raises: ``UserError`` as ``run_program``."""
    if isinstance(read, ReadPython):
        return python_on_gpu(read, per_thread=request.default_stream == _PER_THREAD)
    if isinstance(read, CppProgram):
        return Executable(
            compile_for_gpu(
                read.sources, find_toolchain(), device.arch, default_stream=request.default_stream
            )
        )
    msg = f"`--engine cuda` runs no programs such as {printable(request.path.name)}."
    raise UserError(msg, hint="Run it on the emulator, without `--engine cuda`.")


_RUNNERS = {EngineKind.EMULATOR: _emulated, EngineKind.CUDA: _on_gpu}


def _start(
    visible: Sequence[Path],
    *,
    trusted: bool,
    gpu: bool = False,
    software: Sequence[Path] = (),
    reports: Sequence[Path] = (),
) -> Start:
    if trusted:
        return unconfined
    try:
        return Confined(
            Path.cwd(), chosen_gpu() if gpu else None, software=software, writable=reports, visible=visible
        )
    except InfrastructureError as error:
        msg = f"A program runs in a sandbox, and {error}."
        raise UserError(
            msg, hint="Install bubblewrap, or pass --trust to run your own program without it."
        ) from error
