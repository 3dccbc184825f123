"""Detect a warp that repeats itself forever unless another warp changes memory.

If a warp's registers and program counters equal an earlier state and no memory has changed in between, the warp repeats
the same steps until another warp changes memory. States are compared by 64-bit fingerprints at the ends of turns,
against an anchor state that is replaced at growing intervals (Brent's method, which finds a cycle of any length). While
only one block is resident, only long-running warps are checked, in a quarter of their turns until the first repetition.
"""

from typing import Any

from grader.engines.emulator.core.host import load_i64, load_u8, load_u32
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.records import WARP_STATE
from grader.engines.emulator.core.views import warp_at

_CHECKED_FROM = 1 << 15
"""Micro-operations of a warp before the first check."""

_LARGEST_FRAMES = 1 << 17
"""Largest frames of a warp, in bytes, for which states are compared; recursive functions have larger ones."""

_FACTOR = -7046029254386353131
"""An odd number with well-mixed bits: 2^64 over the golden ratio, as a signed number."""

_WARP_STATE_BYTES = WARP_STATE.itemsize
_READ_HOSTS = WARP_STATE.fields["read_hosts"][1] if WARP_STATE.fields else 0
_START = 0x5DEECE66D
_WORD = 4


@compiled
def _mixed(fingerprint: int, word: int) -> int:
    product = (fingerprint ^ word) * _FACTOR
    return product ^ ((product >> 32) & 0xFFFFFFFF)


@compiled
def _state(ctx: Any, warp: Any, w: int) -> int:
    """The fingerprint of everything that decides the next steps of the warp, except memory."""
    fingerprint = _mixed(_START, warp.live)
    fingerprint = _mixed(fingerprint, warp.waiting)
    fingerprint = _mixed(fingerprint, warp.at_warp_sync)
    fingerprint = _mixed(fingerprint, warp.ignores_absent)
    fingerprint = _mixed(fingerprint, warp.rotation)
    for lane in range(32):
        fingerprint = _mixed(fingerprint, (warp.pcs[lane] << 32) ^ warp.frames[lane])
    base = ctx.frames + w * ctx.frame_bytes
    for offset in range(0, ctx.frame_bytes, 8):
        fingerprint = _mixed(fingerprint, load_i64(base + offset))
    return fingerprint


@compiled
def contents(addresses: int, lanes: int, delta: int, size: int) -> int:
    """The fingerprint of ``size`` bytes at each active lane's host address, ``addresses[lane] + delta``."""
    fingerprint = _START
    for lane in range(32):
        if (lanes >> lane) & 1:
            host = load_i64(addresses + 8 * lane) + delta
            if size < _WORD:
                for byte in range(size):
                    fingerprint = _mixed(fingerprint, load_u8(host + byte))
            else:
                for offset in range(0, size, _WORD):
                    fingerprint = _mixed(fingerprint, load_u32(host + offset))
    return fingerprint


@compiled
def record_read(ctx: Any, w: int, pc: int, lanes: int, delta: int, size: int, shared: int) -> None:
    """Warp ``w`` reads memory that others may write, at the host addresses ``scratch[lane] + delta``."""
    warp = warp_at(ctx.states, w)
    warp.reads += 1
    warp.read_pc = pc
    warp.read_shared = shared
    warp.read_lanes = lanes
    warp.read_bytes = size
    warp.read_contents = contents(ctx.scratch, lanes, delta, size)
    for lane in range(32):
        warp.read_hosts[lane] = load_i64(ctx.scratch + 8 * lane) + delta


@compiled
def memory_changed(ctx: Any, resident: Any) -> bool:
    """Whether the memory that a waiting block read last has changed."""
    for w in range(ctx.warps):
        warp = warp_at(resident.states, w)
        if warp.livelock_version == resident.waits_at and warp.live & ~warp.waiting:
            hosts = resident.states + w * _WARP_STATE_BYTES + _READ_HOSTS
            if contents(hosts, warp.read_lanes, 0, warp.read_bytes) != warp.read_contents:
                return True
    return False


@compiled
def detect_livelock(ctx: Any, w: int) -> bool:
    """Compare the state of warp ``w`` after a turn. Returns: whether it repeats itself regardless of memory.

    If it repeats itself only until memory changes, ``warp.livelock_version`` becomes the current memory version.
    """
    warp = warp_at(ctx.states, w)
    warp.turns += 1
    turns = warp.turns
    alone = ctx.resident_count == 1
    if ctx.frame_bytes > _LARGEST_FRAMES or (alone and turns * ctx.turn_steps < _CHECKED_FROM):
        return False
    ctx.tracks_changes = 1
    if turns & (turns - 1) == 0:
        warp.checked_until = max(warp.checked_until, turns + (turns >> 2))
    if alone and turns > warp.checked_until:
        return False
    state = _state(ctx, warp, w)
    if warp.anchor_version == ctx.version:
        if warp.anchor == state:
            warp.livelock_version = ctx.version
            warp.checked_until = 1 << 60
            return warp.reads == 0
        warp.anchor_age += 1
        if warp.anchor_age < warp.anchor_span:
            return False
        warp.anchor_span *= 2
    else:
        warp.anchor_version = ctx.version
        warp.anchor_span = 1
    warp.anchor = state
    warp.anchor_age = 0
    warp.reads = 0
    return False
