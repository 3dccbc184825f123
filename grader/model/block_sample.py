"""A run of a few drawn blocks of a launch at its full size, with only the bytes of its inputs that they read."""

from dataclasses import dataclass

from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.run import RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSample:
    """Which blocks run: at most ``blocks`` of each launch that access memory, drawn with ``seed``.

    After ``steps`` warp micro-operations no launch starts another block, except its first.
    """

    seed: int
    blocks: int
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteRange:
    """The bytes from ``start`` to before ``stop`` of a buffer."""

    buffer: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferPiece:
    """First contents of a buffer from ``start`` on; what no piece covers is zero."""

    buffer: str
    start: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledJob:
    """A launch plan of which some blocks run. ``pieces`` are parts of its buffers."""

    module: DeviceModule
    plan: LaunchPlan
    sample: BlockSample
    pieces: tuple[BufferPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class ExecutedInstruction:
    """How often threads executed an instruction, and its source line, if it is known."""

    count: int
    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledRun:
    """Result of the blocks that ran. ``missing`` are bytes of buffers that they touched and no piece covered.

    With ``missing`` bytes the result is that of other contents. The findings are those of the first launch, because
    later ones read the results of blocks that did not run. ``executed`` has every instruction of the kernels, in the
    order of the code.
    """

    result: RunResult
    executed: tuple[ExecutedInstruction, ...] = ()
    missing: tuple[ByteRange, ...] = ()
