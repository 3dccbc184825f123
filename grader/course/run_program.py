"""Compile and run a whole program on the emulator."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.notifier import Notifier
from grader.errors import InfrastructureError, UserError
from grader.model.device import Device
from grader.model.devices import by_name
from grader.model.program import ProgramRun
from grader.model.submission import SourceFile
from grader.model.text import printable
from grader.programs.build import DEVICE_SOURCES, HEADERS, HOST_SOURCES, Sources, build
from grader.programs.run import RunRequest, run
from grader.programs.start import Start
from grader.programs.toolchain import find_toolchain
from grader.sandbox.program_start import Confined, unconfined

_KNOWN = DEVICE_SOURCES | HOST_SOURCES | HEADERS
_MOST_FILES = 500
_MOST_BYTES = 32 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRequest:
    """A file or folder to compile and run.

    ``include`` are further folders of headers. ``trusted``: without a sandbox. ``diagnose``: with findings in kernels.
    """

    path: Path
    arguments: Sequence[str]
    device: str
    seconds: float
    include: Sequence[Path] = ()
    trusted: bool = False
    diagnose: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run, the device that it imitated, and the files of the program."""

    run: ProgramRun
    device: Device
    sources: tuple[SourceFile, ...]


def run_program(request: ProgramRequest, notifier: Notifier) -> Ran:
    """Run a program to its end; its standard streams are those of this process.

    Raises: ``UserError`` for files that are no program or do not compile, and where a compiler or sandbox is missing.
    """
    device = by_name(request.device)
    sources = read_sources(request.path, request.include)
    toolchain = find_toolchain()
    start = _start(trusted=request.trusted)
    with notifier.status(f"compiling {printable(request.path.name)} …"):
        program = build(sources, toolchain)
    asked = RunRequest(
        device=device, arguments=tuple(request.arguments), seconds=request.seconds, diagnose=request.diagnose
    )
    files = tuple(SourceFile(name=Path(name).name, data=data) for name, data in sources.files.items())
    return Ran(run=run(program, sources, asked, start), device=device, sources=files)


def _start(*, trusted: bool) -> Start:
    if trusted:
        return unconfined
    try:
        return Confined(Path.cwd())
    except InfrastructureError as error:
        msg = f"A program runs in a sandbox, and {error}."
        raise UserError(
            msg, hint="Install bubblewrap, or pass --trust to run your own program without it."
        ) from error


def read_sources(path: Path, include: Sequence[Path] = ()) -> Sources:
    """The files of a program: ``path`` and the headers beside it, or all sources and headers of a folder.

    ``include`` are further folders of headers.

    Raises: ``UserError`` where there is none, or where they are too many.
    """
    try:
        if path.is_dir():
            files = {
                str(each.relative_to(path)): each for each in sorted(path.rglob("*")) if _is_source(each)
            }
        elif path.is_file():
            beside = (
                each for each in sorted(path.parent.iterdir()) if each.suffix in HEADERS and each.is_file()
            )
            files = {each.name: each for each in (path, *beside)}
        else:
            msg = f"There is no file or folder {printable(str(path))}."
            raise UserError(msg)
        if len(files) > _MOST_FILES or sum(each.stat().st_size for each in files.values()) > _MOST_BYTES:
            msg = f"{printable(str(path))} has more than {_MOST_FILES} files or {_MOST_BYTES >> 20} MiB of sources."
            raise UserError(msg, hint="Name the program's own file or folder.")
        found = Sources(
            files={name: each.read_bytes() for name, each in files.items()},
            included=tuple(map(_headers, include)),
        )
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    if not found.compiled:
        msg = f"{printable(str(path))} has no CUDA C++ source."
        raise UserError(msg, hint="Name a .cu file, or a folder with .cu and .cpp files.")
    return found


def _headers(folder: Path) -> dict[str, bytes]:
    """The headers below ``folder``."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in HEADERS and path.is_file() and not path.is_symlink()
    }


def _is_source(path: Path) -> bool:
    return path.suffix in _KNOWN and path.is_file() and not path.is_symlink()
