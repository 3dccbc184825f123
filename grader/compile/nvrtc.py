"""One call of NVRTC: source text to PTX, with neither a driver nor a GPU."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.compile.includes import toolkit_options
from grader.compile.stub_headers import PRELUDE
from grader.errors import InfrastructureError, UserError

try:
    from cuda.bindings import nvrtc
except ImportError as error:
    _problem = "the CUDA C compiler is not installed."
    raise UserError(_problem, hint="Install cuda-bindings and nvidia-cuda-nvrtc.") from error

PTX_ARCH = "compute_75"
"""The virtual architecture every submission is compiled for: the emulator's dialect."""

_OPTIONS = (f"-arch={PTX_ARCH}", "-lineinfo", "--std=c++17", "-no-source-include", f"-include={PRELUDE}")


@dataclass(frozen=True, slots=True)
class Compilation:
    """What came of it: ``ptx`` is ``None`` where the source has errors. ``lowered`` are the names asked for."""

    ptx: str | None
    log: str
    lowered: tuple[str, ...] = ()


def compile_cuda(  # noqa: PLR0913 - the compiler's own inputs, all but two by name
    source: bytes,
    name: str,
    *,
    headers: Mapping[str, bytes],
    toolkit: bool = False,
    macros: Mapping[str, int] | None = None,
    expressions: Sequence[str] = (),
) -> Compilation:
    """Compile ``source`` under ``name``. ``headers`` are given in memory, by the name they are included under.

    ``toolkit`` lets the CUDA toolkit's own headers be found. ``expressions`` are C++ names whose mangled spelling is
    wanted. Raises: ``InfrastructureError`` where NVRTC itself fails.
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
