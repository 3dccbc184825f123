"""Calls that copy and fill memory."""

from collections.abc import Callable, Mapping

from grader.engines.touched import Access, Touched
from grader.model.diagnostic import DiagnosticKind
from grader.model.program import Lane
from grader.model.reason import Reason, reason
from grader.programs.allocations import Kind
from grader.programs.bus import CALL_SECONDS, LAUNCH_SECONDS, bus_of
from grader.programs.copier import Copier
from grader.programs.copies import Copy, Side
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.wire import Call, Pending, Reply, Request
from grader.programs.work import Work


class CopyCalls:
    """Answers calls that move bytes."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._bus = bus_of(state.device)
        self._copier = Copier(state.memory, state.findings)

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.COPY: self._copy,
            Call.MEMSET: self._memset,
        }

    def _copy(self, asked: Request) -> Reply:
        copy = Copy.of_request(asked)
        stream = self._state.schedule.stream(copy.stream)
        if stream is None:
            return Reply(Error.INVALID_HANDLE)
        if copy.is_check:
            return Reply(Error.SUCCESS if self._copier.is_valid(copy) else Error.INVALID_VALUE)
        if copy.mover is not None:
            return self._record(copy, copy.mover, stream)
        return self._carry_out(copy, stream)

    def _carry_out(self, copy: Copy, stream: int) -> Reply:
        if copy.is_first:
            self._state.schedule.times.spend(CALL_SECONDS)
            if not copy.was_checked and not self._copier.is_valid(copy):
                return Reply(Error.INVALID_VALUE)
        if copy.size == 0 or Side.PAGEABLE is copy.to is copy.of:
            return Reply()
        if not copy.is_first:  # the rest of a copy of pageable memory, which is under way
            self._copier.move(copy)
            return Reply()
        work = self._state.schedule.add(self._work_of(copy, stream), stream)
        is_chosen = (stream or not self._state.is_managed) and self._state.findings.is_own(copy.site)
        if copy.is_async and copy.is_staged and is_chosen:
            self._state.findings.warning(
                DiagnosticKind.SLOW_COPY,
                self._state.findings.line(copy.site),
                reason("async-copy-of-pageable"),
                reason("pin-memory"),
            )
        if copy.is_staged or not copy.is_async:
            self._state.schedule.wait(work)
        return Reply(self._state.sticky)

    def _record(self, copy: Copy, mover: int, stream: int) -> Reply:
        """Let a graph copy pageable memory each time; the answer says whether a graph takes the copy."""
        schedule = self._state.schedule
        if stream not in schedule.recorders and schedule.every_recorder is None:
            return Reply()
        if not self._copier.is_valid(copy):
            return Reply(Error.INVALID_VALUE)
        work = self._work_of(copy, stream)
        seconds = self._bus.seconds(copy.size, is_pinned=False)

        def perform() -> float:
            for number, piece in enumerate(copy.pieces, start=mover):
                if copy.of is not Side.PAGEABLE:
                    self._copier.move(piece)
                self._state.channel.call_host(number, self._state.kernels.printer.take())
                if copy.of is Side.PAGEABLE:
                    self._copier.move(piece)
            return seconds

        work.perform = perform
        schedule.add(work, stream)
        return Reply(values=(1,))

    def _work_of(self, copy: Copy, stream: int) -> Work:
        is_pinned = not copy.is_staged
        lane, seconds, name = self._cost(copy)

        def perform() -> float:
            self._copier.move(copy)
            return seconds

        return Work(
            lane=lane,
            name=name,
            stream=self._state.schedule.number(stream),
            site=copy.site,
            perform=perform,
            pending=copy.pending,
            moved_bytes=copy.size,
            touched=lambda: copy.touched,
            is_pinned=is_pinned,
        )

    def _cost(self, copy: Copy) -> tuple[Lane, float, Reason]:
        """What a copy keeps busy, for how many seconds, and its name."""
        is_pinned = not copy.is_staged
        seconds = self._bus.seconds(copy.size, is_pinned=is_pinned)
        name = reason("work-copy-pinned" if is_pinned else "work-copy-pageable")
        if not (copy.to is Side.DEVICE is copy.of):
            return Lane.COPY_IN if copy.to is Side.DEVICE else Lane.COPY_OUT, seconds, name
        memory = self._state.memory
        target, source = memory.find(copy.target), memory.find(copy.source)
        if target is None or source is None or target.device == source.device:
            return Lane.KERNELS, 3e-6 + 2 * copy.size / self._state.device.dram_bandwidth, name
        if not memory.peers.reaches(target.device, source.device):
            seconds *= 2  # through memory of the host
        return Lane.COPY_OUT, seconds, reason("work-copy-peer")

    def _memset(self, asked: Request) -> Reply:
        address, value, width, rows, pitch, handle, is_async = asked.arguments[:7]
        stream = self._state.schedule.stream(handle)
        if stream is None:
            return Reply(Error.INVALID_HANDLE)
        if width == 0 or rows == 0:
            return Reply()
        size = (rows - 1) * pitch + width
        if self._copier.span(address, size, asked.site, "target") is None:
            return Reply(Error.INVALID_VALUE)
        seconds = 3e-6 + width * rows / self._state.device.dram_bandwidth

        def perform() -> float:
            self._copier.fill(address, value, width, rows, pitch)
            return seconds

        target = self._state.memory.find(address)
        is_of_host = target is not None and target.kind in {Kind.PINNED, Kind.MANAGED}
        pending = (Pending(address=address, size=size, is_written=True),) if is_of_host else ()
        work = self._state.add(
            Lane.KERNELS,
            reason("work-memset"),
            stream,
            asked.site,
            perform,
            pending=pending,
            moved_bytes=width * rows,
        )
        work.touched = lambda: (Touched.rows(address, width, rows, pitch, Access.WRITE),)
        self._state.schedule.times.spend(LAUNCH_SECONDS)
        if is_of_host and not is_async:  # CUDA runtime API, API synchronization behavior: memset
            self._state.schedule.wait(work)
        return Reply()
