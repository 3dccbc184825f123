"""Proof that a warp, and with it a block, will never go on by itself.

A warp whose registers and program counters are what they were before, with no memory changed in between, will do the
same again and again until somebody else changes memory. States are compared by 64-bit fingerprints at the ends of
turns, against an anchor that moves on at growing distances (Brent's method finds a cycle of any length). While a block
is alone on the device, only warps that run for long are watched, and each in a quarter of its turns until it has once
been seen to circle.
"""

from typing import Any

from grader.engines.emulator.core.host import load_i64, load_u8, load_u32
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.records import WARP_STATE
from grader.engines.emulator.core.views import warp_at

_WATCHED_FROM = 1 << 15
"""Micro-operations of a warp that pass unwatched."""

_LARGEST_FRAMES = 1 << 17
"""Bytes of a warp's frames up to which states are compared; recursive functions have more."""

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
    """The fingerprint of all that decides what the warp does next, but for memory."""
    fingerprint = _mixed(_START, warp.live)
    fingerprint = _mixed(fingerprint, warp.waiting)
    fingerprint = _mixed(fingerprint, warp.parked)
    fingerprint = _mixed(fingerprint, warp.forced)
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
def note_read(ctx: Any, w: int, pc: int, lanes: int, delta: int, size: int, shared: int) -> None:
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
def has_news(ctx: Any, resident: Any) -> bool:
    """Whether something is different where a block that waits for memory has looked last."""
    for w in range(ctx.warps):
        warp = warp_at(resident.states, w)
        if warp.circling == resident.waits_at and warp.live & ~warp.waiting:
            hosts = resident.states + w * _WARP_STATE_BYTES + _READ_HOSTS
            if contents(hosts, warp.read_lanes, 0, warp.read_bytes) != warp.read_contents:
                return True
    return False


@compiled
def watch(ctx: Any, w: int) -> bool:
    """After a turn of warp ``w``: look whether it repeats itself. Returns: whether it does so for ever.

    That is, whatever others may do; where it only waits for memory to change, ``warp.circling`` becomes the version of
    memory that it waits in.
    """
    warp = warp_at(ctx.states, w)
    warp.turns += 1
    turns = warp.turns
    alone = ctx.resident_count == 1
    if ctx.frame_bytes > _LARGEST_FRAMES or (alone and turns * ctx.turn_steps < _WATCHED_FROM):
        return False
    ctx.watching = 1
    if turns & (turns - 1) == 0:
        warp.watched_until = max(warp.watched_until, turns + (turns >> 2))
    if alone and turns > warp.watched_until:
        return False
    state = _state(ctx, warp, w)
    if warp.anchor_version == ctx.version:
        if warp.anchor == state:
            warp.circling = ctx.version
            warp.watched_until = 1 << 60
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
