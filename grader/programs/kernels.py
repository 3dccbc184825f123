"""The kernels of a program's units, their variables, and launches on the emulator."""

import time
from collections.abc import Iterator, Sequence

from grader.compile.occupancy import occupancy
from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.variables import VARIABLE_WINDOW, module_variables, window_origin
from grader.engines.emulator.device_face import face_of
from grader.engines.emulator.findings.event_diagnostics import event_diagnostics
from grader.engines.emulator.findings.launch_failures import launch_failure, memory_fault
from grader.engines.emulator.launch import MAX_BLOCKS, Execution, Limits
from grader.engines.emulator.order import order_of
from grader.engines.emulator.parallel import finish
from grader.engines.emulator.profile import Profiled
from grader.engines.emulator.ptx.parser import parse, type_bytes
from grader.engines.emulator.ptx.syntax import Module, PtxError
from grader.engines.emulator.services.handler import ServiceHandler
from grader.engines.emulator.touched_ranges import touched_ranges
from grader.engines.launch_limits import launch_problem
from grader.engines.touched import Touched
from grader.errors import UserError
from grader.model.device import Device
from grader.model.module import Abi, BuiltKernel
from grader.model.plan import LaunchShape
from grader.model.reason import Reason
from grader.programs.allocations import Allocation
from grader.programs.error_codes import Error
from grader.programs.kernel import Kernel, Launched, display_name, parameter_layout
from grader.programs.memory import ProgramMemory
from grader.programs.modelled_time import ModelledTimes
from grader.programs.printing import ProgramPrinter
from grader.programs.units import Unit

_UNITS = 1 << 20
"""More units than a program has; the variables of each device have numbers of their own."""


