"""Builds the stand-ins for libcudart and libcuda, once for each compiler, and keeps them in the cache."""

import hashlib
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from grader.cache import CacheFolder
from grader.errors import InfrastructureError
from grader.programs.toolchain import HostCompiler

_SOURCES = (
    *("wire", "errors", "launch", "functions", "memory", "pools", "arrays", "textures", "streams"),
    *("stream_attributes", "graphs", "device", "attributes", "peers"),
)
_DRIVER_SOURCES = (
    *(
        "interpreter",
        "driver_entry",
        "driver_device",
        "driver_memory",
        "driver_streams",
        "driver_modules",
        "driver_errors",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library under the ``name`` by which programs look for it.

    It has every function that the header of the runtime declares; those that it lacks name themselves.
    """

    name: str
    sources: tuple[str, ...]
    flags: tuple[str, ...] = ()


RUNTIME = Library(name="libcudart.so.13", sources=_SOURCES)
DRIVER = Library(name="libcuda.so.1", sources=(*_SOURCES, *_DRIVER_SOURCES), flags=("-Wl,-Bsymbolic", "-ldl"))
"""It binds its own functions of the runtime, whatever library of that name the process has."""

_DECLARED = re.compile(r"\bcudaError_t\s+CUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(")
_FLAGS = ("-std=c++17", "-O2", "-g1", "-fPIC", "-fvisibility=hidden", "-w")


def runtime_library(compiler: HostCompiler, library: Library = RUNTIME) -> bytes:
    """The library. Raises: ``InfrastructureError`` where it cannot be built."""
    folder = resources.files("grader.programs") / "runtime"
    sources = {
        each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith((".cpp", ".h"))
    }
    parts = [library.name.encode(), compiler.version.encode()]
    parts += [name.encode() + data for name, data in sorted(sources.items())]
    cache, name = CacheFolder("program-runtime"), hashlib.sha256(b"\0".join(parts)).hexdigest()
    kept = cache.read(name)
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="grader-runtime-") as made:
            kept = _built(library, compiler, sources, Path(made))
        cache.write(name, kept)
    return kept


def runtime_headers() -> dict[str, bytes]:
    """Headers of the runtime that NVIDIA's package of the compiler lacks, by name."""
    folder = resources.files("grader.programs") / "runtime" / "include"
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith(".h")}


def declared_functions(include: Path) -> frozenset[str]:
    """The functions that NVIDIA's header of the runtime declares; it is in the folder ``include``."""
    header = (include / "cuda_runtime_api.h").read_text(encoding="utf-8", errors="replace")
    return frozenset(_DECLARED.findall(header))


def _built(library: Library, compiler: HostCompiler, sources: dict[str, bytes], folder: Path) -> bytes:
    for name, data in sources.items():
        (folder / name).write_bytes(data)
    with ThreadPoolExecutor() as pool:
        objects = list(pool.map(lambda name: _compiled(compiler, folder, name), library.sources))
    defined = _run(["nm", "--defined-only", "--extern-only", "--format=just-symbols", *objects], folder)
    missing = sorted(declared_functions(compiler.include) - set(defined.split()))
    names = "".join(f"REFUSED({name})\n" for name in missing)
    (folder / "refused_names.h").write_text(names, encoding="utf-8")
    objects.append(_compiled(compiler, folder, "refused"))
    link = [str(compiler.cxx), "-shared", f"-Wl,-soname,{library.name}", "-o", library.name, *objects]
    _run([*link, *library.flags], folder)
    return (folder / library.name).read_bytes()


def _compiled(compiler: HostCompiler, folder: Path, name: str) -> str:
    command = [
        str(compiler.cxx),
        *_FLAGS,
        "-I",
        str(compiler.include),
        "-c",
        f"{name}.cpp",
        "-o",
        f"{name}.o",
    ]
    _run(command, folder)
    return f"{name}.o"


def _run(command: list[str], folder: Path) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603 - compilers of this machine
    except (OSError, subprocess.TimeoutExpired) as error:
        msg = f"the runtime for programs cannot be built: {error}"
        raise InfrastructureError(msg) from error
    if done.returncode:
        msg = f"the runtime for programs cannot be built: {done.stderr.strip()[:400]}"
        raise InfrastructureError(msg)
    return done.stdout
