"""Link PTX to a cubin with nvJitLink, and read each kernel's resources from its log. Used for both languages."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cuda import pathfinder

from grader.compile.architectures import assembler_needs_newer
from grader.compile.failure import BuildFailed
from grader.compile.messages import clean, located
from grader.compile.ptx import LineTable, entries, external_calls
from grader.compile.signatures import read_signature
from grader.errors import InfrastructureError, UserError
from grader.model.module import KernelResources
from grader.model.reason import reason

try:
    from cuda.bindings import nvjitlink
except ImportError as error:
    _problem = "the CUDA linker is not installed."
    raise UserError(_problem, hint="Install cuda-bindings and nvidia-nvjitlink.") from error

_RESERVED = {"sm_90": 1024}
"""Bytes of system-reserved shared memory that the linker adds to a kernel that uses shared memory."""

_HARDWARE_MAX_THREADS = 1024
_REGISTERS_PER_BLOCK = 65536
_REGISTER_GRANULARITY = 256
_SUBPARTITIONS = 4
_WARP = 32

_SPILLS = re.compile(
    r"Function properties for (?P<symbol>[\w$.]+)\n[^\n]*?"
    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads"
)
_LINKED = re.compile(
    r"Function properties for '(?P<symbol>[\w$.]+)':\n[^\n]*?used (?P<registers>\d+) registers,[^\n]*?"
    r" (?P<stack>\d+) stack, (?P<shared>\d+) bytes smem"
)
_TOO_MUCH_SHARED = re.compile(
    r"Entry function '(?P<symbol>[\w$.]+)' uses too much shared data \((?P<used>\w+) bytes, (?P<limit>\w+) max\)"
)
_ASSEMBLER = re.compile(r"ptxas [^\n]*?line (?P<line>\d+); (?:error|fatal)\s*: (?P<message>[^\n]*)")
_DEVICE_RUNTIME = "cudaCG"
_NUMBA_SHIM = "_nbst"
"""Suffix of numba-cuda's C++ wrappers of CUDA headers, which it compiles only when it launches a kernel."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A cubin and the static resources of its kernels, by PTX symbol."""

    cubin: bytes
    resources: dict[str, KernelResources]


def link(ptx: str, arch: str, files: Collection[str], *, max_registers: int | None = None) -> Linked:
    """Assemble ``ptx`` for ``arch`` (``sm_75``). ``files`` are the student's, for messages.

    ``max_registers`` caps registers per thread.

    ptxas reads ASCII only, so file names outside it are mangled in the cubin's line information.

    Raises: ``BuildFailed`` for device code that cannot be assembled, ``UserError`` for an unknown ``arch``.
    """
    if "\0" in ptx:
        raise BuildFailed(reason("code-has-nul"))
    # No cache: a cached result has no statistics, and student code could have written it.
    options = [f"-arch={arch}", "-lineinfo", "-verbose", "-Xptxas=-v", "-no-cache"]
    if max_registers is not None:
        options.append(f"-maxrregcount={max_registers}")
    with _linker(options, arch) as handle:
        data = ptx.encode("ascii", errors="replace")
        try:
            nvjitlink.add_data(handle, nvjitlink.InputType.PTX, data, len(data), "unit")
            if _DEVICE_RUNTIME in ptx:
                nvjitlink.add_file(handle, nvjitlink.InputType.LIBRARY, _device_runtime())
            nvjitlink.complete(handle)
            cubin = bytearray(nvjitlink.get_linked_cubin_size(handle))
            nvjitlink.get_linked_cubin(handle, cubin)
        except nvjitlink.nvJitLinkError as error:
            raise _failure(
                ptx, files, _log(handle, nvjitlink.get_error_log_size, nvjitlink.get_error_log)
            ) from error
        log = _log(handle, nvjitlink.get_info_log_size, nvjitlink.get_info_log)
    return Linked(bytes(cubin), _statistics(ptx, log, _RESERVED.get(arch, 0)))


def _device_runtime() -> str:
    """The path of NVIDIA's device runtime library. Raises: ``UserError`` if it is not installed."""
    try:
        return str(pathfinder.find_static_lib("cudadevrt"))
    except pathfinder.StaticLibNotFoundError as error:
        problem = "a kernel synchronises its whole grid, which needs CUDA's device runtime (libcudadevrt.a)."
        raise UserError(problem, hint="Install nvidia-cuda-runtime.") from error


