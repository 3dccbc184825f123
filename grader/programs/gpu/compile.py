"""Compiles a program for a real GPU, linked statically with NVIDIA's runtime."""

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

from grader.cache import CacheFolder
from grader.programs.build import Sources, compiled
from grader.programs.compiler import OBJECT, CompileSteps
from grader.programs.toolchain import Toolchain
from grader.programs.tools import Tool, plain_tool

_FLAGS = ("-std=c++17", "-g", "-O2", "-lineinfo", "-cudart", "static")


def compile_for_gpu(
    sources: Sources,
    toolchain: Toolchain,
    arch: str,
    tool: Tool = plain_tool,
    default_stream: str = "legacy",
) -> bytes:
    """The executable for ``arch``, with a default stream of that kind. ``tool`` runs the compilers.

    The same files are compiled once.

    Raises: ``CompileError`` with the compilers' messages for code that does not compile.
    """
    target = f"arch={arch.replace('sm_', 'compute_')},code={arch}"
    flags = (*_FLAGS, "--default-stream", default_stream, "-gencode", target)
    parts = [toolchain.version.encode(), *map(str.encode, flags)]
    parts += [part for name, data in sorted(sources.everything.items()) for part in (name.encode(), data)]
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(8, "little") + part for part in parts)).hexdigest()
    cache = CacheFolder("gpu-programs", most_bytes=1 << 30)
    kept = cache.read(digest)
    if kept is not None:
        return kept
    with tempfile.TemporaryDirectory(prefix="grader-program-") as made:
        executable = _compiled(sources, toolchain, flags, Path(made), tool)
    cache.write(digest, executable)
    return executable


def _compiled(
    sources: Sources, toolchain: Toolchain, flags: Sequence[str], folder: Path, tool: Tool
) -> bytes:
    sources.write(folder)
    program = folder / "program"
    chosen = [*flags, "-ccbin", str(toolchain.cxx)]
    steps = CompileSteps(toolchain, chosen, folder, tool)
    kept, ours = compiled(sources, steps)
    objects = [str(unit / OBJECT) for unit in (*kept, *ours)]
    linked = [*objects, "-lm", "-lpthread", *sources.openmp("-Xcompiler", "-fopenmp")]
    steps.run([str(toolchain.nvcc), *chosen, "-o", str(program), *linked], folder)
    return program.read_bytes()
