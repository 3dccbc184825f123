"""The interpreter's machine code on disk: object files that load without Numba.

Numba compiles the interpreter once for each version of its sources, of the compilers and of the CPU. Importing Numba
takes longer than running most kernels, so later processes load the object files through LLVM alone.
"""

import ctypes
import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from grader.cache import CacheFolder

_ROOT = Path(__file__).parent
_COMPILED = ("core", "isa")
_SYMBOL_END = b"\0"

ENTRY_POINTS = ("run", "replay_conflicts")
"""The functions that Python calls; each has an object file with everything it calls."""


@cache
def machine_code_folder() -> CacheFolder:
    """Folder of the machine code for this version of the sources, of the compilers and of the CPU."""
    cpu = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {llvm.get_process_triple()}"
    digest = hashlib.sha256(f"{version('numba')} {version('llvmlite')} {cpu}".encode())
    for package in _COMPILED:
        for path in sorted((_ROOT / package).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return CacheFolder(f"emulator-{digest.hexdigest()[:16]}")


def is_compiled() -> bool:
    """Whether every entry point's machine code is on disk, undamaged."""
    return all(machine_code_folder().read(name) is not None for name in ENTRY_POINTS)


def keep(name: str, symbol: str, code: bytes) -> None:
    """Write the object file ``code``, in which entry point ``name`` has the symbol ``symbol``."""
    machine_code_folder().write(name, symbol.encode() + _SYMBOL_END + code)


def load(name: str) -> Callable[..., int] | None:
    """The entry point ``name`` as a C function that releases the GIL; ``None`` if its machine code is not on disk."""
    kept = machine_code_folder().read(name)
    if kept is None:
        return None
    symbol, _, code = kept.partition(_SYMBOL_END)
    return loaded(symbol.decode(), code)


def loaded(symbol: str, code: bytes) -> Callable[..., int]:
    """The function ``symbol`` of the object file ``code``, which stays in memory until the process ends."""
    engine = _linker()
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2)(engine.get_function_address(symbol))


@cache
def _linker() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


PRECOMPILED = "numba" not in sys.modules and is_compiled()
"""Whether this process runs the machine code on disk and does not need Numba."""
