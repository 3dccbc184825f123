"""Requests to engines and their results."""

import math
from dataclasses import dataclass, field

from grader.model.diagnostic import Diagnostic
from grader.model.location import SourceLocation
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.reason import Reason
from grader.model.verdict import Verdict
from grader.model.words import OpenWord


class EngineKind(OpenWord):
    """Where device code runs."""

    EMULATOR = "emulator"
    CUDA = "cuda"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchJob:
    """One plan of one module. ``inputs`` maps every INPUT and INOUT buffer to its bytes (row-major, little-endian)."""

    module: DeviceModule
    plan: LaunchPlan
    inputs: dict[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """``max_steps``: warp instructions after which the emulator stops; ``timeout``: seconds of wall time on any engine.

    ``diagnostics``: whether to look for races, uninitialised reads, sectors and bank conflicts as well
    (out-of-bounds, endless loops and divergent barriers are always found). ``schedule_seed``: 0 for the natural order
    of warps and blocks on the emulator, any other number for an order drawn from it. ``cores``: how many cores the
    emulator may use for independent blocks; diagnostics need one. ``targets``: speedups for which a comparison must
    decide whether they are reached. With noise, a closer target takes more pairs. ``samples``: timed launches of a
    comparison of which inputs and outputs are returned.
    """

    diagnostics: bool = True
    schedule_seed: int = 0
    cores: int = 1
    max_steps: int = 200_000_000
    timeout: float = 10.0
    targets: tuple[float, ...] = ()
    samples: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessSite:
    """Memory traffic of one source line, summed over a run.

    ``requests`` are warp-level accesses. For global memory ``transactions`` are 32-byte sectors, for shared
    memory they are wavefronts (a conflict-free request takes one). ``ideal`` is what the same requests would take
    at best.
    """

    space: str
    file: str | None
    line: int | None
    store: bool
    requests: int
    transactions: int
    ideal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayTraffic:
    """Traffic of one array of global or shared memory over a run, in one direction for global memory.

    For global memory ``moved`` are the bytes of the 32-byte sectors that requests touched. ``useful`` are those of them
    that lanes received, where several lanes may receive one byte, or the different bytes that they wrote. For shared
    memory ``moved`` are wavefronts and ``useful`` those without conflicts. ``location`` has most in vain.
    """

    space: str
    name: str
    store: bool
    moved: int
    useful: int
    location: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedUse:
    """How the values of a run pass from global memory through shared memory to results, in bytes and threads.

    ``staged`` were received by loads from which a store to shared memory is made, ``direct`` by other loads from which
    a result is made. ``exchanged`` were stored in shared memory by one thread and read by another for a result; they
    count once. ``read`` are all bytes that threads received from shared memory for a result.
    ``loaders`` are as many threads as could share the staged loads evenly: all their bytes over the most of one thread
    of the block. ``receivers`` are threads that stored in global memory what is made of shared memory.
    ``fetched`` are the sectors that the staged loads moved, and ``gathered`` those that warps would have moved to load
    themselves what they read of other threads; what some lanes of a warp read counts by their share. The lines are
    those of the most direct bytes, and of the most stores to shared memory that no other thread read.
    """

    staged: int
    direct: int
    exchanged: int
    read: int
    loaders: int
    receivers: int
    fetched: int
    gathered: int
    direct_at: SourceLocation | None = None
    unread_at: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProfile:
    """What one source line executed, summed over a run; PTX instructions, without those the compiler put nowhere.

    ``thread_instructions`` are active lanes summed over ``warp_instructions``, of which 32 each are possible.
    ``branches`` are conditional branches executed by warps; at ``divergent_branches`` of them lanes parted.
    ``atomic_requests`` are atomics executed by warps, and ``atomic_passes`` the most lanes of each that met at one
    address, summed: as many as requests where no two lanes share an address.
    """

    file: str | None
    line: int | None
    warp_instructions: int
    thread_instructions: int
    branches: int = 0
    divergent_branches: int = 0
    atomic_requests: int = 0
    atomic_passes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """What one kernel did over all launches of a plan; the cost model's only input besides the device.

    Instruction counts are warp instructions unless named thread instructions. ``footprint_bytes`` is what must cross
    the memory bus at least once: the sizes of the buffers passed, summed over the launches; 0 where unknown.
    ``cache_lines`` are the 128-byte lines that requests to global memory touched: one L1 lookup each.
    ``busy_blocks`` are how many blocks like the longest one would do as much as all, and ``busy_warps`` how many warps
    like its longest one a block amounts to: fewer than there are where some leave early or do less. ``None``: all.
    Operations are per thread: a multiply-add counts as two, a function such as a square root as one. Integer
    operations have 32 bits and include index arithmetic.
    ``chained_instructions`` are those on the longest chains of dependent instructions in straight-line code: as many
    as ``warp_instructions`` where each needs the result of the one before. ``chained_loads`` are the same of loads of
    global memory: how often warps wait for some. ``barriers_after_loads`` are those that warps reach with such loads
    since the last barrier. ``stored_lines`` are the ``cache_lines`` of plain stores. ``local_requests`` are accesses to
    threads' own memory, with an estimate of those to spilled registers. ``texture_requests`` are texture reads.
    ``atomic_operations`` are atomics of single threads on global memory, ``atomic_sectors`` and ``atomic_lines`` their
    part of the sectors and lines above, and ``most_atomics`` those on the one word that has most.
    ``atomic_replays`` are wavefronts of shared memory that atomics take because lanes meet at one address.
    """

    kernel: str
    launches: int
    blocks: int
    threads_per_block: int
    shared_bytes: int
    registers: int
    thread_instructions: int
    warp_instructions: int
    fp32_instructions: int
    fp64_instructions: int
    global_requests: int
    global_sectors: int
    shared_requests: int
    shared_wavefronts: int
    atomics: int
    barriers: int
    sites: tuple[AccessSite, ...] = ()
    lines: tuple[LineProfile, ...] = ()
    footprint_bytes: int = 0
    cache_lines: int = 0
    busy_blocks: float | None = None
    busy_warps: float | None = None
    fp32_operations: int = 0
    fp64_operations: int = 0
    integer_operations: int = 0
    chained_instructions: int | None = None
    chained_loads: int | None = None
    barriers_after_loads: int = 0
    stored_lines: int = 0
    local_requests: int = 0
    texture_requests: int = 0
    atomic_operations: int = 0
    atomic_sectors: int = 0
    atomic_lines: int = 0
    most_atomics: int = 0
    atomic_replays: int = 0
    arrays: tuple[ArrayTraffic, ...] = ()
    shared_use: SharedUse | None = None

    @property
    def bank_conflicts(self) -> int:
        """Shared-memory wavefronts beyond the ideal, over all lines."""
        return sum(max(0, site.transactions - site.ideal) for site in self.sites if site.space == "shared")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a run did not finish. Raises: ``ValueError`` for a verdict that earns points."""

    verdict: Verdict
    reason: Reason

    def __post_init__(self) -> None:
        if self.verdict.earns_correctness:
            msg = f"what did not finish is not {self.verdict}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """Outputs of a run: every OUTPUT and INOUT buffer, and the INPUT buffers that changed.

    On a fault ``outputs`` is empty. ``counters`` is empty on an engine that cannot count. ``printed`` is the
    kernels' printed text in schedule order, truncated at the length that the engine's documentation states.
    """

    outputs: dict[str, bytes]
    fault: Fault | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    counters: tuple[Counters, ...] = ()
    changed_inputs: tuple[str, ...] = ()
    printed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputCheck:
    """An output of a timed submission, the baseline's output that it must equal, and the largest difference.

    ``allowed`` is absolute; 0 requires equality. ``unordered``: elements along the first axis may come in any order.
    Only so many of them count as the baseline's output ``counted_by`` says, if it is named. ``mask`` has one bit for
    each element that counts, the first in the highest bit of the first byte; empty: all count.
    """

    submission: str
    baseline: str
    allowed: float
    unordered: bool = False
    counted_by: str = ""
    mask: bytes = b""

    @property
    def is_elementwise(self) -> bool:
        """Whether every element is compared with the one in the same place."""
        return not (self.unordered or self.counted_by or self.mask)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPair:
    """Seconds of one baseline run and one submission run, taken close together.

    Those with the same ``place``, the last one of those that a pair is made in, ran in the same memory; ``None``: in
    memory of their own, or none.
    Raises: ``ValueError`` for what is no time.
    """

    baseline: float
    submission: float
    place: int | None = None

    def __post_init__(self) -> None:
        if not (0 < self.baseline < math.inf and 0 < self.submission < math.inf):
            msg = f"{self.baseline} and {self.submission} are no times"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Interleaved times of baseline and submission. ``modelled``: from the cost model, not from a clock.

    Each time of a pair is the mean of ``launches``. ``dropped`` pairs do not count, because the device's clock changed
    during them; ``clock`` is its median in cycles per second. A worker sends this type, so all of it may be forged.
    Raises: ``ValueError`` if there are neither pairs nor a fault.
    """

    pairs: tuple[TimedPair, ...]
    modelled: bool
    fault: Fault | None = None
    launches: int = 1
    dropped: int = 0
    clock: float | None = None

    def __post_init__(self) -> None:
        if not self.pairs and self.fault is None:
            msg = "a comparison without a time needs a reason"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedSample:
    """The outputs of one timed launch of the submission, and its inputs where they are not those of the job."""

    outputs: dict[str, bytes]
    inputs: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledComparison(Comparison):
    """A comparison with ``RunOptions.samples`` of its timed launches, drawn so that no kernel knows which."""

    samples: tuple[TimedSample, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedComparison(Comparison):
    """A worker's comparison with the grader's own measurement of its duration.

    ``wall_seconds`` are the seconds from the request to the reply on the grader's clock; ``None`` for modelled times.
    """

    wall_seconds: float | None = None
