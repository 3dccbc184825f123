"""Builds the stand-in for libcudart, once for each compiler, and keeps it in the cache."""

import hashlib
import re
import subprocess
import tempfile
from importlib import resources
from pathlib import Path

from grader.cache import CacheFolder
from grader.errors import InfrastructureError
from grader.programs.toolchain import Toolchain

NAME = "libcudart.so.13"
"""The name under which programs look for it."""

_SOURCES = ("wire", "errors", "launch", "memory", "arrays", "textures", "streams", "device")
_DECLARED = re.compile(r"\bcudaError_t\s+CUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(")
_FLAGS = ("-std=c++17", "-O2", "-g1", "-fPIC", "-fvisibility=hidden", "-w")


def runtime_library(toolchain: Toolchain) -> bytes:
    """The library. Raises: ``InfrastructureError`` where it cannot be built."""
    folder = resources.files("grader.programs") / "runtime"
    sources = {
        each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith((".cpp", ".h"))
    }
    parts = [toolchain.version.encode(), *(name.encode() + data for name, data in sorted(sources.items()))]
    cache, name = CacheFolder("program-runtime"), hashlib.sha256(b"\0".join(parts)).hexdigest()
    kept = cache.read(name)
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="grader-runtime-") as made:
            kept = _built(toolchain, sources, Path(made))
        cache.write(name, kept)
    return kept


def runtime_headers() -> dict[str, bytes]:
    """Headers of the runtime that NVIDIA's package of the compiler lacks, by name."""
    folder = resources.files("grader.programs") / "runtime" / "include"
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith(".h")}


def _built(toolchain: Toolchain, sources: dict[str, bytes], folder: Path) -> bytes:
    for name, data in sources.items():
        (folder / name).write_bytes(data)
    objects = [_compiled(toolchain, folder, name) for name in _SOURCES]
    defined = _run(["nm", "--defined-only", "--extern-only", "--format=just-symbols", *objects], folder)
    header = (toolchain.include / "cuda_runtime_api.h").read_text(encoding="utf-8", errors="replace")
    missing = sorted(set(_DECLARED.findall(header)) - set(defined.split()))
    names = "".join(f"REFUSED({name})\n" for name in missing)
    (folder / "refused_names.h").write_text(names, encoding="utf-8")
    objects.append(_compiled(toolchain, folder, "refused"))
    link = [str(toolchain.cxx), "-shared", f"-Wl,-soname,{NAME}", "-o", NAME, *objects]
    _run(link, folder)
    return (folder / NAME).read_bytes()


def _compiled(toolchain: Toolchain, folder: Path, name: str) -> str:
    command = [
        str(toolchain.cxx),
        *_FLAGS,
        "-I",
        str(toolchain.include),
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
