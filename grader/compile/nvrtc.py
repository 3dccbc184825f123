"""Compile CUDA C source text to PTX with NVRTC. Needs neither a driver nor a GPU."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.compile.ptx import COMPUTE_CAPABILITY
from grader.compile.stub_headers import PRELUDE
from grader.compile.toolkit_headers import toolkit_options
from grader.errors import InfrastructureError, UserError

try:
    from cuda.bindings import nvrtc
except ImportError as error:
    _problem = "the CUDA C compiler is not installed."
    raise UserError(_problem, hint="Install cuda-bindings and nvidia-cuda-nvrtc.") from error

PTX_ARCH = "compute_{}{}".format(*COMPUTE_CAPABILITY)
"""The virtual architecture of every compilation: the PTX version that the emulator supports."""

_OPTIONS = (f"-arch={PTX_ARCH}", "-lineinfo", "--std=c++17", "-no-source-include", f"-include={PRELUDE}")


@dataclass(frozen=True, slots=True)
class Compilation:
    """Result of a compilation. ``ptx`` is ``None`` if the source has errors; ``lowered`` are the mangled names."""

    ptx: str | None
    log: str
    lowered: tuple[str, ...] = ()


def compile_cuda(  # noqa: PLR0913 - the inputs of the compiler, all but two by keyword
    source: bytes,
    name: str,
    *,
    headers: Mapping[str, bytes],
    toolkit: bool = False,
    macros: Mapping[str, int] | None = None,
    expressions: Sequence[str] = (),
) -> Compilation:
    """Compile ``source`` under ``name``. ``headers`` maps the names in ``#include`` lines to header texts.

    ``toolkit`` adds the header folders of the CUDA toolkit. ``expressions`` are C++ names; their mangled spelling is
    returned. Raises: ``InfrastructureError`` if NVRTC itself fails.
    """
    options = [*_OPTIONS, *(f"-D{macro}={value}" for macro, value in (macros or {}).items())]
    if toolkit:
        options += toolkit_options()
    encoded = [option.encode() for option in options]
    status, program = nvrtc.nvrtcCreateProgram(
        source,
        name.encode(),
        len(headers),
        list(headers.values()),
        [header.encode() for header in headers],
    )
    _check(status)
    try:
        for expression in expressions:
            _check(nvrtc.nvrtcAddNameExpression(program, expression.encode())[0])
        (status,) = nvrtc.nvrtcCompileProgram(program, len(encoded), encoded)
        log = _text(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
        if status == nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION:
            return Compilation(None, log)
        _check(status)
        lowered = tuple(
            nvrtc.nvrtcGetLoweredName(program, expression.encode())[1].decode() for expression in expressions
        )
        return Compilation(_text(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX), log, lowered)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _text(program: object, size_of: "nvrtc.Getter", fill: "nvrtc.Getter") -> str:
    status, size = size_of(program)
    _check(status)
    buffer = bytes(size)
    _check(fill(program, buffer)[0])
    return buffer.rstrip(b"\0").decode("utf-8", errors="replace")


def _check(status: "nvrtc.nvrtcResult") -> None:
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        msg = f"NVRTC failed: {status.name}"
        raise InfrastructureError(msg)
