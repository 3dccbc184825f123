"""Compiles a program: its kernels to PTX, its host code to an executable that is linked with the stand-in runtime."""

import hashlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.cache import CacheFolder
from grader.compile.failure import BuildFailed
from grader.errors import UserError
from grader.messages import render
from grader.programs.call_sites import CallSites
from grader.programs.compiler import run_compiler
from grader.programs.language import Command, ProgramSources
from grader.programs.names import VariableNames
from grader.programs.runtime_library import RUNTIME, runtime_headers, runtime_library
from grader.programs.toolchain import Toolchain
from grader.programs.units import Unit, assembled

DEVICE_SOURCES = frozenset({".cu"})
HOST_SOURCES = frozenset({".cpp", ".cc", ".cxx", ".c"})
HEADERS = frozenset({".h", ".hpp", ".cuh", ".hh", ".inc", ".inl"})

_FLAGS = (
    "-std=c++17",
    "-g",
    "-O1",
    "-lineinfo",
    "-cudart",
    "none",
    "-gencode",
    "arch=compute_75,code=compute_75",
)
OWN_FOLDER = "source"
"""The folder with the program's own files, where compilers run."""

_OPENMP = re.compile(rb"^\s*#\s*include\s*<omp\.h>", re.MULTILINE)
_EXECUTABLE = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The files of a program by their names in its folder, and the headers of further folders, by name in each."""

    files: Mapping[str, bytes]
    included: tuple[Mapping[str, bytes], ...] = ()

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
        return found

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
        )

    def openmp(self, *flags: str) -> tuple[str, ...]:
        """``flags`` if the program uses OpenMP."""
        return flags if any(_OPENMP.search(data) for data in self.files.values()) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgram:
    """An executable, the library that it needs beside it, and the units with its kernels."""

    executable: bytes
    library: bytes
    units: tuple[Unit, ...]

    @property
    def paths(self) -> Mapping[str, str]:
        """See ``Program.paths``: it compiles nothing itself."""
        return {}

    @property
    def is_managed(self) -> bool:
        """See ``Program.is_managed``."""
        return False

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

    def names(self, sources: ProgramSources) -> VariableNames:
        """See ``Program.names``."""
        return VariableNames(sources.lines)


def build(sources: Sources, toolchain: Toolchain) -> BuiltProgram:
    """Compile ``sources``; the result is kept, so that the same files are compiled once.

    Raises: ``UserError`` with the compilers' messages for code that does not compile.
    """
    library = runtime_library(toolchain)
    parts = [toolchain.version.encode(), library, *map(str.encode, _FLAGS)]
    parts += [part for name, data in sorted(sources.everything.items()) for part in (name.encode(), data)]
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(8, "little") + part for part in parts)).hexdigest()
    cache = CacheFolder("programs", most_bytes=1 << 30)
    kept = cache.read(digest)
    if kept is not None:
        return msgspec.msgpack.decode(kept, type=BuiltProgram)
    with tempfile.TemporaryDirectory(prefix="grader-program-") as folder:
        made = _built(sources, toolchain, library, Path(folder))
    cache.write(digest, msgspec.msgpack.encode(made))
    return made


def _built(sources: Sources, toolchain: Toolchain, library: bytes, folder: Path) -> BuiltProgram:
    sources.write(folder)
    (folder / RUNTIME.name).write_bytes(library)
    own_headers = folder / "runtime"
    own_headers.mkdir()
    for name, data in runtime_headers().items():
        (own_headers / name).write_bytes(data)
    objects, units = [], []
    own = tuple(Path(name).name for name in sources.files)
    for number, name in enumerate(sources.compiled):
        kept = folder / f"unit{number}"
        kept.mkdir()
        target = kept / "unit.o"
        command = [
            str(toolchain.nvcc),
            *_FLAGS,
            "-keep",
            "--keep-dir",
            str(kept),
            *sources.flags,
            "-I",
            str(own_headers),
            "-c",
            name,
            "-o",
            str(target),
        ]
        run_compiler(command, folder / OWN_FOLDER)
        objects.append(str(target))
        units += [
            _unit(path.read_text(encoding="utf-8", errors="replace"), own)
            for path in sorted(kept.glob("*.ptx"))
        ]
    program = folder / _EXECUTABLE
    run_compiler(
        [
            str(toolchain.cxx),
            "-o",
            str(program),
            *objects,
            str(folder / RUNTIME.name),
            "-Wl,-rpath,$ORIGIN",
            "-lm",
            "-lpthread",
            *sources.openmp("-fopenmp"),
        ],
        folder,
    )
    return BuiltProgram(executable=program.read_bytes(), library=library, units=tuple(units))


def _unit(ptx: str, files: Sequence[str]) -> Unit:
    try:
        return assembled(ptx, files)
    except BuildFailed as failure:
        msg = f"The program's kernels cannot be assembled: {render(failure.fault.reason)}."
        raise UserError(msg) from failure
