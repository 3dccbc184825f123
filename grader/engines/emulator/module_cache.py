"""Cache of decoded kernels, so that later runs of a module start at once."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.decode.program import Program, UnsupportedError
from grader.engines.emulator.decode.value_flow import flow_of
from grader.engines.emulator.ptx.parser import parse
from grader.engines.emulator.ptx.syntax import Module, PtxError
from grader.model.module import BuiltKernel, DeviceModule

_KEPT = 32


@dataclass(slots=True)
class LoadedUnit:
    """A parsed translation unit and those of its kernels that have been decoded."""

    module: Module
    programs: dict[str, Program] = field(default_factory=dict)

    def program(self, symbol: str) -> Program:
        """The kernel called ``symbol``. Raises: ``UnsupportedError`` as ``link`` does."""
        if symbol not in self.programs:
            if symbol not in self.module.functions:
                raise UnsupportedError(symbol, code="missing-kernel")
            program = link(self.module, symbol)
            self.programs[symbol] = replace(program, flow=flow_of(program))
        return self.programs[symbol]


class ModuleCache:
    """Least-recently-used cache of translation units."""

    def __init__(self) -> None:
        self._units: OrderedDict[tuple[str, tuple[str, ...]], LoadedUnit] = OrderedDict()

    def unit(self, module: DeviceModule, kernel: BuiltKernel) -> LoadedUnit:
        """The unit that holds ``kernel``. Raises: ``UnsupportedError`` if its PTX cannot be parsed."""
        key = (module.units[kernel.unit].ptx, module.user_files)
        if key not in self._units:
            try:
                self._units[key] = LoadedUnit(parse(key[0], module.user_files))
            except PtxError as error:
                raise UnsupportedError(str(error), code="unsupported-ptx") from error
        self._units.move_to_end(key)
        while len(self._units) > _KEPT:
            self._units.popitem(last=False)
        return self._units[key]

    def clear(self) -> None:
        """Drop all units."""
        self._units.clear()
