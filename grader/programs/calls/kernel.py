"""Calls about kernels and variables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from grader.engines.emulator.decode.program import UnsupportedError
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.plan import Dim3, LaunchShape
from grader.model.program import Lane
from grader.model.reason import Reason, reason
from grader.programs.allocations import Kind
from grader.programs.attributes import STATIC_SHARED_BYTES
from grader.programs.bus import LAUNCH_SECONDS
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.kernel import Kernel, Launched, packed_layout
from grader.programs.managed import has_concurrent_managed_access
from grader.programs.wire import Call, Pending, Reply, Request, Site

_POINTER_BYTES = 8
_HOST_START, _HOST_END = 0x5000 << 32, 0x8000 << 32


@dataclass(frozen=True, slots=True, kw_only=True)
class _Launch:
    """A valid launch. ``is_explained``: a bad pointer among its parameters explains accesses out of bounds."""

    kernel: Kernel
    shape: LaunchShape
    parameters: bytes
    site: Site
    device: int
    is_explained: bool


class KernelCalls:
    """Answers calls that launch kernels or ask about them."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.LAUNCH: self._launch,
            Call.KERNEL: self._kernel,
            Call.SYMBOL: self._symbol,
            Call.ATTRIBUTES: self._attributes,
            Call.OCCUPANCY: self._occupancy,
        }

    def _kernel(self, asked: Request) -> Reply:
        try:
            kernel = self._state.kernels.kernel(
                asked.extra.decode(errors="replace"), asked.arguments[0] or None
            )
        except UnsupportedError as error:
            return self._state.unsupported(error, asked)
        if kernel is None:
            return Reply(Error.INVALID_FUNCTION)
        return Reply(values=(kernel.number, kernel.program.parameter_bytes), extra=packed_layout(kernel))

    def _launch(self, asked: Request) -> Reply:
        number, gx, gy, gz, bx, by, bz, shared, handle, is_cooperative, allowed = asked.arguments[:11]
        self._state.schedule.times.spend(LAUNCH_SECONDS)
        kernel, stream = self._state.kernels.numbered(number), self._state.schedule.stream(handle)
        if kernel is None:
            return Reply(Error.INVALID_HANDLE)
        if stream is None:
            said = reason("launch-in-no-stream", kernel=kernel.name)
            self._state.findings.error(DiagnosticKind.INVALID_LAUNCH, asked.site, said)
            self._state.unread_launch = asked.site
            return Reply(Error.INVALID_HANDLE)
        shape = LaunchShape(grid=Dim3(x=gx, y=gy, z=gz), block=Dim3(x=bx, y=by, z=bz), shared_bytes=shared)
        problem = self._state.kernels.problem(kernel, shape)
        if problem is not None:
            said = reason("invalid-launch", kernel=kernel.name, problem=problem)
            self._state.findings.error(DiagnosticKind.INVALID_LAUNCH, asked.site, said, reason("fix-launch"))
            self._state.unread_launch = asked.site
            return Reply(Error.INVALID_CONFIGURATION)
        owner = self._state.schedule.streams[stream].device
        if owner != asked.device:
            said = reason("launch-in-other-device", kernel=kernel.name, owner=owner, device=asked.device)
            advice = reason("select-device", owner=owner)
            self._state.findings.error(DiagnosticKind.INVALID_LAUNCH, asked.site, said, advice)
            self._state.unread_launch = asked.site
            return Reply(Error.INVALID_HANDLE)
        refusal = self._refusal(kernel, shape, allowed, is_cooperative=bool(is_cooperative))
        if refusal is not None:
            error, problem, advice = refusal
            self._state.findings.error(
                DiagnosticKind.INVALID_LAUNCH,
                asked.site,
                reason("invalid-launch", kernel=kernel.name, problem=problem),
                advice,
            )
            if not is_cooperative:  # its function returns the error
                self._state.unread_launch = asked.site
            return Reply(error)
        return self._schedule(kernel, shape, asked, stream)

    def _schedule(self, kernel: Kernel, shape: LaunchShape, asked: Request, stream: int) -> Reply:
        """Put a valid launch into a stream."""
        launch = _Launch(
            kernel=kernel,
            shape=shape,
            parameters=asked.extra,
            site=asked.site,
            device=asked.device,
            is_explained=self._has_bad_pointer(kernel, asked.extra, asked.site, asked.device),
        )

        def perform() -> float:
            done = self._run(launch)
            if done is None:
                return 0.0
            work.touched = done.touched
            return done.seconds

        work = self._state.add(
            Lane.KERNELS,
            reason("work-kernel", kernel=kernel.name),
            stream,
            asked.site,
            perform,
            pending=tuple(self._pending(kernel, asked.extra)),
        )
        return Reply()

    def _refusal(
        self, kernel: Kernel, shape: LaunchShape, allowed: int, *, is_cooperative: bool
    ) -> tuple[Error, Reason, Reason] | None:
        """Why the runtime refuses a launch that the device could do; ``allowed`` is what the program said of it."""
        usual = STATIC_SHARED_BYTES - kernel.resources.shared_bytes
        if shape.shared_bytes > max(usual, allowed):
            problem = reason("shared-memory-not-allowed", size=shape.shared_bytes, most=max(usual, allowed))
            return Error.INVALID_VALUE, problem, reason("allow-shared-memory")
        if is_cooperative:
            kernels, device = self._state.kernels, self._state.device
            most = device.sm_count * kernels.occupancy(kernel, shape.block.size, shape.shared_bytes)
            if shape.grid.size > most:
                problem = reason("cooperative-too-large", blocks=shape.grid.size, most=most)
                return Error.COOPERATIVE_TOO_LARGE, problem, reason("launch-resident-blocks", most=most)
        return None

    def _pending(self, kernel: Kernel, parameters: bytes) -> Iterator[Pending]:
        """The host's memory that a launch may use: what it has pointers into, or all that its device takes over."""
        for used in self._state.kernels.used(kernel, parameters):
            if used.kind in {Kind.MANAGED, Kind.PINNED}:
                yield Pending(address=used.address, size=used.size, is_written=True, is_sure=False)
        if not has_concurrent_managed_access(self._state.device):
            for each in self._state.memory.live:
                if each.kind.is_managed:
                    yield Pending(address=each.address, size=each.size, is_written=True)

    def _run(self, launch: _Launch) -> Launched | None:
        """Run a launch; ``None``: it did not run."""
        if self._state.sticky:
            return None
        try:
            done = self._state.kernels.launch(
                launch.kernel, launch.shape, launch.parameters, self._state.limit.left, launch.device
            )
        except UnsupportedError as error:
            self._state.refused = reason("unsupported", what=error.what)
            self._state.sticky = Error.NOT_SUPPORTED
            return None
        for found in done.diagnostics:
            is_elsewhere = (
                self._state.is_managed and found.file is None and found.severity is not Severity.ERROR
            )
            if not is_elsewhere and not (launch.is_explained and found.kind is DiagnosticKind.OUT_OF_BOUNDS):
                self._state.findings.in_kernel(found, launch.site)
        if self._state.kernels.printer.has_lost:
            self._state.findings.warning(
                DiagnosticKind.RUNTIME_ERROR,
                self._state.findings.line(launch.site),
                reason("printed-too-much", kernel=launch.kernel.name, most=self._state.kernels.printer.limit),
                reason("raise-print-limit"),
            )
            self._state.kernels.printer.has_lost = False
        self._state.sticky = done.error
        return done

    def _has_bad_pointer(self, kernel: Kernel, parameters: bytes, site: Site, device: int) -> bool:
        """Whether a parameter points to freed memory, to the host's own, or to another device's; that is noted."""
        is_bad = False
        for index, value in kernel.pointers(parameters):
            found = self._state.memory.find(value)
            if found is not None and found.released is not None and found.address <= value < found.end:
                problem = reason("kernel-gets-freed", kernel=kernel.name, number=index + 1, name=found.name)
                self._state.findings.error(DiagnosticKind.HOST_MEMORY, site, problem, None, found.released)
                is_bad = True
            elif found is not None and not self._state.memory.reaches(device, found):
                problem = reason(
                    "kernel-gets-other-device",
                    kernel=kernel.name,
                    number=index + 1,
                    name=found.name,
                    owner=found.device,
                    device=device,
                )
                advice = reason("enable-peer-access", owner=found.device, device=device)
                self._state.findings.error(DiagnosticKind.HOST_MEMORY, site, problem, advice, found.location)
                is_bad = True
            elif _is_host_address(value) and kernel.layout[index][1] == _POINTER_BYTES:
                problem = reason("kernel-gets-host-pointer", kernel=kernel.name, number=index + 1)
                self._state.findings.error(
                    DiagnosticKind.HOST_MEMORY, site, problem, reason("pass-device-pointer")
                )
                is_bad = True
        return is_bad

    def _symbol(self, asked: Request) -> Reply:
        address = self._state.kernels.variable(asked.extra.decode(errors="replace"), asked.device)
        return Reply(Error.INVALID_SYMBOL) if address is None else Reply(values=(address,))

    def _attributes(self, asked: Request) -> Reply:
        kernel = self._state.kernels.numbered(asked.arguments[0])
        if kernel is None:
            return Reply(Error.INVALID_FUNCTION)
        needs = kernel.resources
        arch = int(self._state.device.arch.removeprefix("sm_"))
        constant = self._state.kernels.constant_bytes(kernel)
        return Reply(
            values=(needs.shared_bytes, needs.max_threads, needs.registers, arch, needs.local_bytes, constant)
        )

    def _occupancy(self, asked: Request) -> Reply:
        number, threads, shared = asked.arguments[:3]
        kernel = self._state.kernels.numbered(number)
        if kernel is None:
            return Reply(Error.INVALID_FUNCTION)
        if threads < 1:
            return Reply(Error.INVALID_VALUE)
        return Reply(values=(self._state.kernels.occupancy(kernel, threads, shared),))


def _is_host_address(value: int) -> bool:
    """Whether a pointer's value lies where Linux puts the heap, the stack and the libraries of a program."""
    return _HOST_START <= value < _HOST_END
