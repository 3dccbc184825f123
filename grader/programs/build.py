"""Compiles a program: its kernels to PTX, its host code to an executable that is linked with the stand-in runtime."""

import hashlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.cache import CacheFolder
from grader.compile.failure import BuildFailed
from grader.model.reason import reason
from grader.programs.call_sites import CallSites
from grader.programs.compile_error import CompileError
from grader.programs.compiler import OBJECT, CompileSteps
from grader.programs.language import Command, ProgramSources
from grader.programs.names import VariableNames
from grader.programs.runtime_library import RUNTIME, runtime_headers, runtime_library
from grader.programs.toolchain import Toolchain
from grader.programs.tools import Tool, plain_tool
from grader.programs.units import Unit, assembled

DEVICE_SOURCES = frozenset({".cu"})
HOST_SOURCES = frozenset({".cpp", ".cc", ".cxx", ".c"})
HEADERS = frozenset({".h", ".hpp", ".cuh", ".hh", ".inc", ".inl"})

_FLAGS = (
    "-std=c++17",
    "-g",
    "-O1",
    "-lineinfo",
    *("-Xcompiler", "-fno-optimize-sibling-calls"),  # a call at the end of a function keeps its line
    "-cudart",
    "none",
    "-gencode",
    "arch=compute_75,code=compute_75",
)
OWN_FOLDER = "source"
"""The folder with the program's own files, where compilers run."""

_OPENMP = re.compile(rb"^\s*#\s*include\s*<omp\.h>", re.MULTILINE)
_EXECUTABLE, _HARNESS = "program", "harness"
_STUDENTS_MAIN = "-Dmain=program_main"
"""Renames the ``main`` of a program that another one surrounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The files of a program by their names in its folder, and the headers of further folders, by name in each.

    ``harness`` are C++ files of ours: their ``main`` calls a function of the program and replaces the program's own.
    ``is_sanitized``: AddressSanitizer looks after the memory of host code.
    """

    files: Mapping[str, bytes]
    included: tuple[Mapping[str, bytes], ...] = ()
    harness: Mapping[str, bytes] = field(default_factory=dict)
    is_sanitized: bool = False

    @property
    def compiled(self) -> tuple[str, ...]:
        """The files to compile."""
        return tuple(name for name in self.files if Path(name).suffix in DEVICE_SOURCES | HOST_SOURCES)

    @property
    def lines(self) -> dict[str, list[str]]:
        """The lines of each file, by its name without folder."""
        return {
            Path(name).name: data.decode(errors="replace").splitlines() for name, data in self.files.items()
        }

    @property
    def everything(self) -> dict[str, bytes]:
        """All files, by their names in the folder where they are compiled."""
        found = {f"{OWN_FOLDER}/{name}": data for name, data in self.files.items()}
        for number, folder in enumerate(self.included):
            found |= {f"include{number}/{name}": data for name, data in folder.items()}
        return found | {f"{_HARNESS}/{name}": data for name, data in self.harness.items()}

    def write(self, folder: Path) -> None:
        """Put all files below ``folder``, as ``flags`` expects them of a compiler that runs in ``OWN_FOLDER``."""
        for name, data in self.everything.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that name the folders of headers, seen from that of the program, and what the program asks for."""
        folders = [".", *(f"../include{number}" for number in range(len(self.included)))]
        return (
            *(flag for folder in folders for flag in ("-I", folder)),
            *self.openmp("-Xcompiler", "-fopenmp"),
            *(flag for option in self.sanitizer for flag in ("-Xcompiler", option)),
        )

    @property
    def sanitizer(self) -> tuple[str, ...]:
        """What the host's compiler and linker need for AddressSanitizer."""
        return ("-fsanitize=address", "-fno-omit-frame-pointer") if self.is_sanitized else ()

    def openmp(self, *flags: str) -> tuple[str, ...]:
        """``flags`` if the program uses OpenMP."""
        return flags if any(_OPENMP.search(data) for data in self.files.values()) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgram:
    """An executable, the library that it needs beside it, and the units with its kernels."""

    executable: bytes
    library: bytes
    units: tuple[Unit, ...]

    def paths(self, folder: Path) -> Mapping[str, str]:
        """See ``Program.paths``: it compiles nothing itself."""
        del folder
        return {}

    @property
    def is_managed(self) -> bool:
        """See ``Program.is_managed``."""
        return False

    @property
    def wording(self) -> Mapping[str, str]:
        """See ``Program.wording``."""
        return {}

    def install(self, folder: Path) -> Command:
        """See ``Program.install``."""
        executable = folder / _EXECUTABLE
        executable.write_bytes(self.executable)
        executable.chmod(0o755)
        (folder / RUNTIME.name).write_bytes(self.library)
        return Command(words=[str(executable)])

    def sites(self, folder: Path, sources: ProgramSources) -> CallSites:
        """See ``Program.sites``."""
        return CallSites(folder / _EXECUTABLE, sources.lines)

    def failure(self, printed: str, sources: ProgramSources) -> None:
        """See ``Program.failure``: the exit code is all that is known."""
        del printed, sources

    def names(self, sources: ProgramSources) -> VariableNames:
        """See ``Program.names``."""
        return VariableNames(sources.lines)


