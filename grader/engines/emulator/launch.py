"""One launch: prepare the interpreter's state in host memory, run it, and collect the outcome."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.codes import Status, Wait
from grader.engines.emulator.core.records import CONTEXT
from grader.engines.emulator.core.scheduler import run
from grader.engines.emulator.core.shadow_words import MAX_PC, MAX_STAMP
from grader.engines.emulator.deadlock import GridDeadlock, waiting_block
from grader.engines.emulator.decode.program import ACCESSES, Program, Service, UnsupportedError
from grader.engines.emulator.device_face import DeviceFace
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.launch_layout import ARRAYS, VALUES, LaunchInputs
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.order import Order
from grader.engines.emulator.residency import ResidentBlocks, TurnLog
from grader.engines.emulator.services.handler import ServiceHandler
from grader.engines.emulator.services.request import Request
from grader.model.plan import LaunchShape

_SLICE = 100_000
"""Micro-operations between two checks of the time limit: about 0.01 s, or 0.1 s if all are diagnosed accesses. The
limit is also checked after every service request."""

_LOGGED_TURNS = 1024
"""Initial capacity of the turn log of a diagnosed launch."""

MAX_BLOCKS = 1 << 24
"""Most blocks of one launch. Devices accept up to 2^31 - 1 along x, but the emulator needs minutes for that many empty
blocks, and some of its tables have a row for each block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a launch: remaining warp micro-operations, and the moment of ``clock``, in seconds, when it stops."""

    steps: int
    deadline: float
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOutcome:
    """Result of a launch. ``blocks_run``: how many of its blocks ran, if not all were asked for.

    ``steps`` are the micro-operations of all warps, ``longest_warp`` those of the longest warp, and ``longest_warps``
    the sum over all blocks of those of the block's longest warp. ``status`` is ``PAUSED`` if a limit ended the
    launch; ``out_of_time`` says whether that was the time limit. ``event_threads`` has a row for each of ``events``,
    with one bit for each thread of the grid. ``hits`` are executions and active lanes per micro-operation.
    ``stopped_pc`` and ``stopped_thread`` (linear index in its block) are where the launch stopped. ``waiting`` has
    the linear thread index and the micro-operation of each thread of a block that waits in a deadlock; ``returned``
    counts those that have returned, the first of them after the branch at ``returned_pc`` (-1: unknown).
    ``grid_deadlock`` is set if the status is ``ENDLESS_WAIT``. ``assertion`` is the condition of the assertion that
    failed. ``window_names`` are the names of what is in each window of global memory. ``loaders`` are the bytes that
    threads load for shared memory over the most of one thread, summed over the blocks; ``receivers`` are threads that
    stored in global memory what is made of shared memory; ``gathered`` are the sectors of which the values are made
    that warps read in shared memory of other threads; those of a read count by
    the share of the lanes that take part. ``most_atomics`` are those on one word of global memory.
    """

    program: Program
    shape: LaunchShape
    blocks_run: int
    status: Status
    out_of_time: bool
    steps: int
    longest_warp: int
    longest_warps: int
    shortest_warp: int
    events: NDArray[Any]
    event_threads: NDArray[np.uint8]
    traffic: NDArray[Any]
    window_names: Mapping[int, str]
    loaders: int
    receivers: int
    gathered: int
    most_atomics: int
    samples: NDArray[Any]
    hits: NDArray[np.int64]
    stopped_pc: int
    stopped_thread: int
    block: int
    waiting: tuple[tuple[int, int], ...]
    returned: int
    returned_pc: int
    grid_deadlock: GridDeadlock | None
    assertion: str = ""

    @property
    def warps(self) -> int:
        """Warps of the blocks that ran."""
        return self.blocks_run * -(-self.shape.block.size // WARP)


class Execution:
    """A launch in progress. Keeps every array alive to which the interpreter has an address."""

    def __init__(
        self,
        program: Program,
        shape: LaunchShape,
        memory: DeviceMemory,
        services: ServiceHandler,
        parameters: bytes,
        *,
        diagnose: bool,
        order: Order,
        face: DeviceFace,
    ) -> None:
        """``shape`` has at most ``MAX_BLOCKS``; ``face`` is the imitated device in this launch.

        Raises: ``UnsupportedError`` if the program is too large for diagnosis.
        """
        if diagnose and len(program.code) > MAX_PC:
            raise UnsupportedError(program.kernel, code="too-many-instructions", most=MAX_PC)
        self._program, self._shape, self._memory, self._services = program, shape, memory, services
        if any(call.service in {Service.MALLOC, Service.FREE} for call in program.services):
            memory.open_heap()
        packed = aligned_bytes(len(parameters))
        packed[: len(parameters)] = np.frombuffer(parameters, np.uint8)
        self._inputs = inputs = LaunchInputs(
            program=program,
            shape=shape,
            memory=memory,
            parameters=packed,
            order=order,
            face=face,
            diagnose=diagnose,
        )
        self._resident_blocks = ResidentBlocks(
            program, shape, inputs.shared_bytes, face.resident_blocks, diagnose=diagnose
        )
        self._turns = TurnLog(_LOGGED_TURNS if diagnose else 0)
        self._arrays = {field: make(inputs) for field, make in ARRAYS.items()}
        self._context = aligned_records(CONTEXT, 1)
        context = self._context[0]
        for field, array in self._arrays.items():
            context[field] = address_of(array)
        for field, value in VALUES.items():
            context[field] = value(inputs)
        context["self"] = address_of(self._context)
        context["resident_blocks"] = address_of(self._resident_blocks.table)
        context["resident_limit"] = self._resident_blocks.capacity.blocks
        context["warp_order"][: inputs.warps] = order.warps
        self._publish_capacity()

    @property
    def program(self) -> Program:
        """The program that runs."""
        return self._program

    @property
    def blocks(self) -> int:
        """Blocks of the launch."""
        return self._shape.grid.size

    @property
    def steps(self) -> int:
        """Warp micro-operations so far."""
        return int(self._context[0]["steps"])

    @property
    def accesses(self) -> int:
        """Executions so far of instructions that access memory."""
        executed = np.cumsum(self._arrays["hits"].view(np.int64).reshape(-1, 2)[:, 0])[:-1]
        return int(executed[np.isin(self._program.code["op"], ACCESSES)].sum())

    def finish(self, limits: Limits) -> LaunchOutcome:
        """Run until the launch ends or reaches a limit."""
        status, out_of_time = self._run(limits)
        return self.outcome(status, out_of_time=out_of_time)

    def finish_part(self, first: int, behind: int, limits: Limits) -> bool:
        """Run blocks ``first`` to ``behind - 1`` of the order. Returns: whether all finished without an event."""
        status, _ = self.run_blocks(first, behind, limits)
        return status is Status.DONE and int(self._context[0]["event_count"]) == 0

    def run_blocks(self, first: int, behind: int, limits: Limits) -> tuple[Status, bool]:
        """As ``finish_part``. Returns: the status with which the run ended, and whether time ran out."""
        context = self._context[0]
        context["started"], context["last_block"] = first, behind
        return self._run(limits)

    def _run(self, limits: Limits) -> tuple[Status, bool]:
        """Run until the launch ends or reaches a limit. Returns: its status, and whether time ran out."""
        context = self._context[0]
        out_of_time = False
        while True:
            budget = min(_SLICE, limits.steps - int(context["steps"]), MAX_STAMP - int(context["stamp"]))
            status = Status.PAUSED
            if budget <= 0:
                break
            status = Status(run(self._context, budget))
            if status is Status.NEEDS_ROOM:
                self._grow()
                continue
            if status is Status.SERVICE:
                status = Status.PAUSED if self._services.serve(self._request()) else Status.TRAPPED
            if status is not Status.PAUSED:
                break
            if limits.clock() > limits.deadline:
                out_of_time = True
                break
        return status, out_of_time

    def outcome(
        self, status: Status, *, out_of_time: bool = False, blocks_run: int | None = None
    ) -> LaunchOutcome:
        """The result of the launch, which ended with ``status``; ``None``: all blocks were asked for."""
        context = self._context[0]
        self._memory.stamp = int(context["stamp"])
        return LaunchOutcome(
            program=self._program,
            shape=self._shape,
            blocks_run=self.blocks if blocks_run is None else blocks_run,
            status=status,
            out_of_time=out_of_time,
            steps=int(context["steps"]),
            longest_warp=int(context["longest_warp"]),
            longest_warps=int(context["longest_warps"]),
            shortest_warp=int(context["shortest_warp"]),
            events=self._arrays["events"][: int(context["event_count"])],
            event_threads=self._arrays["event_threads"][: int(context["event_count"])],
            traffic=self._arrays["traffic"],
            window_names={number: region.name for number, region in self._memory.regions.items()},
            loaders=int(context["loaders"]),
            receivers=int(context["receivers"]),
            gathered=int(context["gathered"]) // 32,
            most_atomics=int(self._arrays["atomic_words"].max()),
            samples=self._arrays["samples"][: int(context["sample_count"])],
            hits=np.cumsum(self._arrays["hits"].view(np.int64).reshape(-1, 2), axis=0)[:-1],
            stopped_pc=int(context["stopped_pc"]),
            stopped_thread=int(context["stopped_thread"]),
            block=int(context["block"]),
            waiting=self._waiting() if status is Status.DEADLOCK else (),
            returned=int(context["exited"]),
            returned_pc=int(context["first_exit_pc"]),
            grid_deadlock=self._grid_deadlock() if status is Status.ENDLESS_WAIT else None,
            assertion=self._services.assertion,
        )

    def _grow(self) -> None:
        """Add memory for another resident block, or double the turn log."""
        context = self._context[0]
        if 0 < context["turn_capacity"] <= context["turn_count"]:
            self._turns.grow()
        else:
            self._resident_blocks.add()
        self._publish_capacity()

    def _publish_capacity(self) -> None:
        """Store the sizes of the resident table and of the turn log in the interpreter's context."""
        context = self._context[0]
        context["resident_slots"] = len(self._resident_blocks)
        context["turn_capacity"] = len(self._turns.stamps)
        context["turn_stamps"] = address_of(self._turns.stamps)
        context["turn_blocks"] = address_of(self._turns.blocks)

    def _grid_deadlock(self) -> GridDeadlock:
        """Describe which resident blocks wait, at which instruction and for what."""
        context = self._context[0]
        table = self._resident_blocks.table[: len(self._resident_blocks)]
        waiting = [
            waiting_block(
                int(resident["block"]), Wait(int(resident["wait"])), self._resident_blocks.warps_of(number)
            )
            for number, resident in enumerate(table)
            if resident["wait"] != Wait.EMPTY
        ]
        return GridDeadlock(
            waiting=tuple(sorted(waiting, key=lambda block: (block.at_grid_barrier, block.block))),
            ended=int(context["started"]) - len(waiting),
            capacity=self._resident_blocks.capacity,
        )

    def _request(self) -> Request:
        """The service request with which the interpreter returned."""
        return Request(
            self._program,
            self._context[0],
            self._arrays["windows"],
            self._arrays["events"],
            self._arrays["event_threads"],
        )

    def _waiting(self) -> tuple[tuple[int, int], ...]:
        """Linear thread index and micro-operation of every thread at a barrier."""
        return tuple(
            (w * WARP + lane, int(warp["pcs"][lane]) - 1)
            for w, warp in enumerate(self._resident_blocks.warps_of(int(self._context[0]["current"])))
            for lane in range(WARP)
            if int(warp["waiting"]) >> lane & 1
        )
