"""In the program's process: what Numba does differently where no GPU is.

Numba compiles for the compute capability that the emulator reads, hands PTX to the driver instead of machine code, and
keeps the lines of kernels.
"""

import ast
import functools
import linecache
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from tokenize import TokenError
from types import FrameType
from typing import Any

from cuda.core import ObjectCode
from numba.cuda import codegen, compiler, cudaimpl, dispatcher, lowering
from numba.cuda.core.errors import NumbaDebugInfoWarning
from numba.cuda.cudadrv import driver as cuda_driver

from grader.programs.python.join_ptx import joined
from grader.programs.python.start_up import Driver

_CAPABILITY = (7, 5)
_ENTRY = re.compile(r"(\.entry\s+[\w$]+\s*\([^)]*\))")
"""The name and the parameters of a kernel; directives follow."""


def patch(driver: Driver) -> None:
    """Change Numba's classes in this process; it must have been imported."""
    library = codegen.CUDACodeLibrary
    library.get_cubin = _ptx_object
    library._ensure_cc = _capability  # noqa: SLF001 - Numba offers no other way
    cuda_driver.MIN_REQUIRED_CC = (0, 0)
    # Numba warns of functions that it generated itself, because they have no lines.
    warnings.filterwarnings("ignore", "Could not find source", NumbaDebugInfoWarning)
    for module in (compiler, dispatcher):
        module.get_current_device = functools.partial(_EmulatedDevice, module.get_current_device)
    _count_arguments(driver, dispatcher._Kernel)  # noqa: SLF001 - Numba offers no other way
    dispatcher.CUDADispatcher.__init__ = _with_lines(dispatcher.CUDADispatcher.__init__)
    dispatcher.CUDADispatcher.compile = _untimed(driver, dispatcher.CUDADispatcher.compile)
    lowering.get_func_def_lineno = _none_for_other_text(lowering.get_func_def_lineno)
    cudaimpl._get_unique_smem_id = _named(cudaimpl._get_unique_smem_id)  # noqa: SLF001 - Numba offers no other way


class _EmulatedDevice:
    """The current device, with the compute capability for which kernels are compiled."""

    compute_capability = _CAPABILITY

    def __init__(self, current: Callable[[], Any]) -> None:
        self._device = current()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)


def _capability(library: Any, cc: Any) -> Any:
    """``CUDACodeLibrary._ensure_cc``: the compute capability where the program names none."""
    del library
    return cc or (*_CAPABILITY, "")


def _ptx_object(library: Any, cc: Any = None) -> ObjectCode:
    """``CUDACodeLibrary.get_cubin``: the PTX, where Numba assembles it."""
    del cc
    if library not in _OBJECTS:
        _OBJECTS[library] = ObjectCode.from_ptx(_ptx(library).encode(), name=library.name)
    return _OBJECTS[library]


_OBJECTS: dict[Any, ObjectCode] = {}


def _ptx(library: Any) -> str:
    """The PTX of a kernel and of all that it is linked with."""
    linked = _Linked()
    for text in library.get_asm_strs():
        linked.add_ptx(text.encode())
    for file in library._linking_files:  # noqa: SLF001 - Numba keeps them here alone
        linked.add_file_guess_ext(file)
    ptx = joined([code.code.decode().rstrip("\0") for code in linked.parts])  # NVRTC ends text with a zero
    most = library._max_registers  # noqa: SLF001 - Numba offers no other way
    return _ENTRY.sub(rf"\1\n.maxnreg {most}", ptx) if most else ptx


class _Linked(cuda_driver._Linker):  # type: ignore[misc]  # noqa: SLF001 - Numba's classes have no types, and it offers no other linker
    """What a kernel is linked with: CUDA C++, which becomes PTX, and PTX."""

    def __init__(self) -> None:
        super().__init__(cc=(*_CAPABILITY, ""))

    @property
    def parts(self) -> Sequence[ObjectCode]:
        """Each part. Raises: ``LinkerError`` for machine code."""
        found: list[ObjectCode] = self._object_codes
        for part in found:
            if part.code_type != "ptx":
                msg = f"{part.name} is {part.code_type}: a kernel can be linked with .cu and .ptx files only"
                raise cuda_driver.LinkerError(msg)
        return found


def _count_arguments(driver: Driver, kernel: Any) -> None:
    """Let the driver know which argument of a launch is copied."""
    launch, prepare = kernel.launch, kernel._prepare_args  # noqa: SLF001 - Numba offers no other way
    positions = count()

    def launched(self: Any, *arguments: Any, **named: Any) -> Any:
        nonlocal positions
        positions = count()
        return launch(self, *arguments, **named)

    def prepared(self: Any, *arguments: Any, **named: Any) -> Any:
        if driver.argument is not None:  # a part of an argument
            return prepare(self, *arguments, **named)
        driver.argument = next(positions)
        try:
            return prepare(self, *arguments, **named)
        finally:
            driver.argument = None

    kernel.launch, kernel._prepare_args = launched, prepared  # noqa: SLF001 - Numba offers no other way


def _with_lines(initialise: Callable[..., None]) -> Callable[..., None]:
    """``CUDADispatcher.__init__``: kernels keep their lines, which debugging needs no option for."""

    def initialised(self: Any, py_func: Any, targetoptions: dict[str, Any], **rest: Any) -> None:
        if not targetoptions.get("debug"):
            targetoptions["lineinfo"] = True
        initialise(self, py_func, targetoptions, **rest)

    return initialised


def _none_for_other_text(line_of: Callable[[Any], int | None]) -> Callable[[Any], int | None]:
    """The line of a function is unknown where the file has other text than the function was compiled from."""

    def found(function: Any) -> int | None:
        try:
            return line_of(function)
        except (SyntaxError, TokenError):
            return None

    return found


def _untimed(driver: Driver, work: Callable[..., Any]) -> Callable[..., Any]:
    """Compilation is no time of the program."""

    @functools.wraps(work)
    def done(*args: Any, **named: Any) -> Any:
        with driver.untimed():
            return work(*args, **named)

    return done


def _named(numbered: Callable[[str], str]) -> Callable[[str], str]:
    """The symbol of a shared array, which Numba only numbers, ends with the name of its variable."""

    def named(prefix: str) -> str:
        file, line = _compiled_line(sys._getframe(1))  # noqa: SLF001 - the instruction that is compiled is no argument
        name = _shared_names(file).get(line)
        return numbered(prefix) if name is None else f"{numbered(prefix)}_{name}"

    return named


def _compiled_line(frame: FrameType | None) -> tuple[str, int]:
    """File and line of the instruction that Numba compiles in ``frame`` or in one of its callers."""
    while frame is not None:
        lowerer = frame.f_locals.get("self")
        if isinstance(lowerer, lowering.BaseLower):
            return lowerer.loc.filename, lowerer.loc.line
        frame = frame.f_back
    return "", 0


@cache
def _shared_names(file: str) -> Mapping[int, str]:
    """The variable that each line of a file assigns a shared array to."""
    found: dict[int, str] = {}
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=owner, attr="array")) as call,
            ) if name.isascii() and ast.unparse(owner).split(".")[-1] == "shared":
                found.update(dict.fromkeys(range(call.lineno, (call.end_lineno or call.lineno) + 1), name))
    return found