def build(sources: Sources, toolchain: Toolchain, tool: Tool = plain_tool) -> BuiltProgram:
    """Compile ``sources``; the result is kept, so that the same files are compiled once. ``tool`` runs the compilers.

    Raises: ``CompileError`` with the compilers' messages for code that does not compile.
    """
    library = runtime_library(toolchain)
    parts = [toolchain.version.encode(), library, *map(str.encode, (*_FLAGS, *sources.sanitizer))]
    parts += [part for name, data in sorted(sources.everything.items()) for part in (name.encode(), data)]
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(8, "little") + part for part in parts)).hexdigest()
    cache = CacheFolder("programs", most_bytes=1 << 30)
    kept = cache.read(digest)
    if kept is not None:
        return msgspec.msgpack.decode(kept, type=BuiltProgram)
    with tempfile.TemporaryDirectory(prefix="grader-program-") as folder:
        made = _built(sources, toolchain, library, Path(folder), tool)
    cache.write(digest, msgspec.msgpack.encode(made))
    return made


def _built(sources: Sources, toolchain: Toolchain, library: bytes, folder: Path, tool: Tool) -> BuiltProgram:
    sources.write(folder)
    (folder / RUNTIME.name).write_bytes(library)
    own_headers = folder / "runtime"
    own_headers.mkdir()
    for name, data in runtime_headers().items():
        (own_headers / name).write_bytes(data)
    steps = CompileSteps(toolchain, _FLAGS, folder, tool)
    kept, ours = compiled(sources, steps, ("-I", str(own_headers)))
    steps.run(
        [
            str(toolchain.cxx),
            "-o",
            str(folder / _EXECUTABLE),
            *(str(unit / OBJECT) for unit in (*kept, *ours)),
            str(folder / RUNTIME.name),
            "-Wl,-rpath,$ORIGIN",
            "-lm",
            "-lpthread",
            *sources.openmp("-fopenmp"),
            *sources.sanitizer,
        ],
        folder,
    )
    own = tuple(Path(name).name for name in sources.files)
    units = [
        _unit(path.read_text(encoding="utf-8", errors="replace"), own)
        for unit in kept
        for path in sorted(unit.glob("*.ptx"))
    ]
    return BuiltProgram(executable=(folder / _EXECUTABLE).read_bytes(), library=library, units=tuple(units))


def compiled(
    sources: Sources, steps: CompileSteps, flags: Sequence[str] = ()
) -> tuple[list[Path], list[Path]]:
    """Compile the program's files, with ``flags`` beside its own, and those of its harness; the folder of each."""
    known = (*sources.flags, *flags, *((_STUDENTS_MAIN,) if sources.harness else ()))
    kept = [steps.compiled(name, OWN_FOLDER, known) for name in sources.compiled]
    ours = [steps.compiled(name, _HARNESS, ()) for name in sources.harness if name.endswith(".cpp")]
    return kept, ours


def _unit(ptx: str, files: Sequence[str]) -> Unit:
    try:
        return assembled(ptx, files)
    except BuildFailed as failure:
        raise CompileError(reason("kernels-not-assembled", reason=failure.reason)) from failure