@contextmanager
def _linker(options: list[str], arch: str) -> Iterator[int]:
    try:
        handle = nvjitlink.create(len(options), options)
    except nvjitlink.nvJitLinkError as error:
        problem = f"the CUDA linker does not know the architecture {arch!r}."
        raise UserError(
            problem, hint="Name a compute capability of 7.5 or more, such as sm_75 or sm_90."
        ) from error
    try:
        yield handle
    finally:
        nvjitlink.destroy(handle)


def _log(handle: int, size_of: "nvjitlink.Getter", fill: "nvjitlink.Getter") -> str:
    buffer = bytearray(size_of(handle))
    fill(handle, buffer)
    return bytes(buffer).rstrip(b"\0").decode("utf-8", errors="replace")


def _statistics(ptx: str, log: str, reserved: int) -> dict[str, KernelResources]:
    """The resources of each kernel from the log of ``ptxas -v`` and of the linker.

    Only ptxas reports spills. Only the linker reports shared arrays declared outside the kernel, as Numba declares all
    of them. ``reserved`` is the number of bytes that the linker adds to shared memory.
    """
    spills = {match["symbol"]: match for match in _SPILLS.finditer(log)}
    linked = {match["symbol"]: match for match in _LINKED.finditer(log)}
    found = {}
    for entry in entries(ptx):
        spilled, needs = spills.get(entry.symbol), linked.get(entry.symbol)
        if spilled is None or needs is None:
            msg = f"nvJitLink gave no statistics for {entry.symbol}"
            raise InfrastructureError(msg)
        registers = int(needs["registers"])
        found[entry.symbol] = KernelResources(
            registers=registers,
            spill_bytes=int(spilled["stores"]) + int(spilled["loads"]),
            local_bytes=int(needs["stack"]),
            shared_bytes=max(0, int(needs["shared"]) - reserved),
            max_threads=min(entry.max_threads or _HARDWARE_MAX_THREADS, _threads_for(registers)),
        )
    return found


def _threads_for(registers: int) -> int:
    """The largest block, in threads, that fits the register file: warps allocate per quarter of an SM."""
    per_warp = -(-max(registers, 1) * _WARP // _REGISTER_GRANULARITY) * _REGISTER_GRANULARITY
    warps = _SUBPARTITIONS * (_REGISTERS_PER_BLOCK // _SUBPARTITIONS // per_warp)
    return min(_HARDWARE_MAX_THREADS, warps * _WARP)


def _failure(ptx: str, files: Collection[str], log: str) -> BuildFailed | InfrastructureError:
    """The error of ptxas or the linker, at the student's line if it is known."""
    lines = LineTable(ptx, files)
    starts = {entry.symbol: entry for entry in entries(ptx)}
    match = _TOO_MUCH_SHARED.search(log)
    if match is not None:
        used, limit = int(match["used"], 16), int(match["limit"], 16)
        entry = starts.get(match["symbol"])
        where = (None, None) if entry is None else lines.first_location(entry.start, entry.end)
        return BuildFailed(located(reason("shared-memory-too-large", used=used, limit=limit), *where))
    match = _ASSEMBLER.search(log)
    if match is not None:
        offset = sum(len(text) + 1 for text in ptx.split("\n")[: int(match["line"]) - 1])
        said = assembler_needs_newer(match["message"])
        said = said or reason("assembler-refused", text=clean(match["message"]))
        return BuildFailed(located(said, *lines.location(offset)))
    for offset, name in external_calls(ptx):
        signature = read_signature(name.removesuffix(_NUMBA_SHIM))
        called = clean(signature.name if signature else name)
        said = (
            reason("numba-needs-cpp", function=called)
            if name.endswith(_NUMBA_SHIM)
            else reason("function-not-defined", function=called)
        )
        return BuildFailed(located(said, *lines.location(offset)))
    refusal = next((text for text in log.splitlines() if "error" in text or "fatal" in text), None)
    if refusal is not None:
        return BuildFailed(reason("assembler-refused", text=clean(refusal)))
    return InfrastructureError("nvJitLink failed without a message")
