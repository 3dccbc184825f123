"""Compile CUDA C by NVRTC directly, without ``grader.compile``."""

from collections.abc import Collection, Mapping, Sequence

from cuda.bindings import nvrtc

from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel, DeviceModule, DeviceUnit, KernelResources

_RESOURCES = KernelResources(registers=32, spill_bytes=0, local_bytes=0, shared_bytes=0, max_threads=1024)
"""Generous for small kernels; ``grader.compile`` reads the actual values from ptxas."""


def compiled(
    source: str, file: str, signatures: Mapping[str, Sequence[str]], *archs: str, numba: Collection[str] = ()
) -> DeviceModule:
    """Compile to PTX for ``compute_75``, with a cubin for each of ``archs``; ``signatures`` are kernel parameters.

    The kernels in ``numba`` have Numba's calling convention.
    """
    unit = DeviceUnit(
        name=file,
        ptx=_code(source, file, "compute_75").decode(),
        cubins={arch: _code(source, file, arch) for arch in archs},
    )
    kernels = tuple(
        BuiltKernel(
            name=name,
            symbol=name,
            unit=0,
            abi=Abi.NUMBA if name in numba else Abi.C,
            params=tuple(Param.parse(param) for param in params),
            resources=_RESOURCES,
            file=file,
        )
        for name, params in signatures.items()
    )
    return DeviceModule(units=(unit,), kernels=kernels, user_files=(file,))


def _code(source: str, file: str, arch: str) -> bytes:
    """Return PTX for a virtual ``arch`` (``compute_75``), or a cubin for a real one (``sm_90``)."""
    status, program = nvrtc.nvrtcCreateProgram(source.encode(), file.encode(), 0, None, None)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    options = [f"-arch={arch}".encode(), b"-lineinfo"]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, _log(program)
    if arch.startswith("compute_"):
        return _fetch(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX).rstrip(b"\0")
    return _fetch(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)


def _log(program: "nvrtc.nvrtcProgram") -> str:
    return _fetch(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode()


def _fetch(program: "nvrtc.nvrtcProgram", size_of: "nvrtc.Getter", fill: "nvrtc.Getter") -> bytes:
    status, size = size_of(program)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    data = bytes(int(size))  # the binding fills it in place
    (status,) = fill(program, data)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    return data
