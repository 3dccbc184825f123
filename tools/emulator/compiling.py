"""A minimal compiler for tests: CUDA C and Numba to a ``DeviceModule``, and one launch of it."""

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from cuda.bindings import nvrtc
from numba import from_dtype
from numba.cuda import compile_ptx
from numba.types import Array as NumbaArray
from numpy.typing import NDArray

from grader.engines.emulator.engine import EmulatorEngine
from grader.model.device import Device
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.element_types import DType
from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel, DeviceModule, DeviceUnit, KernelResources
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import Counters, Fault, LaunchJob, RunOptions, RunResult
from grader.model.texture import Texture

CUDA_FILE = "kernel.cu"
RESOURCES = KernelResources(registers=32, spill_bytes=0, local_bytes=0, shared_bytes=0, max_threads=1024)


@dataclass(frozen=True)
class Out:
    """An output buffer of a shape and dtype."""

    shape: tuple[int, ...]
    dtype: Any = np.float32


@dataclass(frozen=True)
class InOut:
    """A buffer that is read and written."""

    array: NDArray[Any]


@dataclass(frozen=True)
class Scratch:
    """A buffer of which the final contents are not read."""

    shape: tuple[int, ...]
    dtype: Any = np.float32


@dataclass(frozen=True)
class Textured:
    """An input that is read as a texture; ``texture`` names its buffer as the argument is named."""

    array: NDArray[Any]
    texture: Texture


Argument = NDArray[Any] | np.generic | Out | InOut | Scratch | Textured | float


@dataclass(frozen=True)
class Ran:
    """A finished run, with outputs as arrays."""

    result: RunResult
    arrays: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        assert self.fault is None, self.fault
        return self.arrays[name]

    @property
    def fault(self) -> Fault | None:
        return self.result.fault

    @property
    def counters(self) -> Counters:
        return self.result.counters[0]

    def found(self, *kinds: DiagnosticKind) -> list[Diagnostic]:
        return [diagnostic for diagnostic in self.result.diagnostics if diagnostic.kind in kinds]

    def lines(self, *kinds: DiagnosticKind) -> set[int | None]:
        return {diagnostic.line for diagnostic in self.found(*kinds)}


@cache
def ptx_of(source: str, *options: str) -> str:
    """CUDA C to PTX for ``compute_75``."""
    text = _compiled(source, "compute_75", options, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    return re.sub(rf'"[^"]*{CUDA_FILE}"', f'"{CUDA_FILE}"', text.rstrip(b"\0").decode())


@cache
def cubin_of(source: str, arch: str, *options: str) -> bytes:
    """CUDA C to machine code for a GPU."""
    return _compiled(source, arch, options, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)


def _compiled(source: str, arch: str, options: tuple[str, ...], size_of: Any, text_of: Any) -> bytes:
    _, program = nvrtc.nvrtcCreateProgram(source.encode(), CUDA_FILE.encode(), 0, [], [])
    flags = [f"-arch={arch}".encode(), b"-lineinfo", b"--std=c++17", *(option.encode() for option in options)]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(flags), flags)
    if int(status):
        _, size = nvrtc.nvrtcGetProgramLogSize(program)
        log = b" " * size
        nvrtc.nvrtcGetProgramLog(program, log)
        raise AssertionError(log.decode())
    _, size = size_of(program)
    text = b" " * size
    text_of(program, text)
    nvrtc.nvrtcDestroyProgram(program)
    return text


def run_ptx(
    ptx: str,
    kernel: str,
    grid: Dim3 | int,
    block: Dim3 | int,
    arguments: dict[str, Argument],
    *,
    shared: int = 0,
    abi: Abi = Abi.C,
    user_file: str = CUDA_FILE,
    options: RunOptions | None = None,
    device: Device = TESLA_T4,
    times: int = 1,
) -> Ran:
    """Launch a kernel of some PTX text."""
    job = job_of(
        ptx, kernel, grid, block, arguments, shared=shared, abi=abi, user_file=user_file, times=times
    )
    result = engine_for(device).run(job, options or RunOptions())
    arrays = {
        buffer.name: np.frombuffer(result.outputs[buffer.name], buffer.dtype.numpy).reshape(buffer.shape)
        for buffer in job.plan.buffers
        if buffer.name in result.outputs
    }
    return Ran(result, arrays)


@cache
def engine_for(device: Device) -> EmulatorEngine:
    """One engine per device for all tests."""
    return EmulatorEngine(device)


