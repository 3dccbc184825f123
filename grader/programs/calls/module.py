"""Calls that load modules of PTX while the program runs, and that ask what an address belongs to."""

from collections.abc import Callable, Mapping

from grader.compile.failure import BuildFailed
from grader.compile.ptx import rename_files
from grader.engines.emulator.ptx.syntax import PtxError
from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import Reason, reason
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.units import assembled
from grader.programs.wire import Call, Reply, Request

_ELSEWHERE = "library"
"""The name of files that are not the program's."""


class ModuleCalls:
    """Answers calls about modules that the program itself compiled."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.MODULE: self._load,
            Call.MODULE_SYMBOL: self._symbol,
            Call.ADDRESS_RANGE: self._address_range,
        }

    def _load(self, asked: Request) -> Reply:
        stage = self._state.memory.arena.stage
        text = stage[: min(asked.arguments[0], len(stage))].tobytes().decode(errors="replace")
        paths = self._state.paths
        ptx = rename_files(text, lambda path: paths.get(path, _ELSEWHERE))
        try:
            unit = assembled(ptx, tuple(dict.fromkeys(paths.values())))
            number = self._state.kernels.add(unit)
        except BuildFailed as failure:
            return self._refused(asked, failure.fault.reason)
        except PtxError as error:
            return self._refused(asked, reason("unsupported", what=str(error)))
        if unit.is_narrow:
            self._state.memory.track_bytes()
        return Reply(values=(number,))

    def _refused(self, asked: Request, problem: Reason) -> Reply:
        self._state.refused = problem
        self._state.findings.error(DiagnosticKind.UNSUPPORTED, asked.site, problem)
        return Reply(Error.INVALID_PTX)

    def _symbol(self, asked: Request) -> Reply:
        name = asked.extra.decode(errors="replace")
        found = self._state.kernels.variable_of(asked.arguments[0], name)
        return Reply(Error.INVALID_SYMBOL) if found is None else Reply(values=(found.address, found.size))

    def _address_range(self, asked: Request) -> Reply:
        found = self._state.memory.find(asked.arguments[0])
        if found is None or found.freed is not None:
            return Reply(Error.INVALID_VALUE)
        return Reply(values=(found.address, found.size))