class Kernels:
    """The kernels of all units of a program."""

    def __init__(
        self, units: Sequence[Unit], device: Device, memory: ProgramMemory, *, diagnose: bool
    ) -> None:
        """Raises: ``UserError`` for PTX that the emulator cannot read."""
        self._device = device
        self._memory = memory
        self._diagnose = diagnose
        self.printer = ProgramPrinter()
        self._services = ServiceHandler(memory.emulated, self.printer)
        self._times = ModelledTimes(device)
        self._launches = 0
        self._managed: dict[int, dict[int, Allocation]] = {}
        self._units: list[Unit] = []
        self._modules: list[Module] = []
        self._by_name: dict[tuple[int, str], Kernel] = {}
        self._numbered: list[Kernel] = []
        try:
            for unit in units:
                self.add(unit)
        except PtxError as error:
            msg = f"The emulator cannot read the program's PTX: {error}."
            raise UserError(msg) from error

    def add(self, unit: Unit) -> int:
        """Load a unit, and give its number, from 1 on. Raises: ``PtxError`` where the emulator cannot read it."""
        self._modules.append(parse(unit.ptx, unit.files))
        self._units.append(unit)
        return len(self._units)

    def kernel(self, symbol: str, among: int | None = None) -> Kernel | None:
        """The kernel with the PTX name ``symbol``, in the unit of number ``among`` or in any.

        Returns: ``None`` if there is none. Raises: ``UnsupportedError``.
        """
        unit = self._unit_with(symbol, among)
        if unit is None:
            return None
        if (unit, symbol) not in self._by_name:
            program = link(self._modules[unit], symbol)
            made = Kernel(
                number=len(self._numbered) + 1,
                name=display_name(symbol),
                symbol=symbol,
                unit=unit,
                program=program,
                layout=tuple(parameter_layout(self._modules[unit].functions[symbol].params)),
                resources=self._units[unit].resources[symbol],
            )
            self._numbered.append(made)
            self._by_name[unit, symbol] = made
        return self._by_name[unit, symbol]

    def numbered(self, number: int) -> Kernel | None:
        """The kernel that got ``number``."""
        return self._numbered[number - 1] if 1 <= number <= len(self._numbered) else None

    def variable(self, name: str, device: int) -> int | None:
        """The address of a device's variable of the first unit that has it; ``None`` if there is none."""
        for number, module in enumerate(self._modules):
            names = [variable.name for variable in module_variables(module)]
            if name in names:
                self._map(number, device)
                return window_origin(VARIABLE_WINDOW + names.index(name))
            if name in module.variables:  # no kernel uses it
                variable = module.variables[name]
                return self._memory.keep_unused(name, type_bytes(variable.type) * (variable.count or 1))
        return None

    def variable_of(self, unit: int, name: str) -> Allocation | None:
        """A variable of the unit of number ``unit``; its address holds whichever unit's kernel runs.

        Returns: ``None`` if there is none.
        """
        module = self._modules[unit - 1]
        names = [variable.name for variable in module_variables(module)]
        if name not in names:
            return None
        self._memory.emulated.map_module(unit - 1, module)
        return self._memory.alias(unit, VARIABLE_WINDOW + names.index(name))

    def _map(self, unit: int, device: int) -> None:
        """Let the addresses of variables stand for those of a unit on a device; managed ones have one place for all."""
        self._memory.emulated.map_module(unit + device * _UNITS, self._modules[unit])
        for window, allocation in self._managed.get(unit, {}).items():
            self._memory.emulated.regions[window].data = allocation.data

    def bind_managed(self, name: str, allocation: Allocation) -> None:
        """Let a ``__managed__`` variable lie in memory that the host shares; that gets its initial value."""
        for number, module in enumerate(self._modules):
            names = [variable.name for variable in module_variables(module)]
            if name in names:
                self._map(number, 0)
                window = VARIABLE_WINDOW + names.index(name)
                allocation.data[:] = self._memory.emulated.regions[window].data
                self._managed.setdefault(number, {})[window] = allocation

    def constant_bytes(self, kernel: Kernel) -> int:
        """Bytes of the constant memory that the kernel's unit uses."""
        variables = (each for each in module_variables(self._modules[kernel.unit]) if each.space == "const")
        return sum((each.count or 0) * type_bytes(each.type) for each in variables)

    def problem(self, kernel: Kernel, shape: LaunchShape) -> Reason | None:
        """Why the device refuses this launch."""
        return launch_problem(self._device, shape, kernel.resources)

    def occupancy(self, kernel: Kernel, threads: int, shared: int) -> int:
        """Blocks of ``threads`` threads that one multiprocessor holds."""
        needs = kernel.resources
        return occupancy(self._device, threads, needs.registers, needs.shared_bytes + shared).active_blocks

    def used(self, kernel: Kernel, parameters: bytes) -> list[Allocation]:
        """The allocations that a launch gets pointers into, and the managed variables that it can name."""
        found = (self._memory.find(value) for _, value in kernel.pointers(parameters))
        reached = (each for each in found if each is not None and each.freed is None)
        return list(dict.fromkeys((*reached, *self._managed.get(kernel.unit, {}).values())))

    def launch(
        self, kernel: Kernel, shape: LaunchShape, parameters: bytes, seconds: float, device: int
    ) -> Launched:
        """Run a launch on a device now, for at most ``seconds`` of the calling thread's processor time.

        Raises: ``UnsupportedError`` for what the emulator cannot do.
        """
        if shape.grid.size > MAX_BLOCKS:
            raise UnsupportedError(
                kernel.name, code="too-many-blocks", blocks=shape.grid.size, most=MAX_BLOCKS
            )
        memory = self._memory.emulated
        self._map(kernel.unit, device)
        built = BuiltKernel(
            name=kernel.name,
            symbol=kernel.symbol,
            unit=kernel.unit,
            abi=Abi.C,
            params=(),
            resources=kernel.resources,
        )
        before = memory.stamp
        order = order_of(0, self._launches, shape.grid.size, -(-shape.block.size // self._device.warp_size))
        face = face_of(
            self._device,
            shape,
            registers=kernel.resources.registers,
            shared_bytes=kernel.resources.shared_bytes,
        )

        def prepare() -> Execution:
            return Execution(
                kernel.program,
                shape,
                memory,
                self._services,
                parameters,
                diagnose=self._diagnose,
                order=order,
                face=face,
            )

        limits = Limits(steps=10**15, deadline=time.thread_time() + seconds, clock=time.thread_time)
        with self._memory.seen_by(device):
            outcome = finish(prepare, memory, limits, 1)
        self._launches += 1
        found = event_diagnostics(outcome, memory, kernel.name) if self._diagnose else []
        bad = memory_fault(found) is not None
        stopped = launch_failure(outcome, seconds, kernel.name)
        if stopped is not None:
            found.append(stopped[1])
        seconds = self._modelled(Profiled(built, outcome), kernel, parameters) if stopped is None else 0.0
        error = Error.SUCCESS
        if bad:
            error = Error.ILLEGAL_ADDRESS
        elif stopped is not None:
            error = Error.ASSERT if outcome.assertion else Error.LAUNCH_FAILURE
        return Launched(
            seconds, tuple(found), error, lambda: tuple(self._touched(kernel, parameters, before))
        )

    def _touched(self, kernel: Kernel, parameters: bytes, before: int) -> Iterator[Touched]:
        """What the last launch used of the allocations that it got, and of variables."""
        windows = [used.window for used in self.used(kernel, parameters)]
        windows += [number for number in self._memory.emulated.regions if number >= VARIABLE_WINDOW]
        managed = self._managed.get(kernel.unit, {})
        for window in windows:
            region = self._memory.emulated.regions[window]
            origin = managed[window].address if window in managed else window_origin(window)
            found = touched_ranges(region, origin, before, kernel.program)
            if found is not None:
                yield found

    def _modelled(self, profiled: Profiled, kernel: Kernel, parameters: bytes) -> float:
        touched = sum(each.size for each in self.used(kernel, parameters))
        return self._times.seconds(profiled, touched)

    def _unit_with(self, symbol: str, among: int | None) -> int | None:
        numbers = range(len(self._modules)) if among is None else (among - 1,)
        return next((number for number in numbers if _has_kernel(self._modules[number], symbol)), None)


def _has_kernel(module: Module, symbol: str) -> bool:
    return symbol in module.functions and module.functions[symbol].is_kernel