def job_of(
    ptx: str,
    kernel: str,
    grid: Dim3 | int,
    block: Dim3 | int,
    arguments: dict[str, Argument],
    *,
    shared: int = 0,
    abi: Abi = Abi.C,
    user_file: str = CUDA_FILE,
    times: int = 1,
    cubins: dict[str, bytes] | None = None,
) -> LaunchJob:
    """The same as work for an engine."""
    params, buffers, inputs, values = [], [], {}, []
    for name, argument in arguments.items():
        if isinstance(argument, int | float | np.generic):
            dtype = DType(np.asarray(argument).dtype.name if isinstance(argument, np.generic) else "int32")
            params.append(Param(name=name, dtype=dtype))
            values.append(argument.item() if isinstance(argument, np.generic) else argument)
            continue
        role, array = _role(argument)
        dtype = DType(array.dtype.name)
        texture = argument.texture if isinstance(argument, Textured) else None
        sampling = texture.sampling if texture else None
        params.append(Param(name=name, dtype=dtype, dims=tuple("n" for _ in array.shape), sampling=sampling))
        buffers.append(Buffer(name=name, dtype=dtype, shape=array.shape, role=role))
        values.append(texture or name)
        if role in {Role.INPUT, Role.INOUT}:
            inputs[name] = array.tobytes()
    module = DeviceModule(
        units=(DeviceUnit(name="unit", ptx=ptx, cubins=cubins or {}),),
        kernels=(
            BuiltKernel(
                name=kernel, symbol=kernel, unit=0, abi=abi, params=tuple(params), resources=RESOURCES
            ),
        ),
        user_files=(user_file,),
    )
    launch = Launch(
        kernel=kernel,
        shape=LaunchShape(grid=_dim3(grid), block=_dim3(block), shared_bytes=shared),
        args=tuple(values),
    )
    return LaunchJob(
        module=module, plan=LaunchPlan(buffers=tuple(buffers), launches=(launch,) * times), inputs=inputs
    )


def _role(argument: Any) -> tuple[Role, NDArray[Any]]:
    if isinstance(argument, Out):
        return Role.OUTPUT, np.empty(argument.shape, argument.dtype)
    if isinstance(argument, Scratch):
        return Role.SCRATCH, np.empty(argument.shape, argument.dtype)
    if isinstance(argument, InOut):
        return Role.INOUT, argument.array
    if isinstance(argument, Textured):
        return Role.INPUT, argument.array
    return Role.INPUT, argument


def _dim3(extent: Dim3 | int) -> Dim3:
    return extent if isinstance(extent, Dim3) else Dim3(x=extent)


def run_cuda(
    source: str, grid: Dim3 | int, block: Dim3 | int, arguments: dict[str, Argument], **more: Any
) -> Ran:
    """Compile CUDA C and launch its first kernel, which is ``extern "C"``."""
    match = re.search(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)", source)
    assert match is not None
    return run_ptx(ptx_of(source), match[1], grid, block, arguments, **more)


def numba_ptx(function: Callable[..., None], arguments: dict[str, Argument]) -> str:
    """A Numba kernel's PTX for the types of ``arguments``."""
    types = []
    for argument in arguments.values():
        if isinstance(argument, int):
            types.append(from_dtype(np.dtype(np.int32)))
        elif isinstance(argument, np.generic):
            types.append(from_dtype(argument.dtype))
        else:
            array = _role(argument)[1]
            types.append(NumbaArray(from_dtype(array.dtype), array.ndim, "C"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ptx: str = compile_ptx(function, tuple(types), device=False, cc=(7, 5), lineinfo=True)[0]
    return ptx


def run_numba(
    function: Callable[..., None],
    grid: Dim3 | int,
    block: Dim3 | int,
    arguments: dict[str, Argument],
    **more: Any,
) -> Ran:
    """Compile a Numba kernel and launch it."""
    ptx = numba_ptx(function, arguments)
    kernel = re.search(r"\.visible\s+\.entry\s+(\w+)", ptx)
    assert kernel is not None
    file = function.__code__.co_filename
    return run_ptx(ptx, kernel[1], grid, block, arguments, abi=Abi.NUMBA, user_file=file, **more)


def line_of(source: str, mark: str) -> int:
    """The 1-based line of ``source`` that holds ``mark``, which must be unique."""
    lines = [number for number, line in enumerate(source.splitlines(), 1) if mark in line]
    assert len(lines) == 1, f"{mark!r} is on lines {lines}"
    return lines[0]
