"""One launch on the interpreter: everything it works on, laid out in host memory."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.codes import Status, Wait
from grader.engines.emulator.core.records import (
    CONTEXT,
    EVENT,
    HITS,
    MAX_COUNTED_THREADS,
    MAX_EVENTS,
    MAX_SAMPLES,
    SAMPLE,
    SYNC,
    SYNCS,
    TRAFFIC,
)
from grader.engines.emulator.core.scheduler import run
from grader.engines.emulator.core.shadow_words import MAX_PC, MAX_STAMP
from grader.engines.emulator.core.traffic import TRAFFIC_SCRATCH_BYTES
from grader.engines.emulator.deadlock import Standstill, waiting_block
from grader.engines.emulator.decode.program import Program, Service, UnsupportedError
from grader.engines.emulator.decode.variables import PARAMETER_WINDOW
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.launch_constants import (
    THREAD_ROW_BYTES,
    constant_rows,
    emulated_shared_bytes,
    shared_owners,
    thread_rows,
)
from grader.engines.emulator.memory_map import POISON_WORD, DeviceMemory
from grader.engines.emulator.order import Order
from grader.engines.emulator.residency import Residents, TurnLog
from grader.engines.emulator.services.handler import ServiceHandler
from grader.engines.emulator.services.request import Request
from grader.model.plan import LaunchShape

_SLICE = 100_000
"""Micro-operations between two looks at the clock: a hundredth of a second, or a tenth where all are diagnosed
accesses. Every service is followed by a look, too."""

_LOGGED_TURNS = 1024
"""Turns that the log of a diagnosed launch has room for at first."""

MAX_BLOCKS = 1 << 24
"""Blocks of one launch; devices take up to 2^31 - 1 along x. The emulator would need minutes for empty ones, and some
tables have a row for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When to stop: warp steps left, and a ``time.monotonic`` deadline."""

    steps: int
    deadline: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOutcome:
    """What a launch left behind.

    ``steps`` are the micro-operations of all warps, ``longest_warp`` those of the one that had the most, and
    ``longest_warps`` the sum over all blocks of those of the one that had the most in the block.
    ``status`` is ``PAUSED`` where a limit ended it, ``out_of_time`` telling which. ``event_threads`` has a row of bits
    for each of ``events``, one for each thread of the grid. ``hits`` are executions and active
    lanes per micro-operation; ``stopped_pc`` and ``stopped_thread`` (linear in its block) where it was last.
    ``waiting`` has the linear thread index and the micro-operation of each thread of a block that waits in a deadlock;
    ``returned`` is how many have returned, the first of them by the branch at ``returned_pc`` (-1: unknown).
    ``standstill`` is there where the status is ``ENDLESS_WAIT``.
    ``assertion`` is the condition of the assertion that ended it.
    """

    program: Program
    shape: LaunchShape
    status: Status
    out_of_time: bool
    steps: int
    longest_warp: int
    longest_warps: int
    events: NDArray[Any]
    event_threads: NDArray[np.uint8]
    traffic: NDArray[Any]
    samples: NDArray[Any]
    hits: NDArray[np.int64]
    stopped_pc: int
    stopped_thread: int
    block: int
    waiting: tuple[tuple[int, int], ...]
    returned: int
    returned_pc: int
    standstill: Standstill | None
    assertion: str = ""

    @property
    def warps(self) -> int:
        """How many the launch has."""
        return self.shape.grid.size * -(-self.shape.block.size // WARP)


class Execution:
    """A launch in progress. Keeps alive every array whose address the interpreter holds."""

    def __init__(
        self,
        program: Program,
        shape: LaunchShape,
        memory: DeviceMemory,
        desk: ServiceHandler,
        parameters: bytes,
        *,
        diagnose: bool,
        order: Order,
        device_blocks: int,
    ) -> None:
        """``shape`` has at most ``MAX_BLOCKS``; ``device_blocks`` is how many the device would hold at once.

        Raises: ``UnsupportedError`` where the program is too large to diagnose.
        """
        if diagnose and len(program.code) > MAX_PC:
            raise UnsupportedError(program.kernel, role=f"more than {MAX_PC:,} instructions in")
        self._program, self._shape, self._memory, self._desk = program, shape, memory, desk
        if any(call.service in {Service.MALLOC, Service.FREE} for call in program.services):
            memory.open_heap()
        threads = shape.block.size
        warps = -(-threads // WARP)
        dynamic = shape.shared_bytes
        shared_bytes = emulated_shared_bytes(program, dynamic)
        blocks = shape.grid.size
        self._parameters = aligned_bytes(len(parameters))
        self._parameters[: len(parameters)] = np.frombuffer(parameters, np.uint8)
        self._context = aligned_records(CONTEXT, 1)
        self._code = aligned_records(program.code.dtype, len(program.code))
        self._code[:] = program.code
        self._residents = Residents(program, shape, shared_bytes, device_blocks, diagnose=diagnose)
        self._turns = TurnLog(_LOGGED_TURNS if diagnose else 0)
        self._events = aligned_records(EVENT, MAX_EVENTS)
        self._event_threads = aligned_bytes(MAX_EVENTS * _thread_set_bytes(shape)).reshape(MAX_EVENTS, -1)
        self._traffic = aligned_records(TRAFFIC, len(program.code) + 1)
        self._samples = aligned_records(SAMPLE, MAX_SAMPLES)
        self._hits = aligned_records(HITS, len(program.code) + 1)
        self._windows = memory.windows(PARAMETER_WINDOW, self._parameters)
        self._arrays: dict[str, NDArray[Any]] = {
            "code": self._code,
            "windows": self._windows,
            "events": self._events,
            "event_threads": self._event_threads,
            "traffic": self._traffic,
            "samples": self._samples,
            "syncs": aligned_records(SYNC, SYNCS),
            "hits": self._hits,
            "residents": self._residents.table,
            "self": self._context,
            "constants": constant_rows(program, shape, parameters),
            "operands": program.operands,
            "thread_rows": thread_rows(shape, warps),
            "shared_owner": shared_owners(program, dynamic, shared_bytes),
            "scratch": aligned_bytes(TRAFFIC_SCRATCH_BYTES),
            "block_fences": aligned_bytes(8 * (blocks + 1) if diagnose else 0),
        }
        context = self._context[0]
        for name, array in self._arrays.items():
            context[name] = address_of(array)
        for name, value in {
            "blocks": blocks,
            "grid_x": shape.grid.x,
            "grid_y": shape.grid.y,
            "block_threads": threads,
            "warps": warps,
            "entry": program.entry,
            "block_rows": program.block_rows,
            "thread_row_bytes": THREAD_ROW_BYTES,
            "frame_bytes": program.frame_bytes,
            "local_bytes": program.local_bytes,
            "shared_bytes": shared_bytes,
            "poison": POISON_WORD,
            "diagnose": int(diagnose),
            "event_threads_bytes": _thread_set_bytes(shape),
            "stamp": memory.stamp,
            "launch_stamp": memory.stamp + 1,
            "resident_limit": self._residents.capacity.blocks,
            "last_block": blocks,
            "version": 1,
            "first_block": order.first_block,
            "block_stride": order.block_stride,
            "first_lane": order.first_lane,
            "lane_stride": order.lane_stride,
            "quantum": order.quantum,
            "heap_owner": memory.heap_owners,
        }.items():
            context[name] = value
        context["warp_order"][:warps] = order.warps
        self._show_room()

    @property
    def program(self) -> Program:
        """What runs."""
        return self._program

    @property
    def blocks(self) -> int:
        """How many the launch has."""
        return self._shape.grid.size

    @property
    def steps(self) -> int:
        """Warp micro-operations so far."""
        return int(self._context[0]["steps"])

    def finish(self, limits: Limits) -> LaunchOutcome:
        """Run to the end, or to one of the limits."""
        status, out_of_time = self._go_on(limits)
        return self.outcome(status, out_of_time=out_of_time)

    def finish_part(self, first: int, behind: int, limits: Limits) -> bool:
        """Run blocks ``first`` to ``behind - 1`` of the order. Returns: whether all ended and nothing was noted."""
        context = self._context[0]
        context["started"], context["last_block"] = first, behind
        status, _ = self._go_on(limits)
        return status is Status.DONE and int(context["event_count"]) == 0

    def _go_on(self, limits: Limits) -> tuple[Status, bool]:
        """Returns: how it ended, and whether that was because time was up."""
        context = self._context[0]
        out_of_time = False
        while True:
            budget = min(_SLICE, limits.steps - int(context["steps"]), MAX_STAMP - int(context["stamp"]))
            status = Status.PAUSED
            if budget <= 0:
                break
            status = Status(run(self._context, budget))
            if status is Status.NEEDS_ROOM:
                self._make_room()
                continue
            if status is Status.SERVICE:
                status = Status.PAUSED if self._desk.serve(self._request()) else Status.TRAPPED
            if status is not Status.PAUSED:
                break
            if time.monotonic() > limits.deadline:
                out_of_time = True
                break
        return status, out_of_time

    def outcome(self, status: Status, *, out_of_time: bool = False) -> LaunchOutcome:
        """What is left behind where the launch ended with ``status``."""
        context = self._context[0]
        self._memory.stamp = int(context["stamp"])
        return LaunchOutcome(
            program=self._program,
            shape=self._shape,
            status=status,
            out_of_time=out_of_time,
            steps=int(context["steps"]),
            longest_warp=int(context["longest_warp"]),
            longest_warps=int(context["longest_warps"]),
            events=self._events[: int(context["event_count"])],
            event_threads=self._event_threads[: int(context["event_count"])],
            traffic=self._traffic,
            samples=self._samples[: int(context["sample_count"])],
            hits=np.cumsum(self._hits.view(np.int64).reshape(-1, 2), axis=0)[:-1],
            stopped_pc=int(context["stopped_pc"]),
            stopped_thread=int(context["stopped_thread"]),
            block=int(context["block"]),
            waiting=self._waiting() if status is Status.DEADLOCK else (),
            returned=int(context["exited"]),
            returned_pc=int(context["first_exit_pc"]),
            standstill=self._standstill() if status is Status.ENDLESS_WAIT else None,
            assertion=self._desk.assertion,
        )

    def _make_room(self) -> None:
        """For another resident block, or for more turns in the log."""
        context = self._context[0]
        if 0 < context["turn_capacity"] <= context["turn_count"]:
            self._turns.grow()
        else:
            self._residents.add()
        self._show_room()

    def _show_room(self) -> None:
        context = self._context[0]
        context["resident_room"] = len(self._residents)
        context["turn_capacity"] = len(self._turns.stamps)
        context["turn_stamps"] = address_of(self._turns.stamps)
        context["turn_blocks"] = address_of(self._turns.blocks)

    def _standstill(self) -> Standstill:
        """Which blocks wait, where and for what."""
        context = self._context[0]
        table = self._residents.table[: len(self._residents)]
        waiting = [
            waiting_block(
                int(resident["block"]), Wait(int(resident["wait"])), self._residents.warps_of(number)
            )
            for number, resident in enumerate(table)
            if resident["wait"] != Wait.EMPTY
        ]
        return Standstill(
            waiting=tuple(sorted(waiting, key=lambda block: (block.at_grid_barrier, block.block))),
            ended=int(context["started"]) - len(waiting),
            capacity=self._residents.capacity,
        )

    def _request(self) -> Request:
        """What the interpreter came back with."""
        return Request(self._program, self._context[0], self._windows, self._events, self._event_threads)

    def _waiting(self) -> tuple[tuple[int, int], ...]:
        """Linear thread index and micro-operation of every thread at a barrier."""
        return tuple(
            (w * WARP + lane, int(warp["pcs"][lane]) - 1)
            for w, warp in enumerate(self._residents.warps_of(int(self._context[0]["current"])))
            for lane in range(WARP)
            if int(warp["waiting"]) >> lane & 1
        )


def _thread_set_bytes(shape: LaunchShape) -> int:
    """Bytes that hold a bit for each thread of the grid."""
    return -(-min(shape.grid.size * shape.block.size, MAX_COUNTED_THREADS) // 8)
